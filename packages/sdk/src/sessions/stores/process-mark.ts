import { type Platform, processMark } from "../../platform/index.ts";

export { processMark } from "../../platform/index.ts";

/** The process of a claim. */
export interface ClaimingProcess {
  readonly pid: number;
  /** What `processMark` said of it. */
  readonly start: string;
}

/** Whether the process that made a claim may still run: so it is where the system cannot tell. */
export async function isAlive(
  machine: Pick<Platform, "fs" | "spawn" | "env" | "os">,
  { pid, start }: ClaimingProcess,
): Promise<boolean> {
  const mark = await processMark(machine, pid);
  return mark !== undefined && (mark === start || mark === "" || start === "");
}
