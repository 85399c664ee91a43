import type { RunVerdict } from "../gate/index.ts";

/** Whether a call may run beside others. A tool that throws when it is asked may not. */
export function isConcurrencySafe({ tool, input }: RunVerdict): boolean {
  try {
    return tool.isConcurrencySafe(input) === true;
  } catch {
    return false;
  }
}
