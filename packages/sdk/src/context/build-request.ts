import type { ModelRequest, ModelTool } from "../model/index.ts";
import type { Message } from "../protocol/index.ts";
import { type Moment, reminders } from "./reminders.ts";

/** The part of every request that stays the same from turn to turn, byte by byte. */
export interface RequestPrefix {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly builtinTools: number;
  /** How answers are asked for. */
  readonly settings?: Pick<ModelRequest, "thinking" | "effort">;
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
