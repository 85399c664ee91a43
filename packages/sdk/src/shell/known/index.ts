import { compilePrograms, type Program } from "../program.ts";
import { ARCHIVERS } from "./archivers.ts";
import { COMPILERS } from "./compilers.ts";
import { LISTERS } from "./listers.ts";
import { READERS } from "./readers.ts";
import { SENDERS } from "./senders.ts";
import { WRITERS } from "./writers.ts";

/** Every program whose operands are known, by its bare name. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  ...compilePrograms(LISTERS),
  ...compilePrograms(READERS),
  ...compilePrograms(WRITERS),
  ...compilePrograms(ARCHIVERS),
  ...compilePrograms(COMPILERS),
  ...compilePrograms(SENDERS),
]);
