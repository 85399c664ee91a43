import type { EventData, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { EVENT_TYPES } from "../protocol/index.ts";
import { forkPermissions } from "./fork-permissions.ts";
import { forkedRound } from "./forked-round.ts";
import type { SessionState } from "./state.ts";

/** What a fork gets of its own. */
export interface ForkParts {
  readonly sessionId: string;
  /** The release that makes it. */
  readonly release: string;
  /** Default: the title of the original. */
  readonly title?: string | undefined;
  /** Where the original has come to, for a fork that is cut before. Default: the cut is its end. */
  readonly end?: SessionState | undefined;
  /** What the original was granted on the way comes along. Default false. */
  readonly keepGrants?: boolean | undefined;
  readonly id: () => string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The log of a fork: everything that the original holds, under a beginning of its own. Pure; the original's events are
 * shared, not changed, and those of a type that is not known here are copied as well.
 *
 * What the original was granted on the way does not come along, unless `keepGrants` says so: allow rules, directories,
 * and the removal of rules that forbid or ask. What it was forbidden does, and so does its mode; of a fork that is cut
 * before, also what the original was forbidden since.
 *
 * @param events from the first to where the fork is cut.
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
  const log = writerBehind([started, ...events.slice(1)], parts);
  if (parts.title !== undefined && events.some(({ type }) => type === "session.renamed")) {
    log.add("session.renamed", { title: parts.title });
  }
  const { configured, rules, mode } = forkPermissions(state, parts.end ?? state, parts.keepGrants === true);
  if (configured !== undefined) log.add("session.configured", configured);
  if (rules !== undefined) log.add("rules.changed", rules);
  if (mode !== undefined) log.add("mode.changed", mode);
  return log.events;
}

/**
 * The same for a fork that nobody runs yet: what its original was in the middle of is closed, so that whoever resumes
 * the fork does not take it for the fork's own.
 */
export function closedFork(
  events: readonly SessionEvent[],
  state: SessionState,
  parts: ForkParts,
): SessionEvent[] {
  return closeLog(forkEvents(events, state, parts), state, parts);
}

/** Ends what `state` has open, behind the last of `events`, which is changed and returned. */
export function closeLog(events: SessionEvent[], state: SessionState, parts: WriterParts): SessionEvent[] {
  const log = writerBehind(events, parts);
  for (const result of forkedRound(state)) log.add("tool.finished", result);
  for (const uuid of state.queue.keys()) log.add("message.dropped", { uuid, why: "copied" });
  for (const [taskId, { finished }] of state.tasks) {
    if (finished === undefined) log.add("task.finished", { taskId, status: "left" });
  }
  for (const timerId of state.timers.keys()) log.add("timer.cleared", { timerId, by: "copied" });
  return log.events;
}

type WriterParts = Pick<ForkParts, "id" | "now">;

/** Adds events behind a list, numbered on. */
export function writerBehind(
  events: SessionEvent[],
  parts: WriterParts,
): { readonly events: SessionEvent[]; add<T extends SessionEventType>(type: T, data: EventData<T>): void } {
  return {
    events,
    add: (type, data) => void events.push(event(parts, events.length + 1, type, data)),
  };
}

function event<T extends SessionEventType>(
  { id, now }: WriterParts,
  seq: number,
  type: T,
  data: EventData<T>,
): SessionEvent {
  const { v, critical } = EVENT_TYPES[type];
  return {
    ...{ v, seq, id: id(), ts: now, type },
    ...(critical ? { critical } : {}),
    data,
  } as unknown as SessionEvent;
}
