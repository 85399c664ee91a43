import type { ProgramEntry } from "../../program.ts";

/** Which files the sub-commands of a program touch. */
export interface SubCommandEntry {
  /** Global options whose value is a path, as `--kubeconfig:read`. */
  readonly paths?: string;
  /** The global option that says where it starts. */
  readonly moves?: string;
  /** Long options have one dash. */
  readonly dash?: "single";
  /** Rows by the names that lead to them, alternatives joined by `|`: `cp|container cp`. */
  readonly rows: Readonly<Record<string, ProgramEntry>>;
  /** Every other sub-command. */
  readonly other?: ProgramEntry;
}
