import type { FileSystem } from "../../platform/index.ts";
import type { InstructionPlace } from "./places.ts";

/** A file of instructions. */
export interface InstructionFile extends InstructionPlace {
  readonly text: string;
}

/** Where instructions are looked for, and what may be read. Paths are absolute. */
export interface InstructionParts {
  readonly fs: Pick<FileSystem, "realpath" | "stat" | "readFile">;
  readonly home: string;
  readonly projectRoot: string;
  readonly cwd: string;
  /** `user`, `project`, `local`: those that are read. */
  readonly sources: readonly string[];
  readonly compat: readonly string[];
  /** Files of the project count. */
  readonly trusted: boolean;
  /** No rule about Read stands against the path. */
  mayRead(path: string): boolean;
  /** The path lies in a working directory. */
  isInside(path: string): Promise<boolean>;
  notify(level: "warning", message: string): void;
}
