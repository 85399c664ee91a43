import type { ToolInvocationContext } from "../protocol/index.ts";

export type CallTool = ToolInvocationContext["callTool"];

/** The call whose handler may call others. */
export interface Owner {
  readonly id: string;
  /** Nothing runs beside it. */
  readonly exclusive: boolean;
  signal(): AbortSignal;
  /** False once it has its result. */
  isOpen(): boolean;
}

/** Gives a running call what it calls others with. */
export type Nest = (owner: Owner) => CallTool;
