import type { Platform } from "../../platform/index.ts";
import type { SDKMessage } from "../../protocol/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { emptyState, project, resultTotals, type SessionState } from "../../sessions/index.ts";

/** What is known when a run fails outside its turns. */
export interface FailureParts {
  readonly platform: Pick<Platform, "clock" | "ids">;
  readonly sessionId: string;
  readonly error: unknown;
  /** Undefined when the session never opened. */
  readonly state: SessionState | undefined;
  /** Results that were recorded and could not be written: their numbers count. */
  readonly unwritten: readonly SDKMessage[];
  readonly durationMs: number;
}

/** The result of a run that could not be written to its log, or never had one. It is told and not logged. */
export function failureResult(parts: FailureParts): SDKMessage[] {
  const { platform, sessionId, error, durationMs } = parts;
  const state = parts.state ?? emptyState();
  const data = {
    ...resultTotals(state),
    subtype: "error_during_execution",
    durationMs,
    errors: [textOf(error)],
    terminalReason: isCastellanError(error) ? error.code : "internal",
  } as const;
  const { ids, clock } = platform;
  const event = { v: 1, seq: state.lastSeq, id: ids.uuid(), ts: clock.now(), type: "result", data } as const;
  const lost = parts.unwritten.find((message) => message.type === "result");
  return project(event, { ...state, sessionId }).map((message) => {
    if (message.type !== "result" || lost === undefined) return message;
    const { num_turns, usage, modelUsage, total_cost_usd, permission_denials } = lost;
    return { ...message, num_turns, usage, modelUsage, total_cost_usd, permission_denials };
  });
}

function textOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  if (typeof error === "string" && error !== "") return error;
  return "Something that is not an Error was thrown.";
}
