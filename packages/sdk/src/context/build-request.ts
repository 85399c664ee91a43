import type { ModelRequest, ModelTool } from "../model/index.ts";
import type { Message, PermissionMode } from "../protocol/index.ts";

/** The part of every request that stays the same from turn to turn, byte by byte. */
export interface RequestPrefix {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly builtinTools: number;
  /** How answers are asked for. */
  readonly settings?: Pick<ModelRequest, "thinking" | "effort">;
}

/** What is true only at this moment, and so stands behind the last message. */
export interface Moment {
  readonly mode: PermissionMode;
  readonly planMode: "ceiling" | "advisory";
}

/** A request over the session's own arrays: nothing is copied. */
export function buildRequest(
  prefix: RequestPrefix,
  messages: readonly Message[],
  moment: Moment,
): ModelRequest {
  return {
    system: prefix.system,
    tools: prefix.tools,
    builtinTools: prefix.builtinTools,
    messages,
    tail: reminders(moment),
    ...prefix.settings,
  };
}

const NONE: readonly string[] = [];
const PLAN: readonly string[] = [
  "Plan mode is on: only calls that read are let through. Look around, then tell the user your plan. " +
    "Do not try to change anything until the user ends plan mode.",
];

function reminders(moment: Moment): readonly string[] {
  return moment.mode === "plan" && moment.planMode === "ceiling" ? PLAN : NONE;
}
