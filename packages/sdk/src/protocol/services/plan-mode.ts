import type { PermissionMode } from "../permission.ts";

/** The switch of plan mode, for the tools that turn it. */
export interface PlanModeSwitch {
  /** The mode at this moment. */
  mode(): PermissionMode;
  /** Turns plan mode on and remembers the mode before it. Undefined, or why it cannot. */
  enter(): string | undefined;
  /** Goes back to the mode before plan mode. Undefined, or why it cannot. */
  leave(): string | undefined;
}
