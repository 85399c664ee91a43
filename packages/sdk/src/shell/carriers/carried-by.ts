import { WRAPPERS } from "../known/wrappers.ts";
import { type Decoded, known } from "../words/decoded.ts";
import type { Carrying } from "./carrying.ts";
import { carriedByCmake } from "./cmake.ts";
import { carriedByParallel } from "./parallel.ts";
import { carriedByWrapper } from "./wrapper.ts";
import { carriedByXargs } from "./xargs.ts";

/** The programs that carry commands. */
export const CARRIERS: readonly string[] = [...WRAPPERS.keys(), "xargs", "parallel", "cmake"];

/** The commands that a wrapper's words carry. `words` leaves the wrapper's own name out. */
export function carriedBy(name: string, words: readonly Decoded[]): Carrying | undefined {
  if (name === "xargs") return carriedByXargs(words);
  if (name === "parallel") return carriedByParallel(words);
  if (name === "cmake") return carriedByCmake(words);
  const entry = WRAPPERS.get(name);
  if (entry === undefined) return undefined;
  // The name of the machine stands first, or nowhere.
  if (name === "setarch" && (known(words[0]) ?? "").startsWith("-"))
    return carriedByWrapper({ ...entry, skip: 0 }, words);
  return carriedByWrapper(entry, words);
}
