import type { EventData, SessionEvent } from "../protocol/index.ts";
import { EVENT_TYPES, OUTCOME_UNKNOWN } from "../protocol/index.ts";
import type { SessionState } from "./state.ts";

/** What a fork gets of its own. */
export interface ForkParts {
  readonly sessionId: string;
  /** The release that makes it. */
  readonly release: string;
  /** Default: the title of the original. */
  readonly title?: string | undefined;
  readonly id: () => string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The log of a fork: everything that the original holds, under a beginning of its own. Pure; the original's events are
 * shared, not changed.
 *
 * What the original was granted on the way does not come along: allow rules, directories, and the removal of rules that
 * forbid or ask. What it was forbidden does, and so does its mode.
 *
 * @param state the fold of `events`.
 */
export function forkEvents(
  events: readonly SessionEvent[],
  state: SessionState,
  parts: ForkParts,
): SessionEvent[] {
  const title = parts.title ?? state.title;
  const started = event(parts, 1, "session.started", {
    sessionId: parts.sessionId,
    cwd: state.cwd,
    release: parts.release,
    ...(title === undefined ? {} : { title }),
    parent: { sessionId: state.sessionId, seq: state.lastSeq },
  });
  const tightened = withoutGrants(state);
  const last = tightened === undefined ? [] : [event(parts, state.lastSeq + 1, "rules.changed", tightened)];
  return [started, ...events.slice(1), ...last];
}

/** What the session added to its permissions, without what loosens. Undefined where nothing does. */
function withoutGrants(state: SessionState): EventData<"rules.changed"> | undefined {
  const configured = new Set(state.configured?.additionalDirectories.map(([path]) => path));
  const rules = state.sessionRules.filter((rule) => rule.behavior !== "allow");
  const removed = state.removedRules.filter((rule) => rule.behavior === "allow");
  const additionalDirectories = state.additionalDirectories.filter(
    ([path, source]) => source !== "session" && configured.has(path),
  );
  const isSame =
    rules.length === state.sessionRules.length &&
    removed.length === state.removedRules.length &&
    additionalDirectories.length === state.additionalDirectories.length;
  if (isSame) return undefined;
  return { rules, ...(removed.length === 0 ? {} : { removed }), additionalDirectories, by: "fork" };
}

/**
 * The results to record in a fork for calls that were open in the original: they are the original's to run, and none of
 * them runs twice.
 */
export function forkedRound(state: SessionState): EventData<"tool.finished">[] {
  const results: EventData<"tool.finished">[] = [];
  for (const { part, started, finished } of state.round?.calls.values() ?? []) {
    if (finished !== undefined) continue;
    const text = started === undefined ? NOT_RUN : OUTCOME_UNKNOWN;
    results.push({
      callId: part.id,
      name: part.name,
      outcome: started === undefined ? "cancelled" : "unknown",
      content: [{ type: "text", text }],
      isError: true,
    });
  }
  return results;
}

const NOT_RUN =
  "Not run: the conversation was copied into a new session before this call ran. Call again if it is still wanted.";

function event<T extends "session.started" | "rules.changed">(
  { id, now }: ForkParts,
  seq: number,
  type: T,
  data: EventData<T>,
): SessionEvent {
  const { v } = EVENT_TYPES[type];
  return { v, seq, id: id(), ts: now, type, critical: true, data } as unknown as SessionEvent;
}
