import type { PermissionResult } from "@castellan/sdk";

/** What Ctrl-C and Esc answer: no, and the run ends. */
export const INTERRUPTED: PermissionResult = {
  behavior: "deny",
  message: "The user interrupted.",
  interrupt: true,
};

/** How many columns the lines of a dialog have. */
export function dialogWidth({ columns = 80 }: Pick<NodeJS.WriteStream, "columns">): number {
  return Math.max(40, columns) - 4;
}
