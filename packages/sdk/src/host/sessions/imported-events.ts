import type { EventData, SessionEvent } from "../../protocol/index.ts";
import { EVENT_TYPES } from "../../protocol/index.ts";
import {
  closeLog,
  emptyState,
  fold,
  forkPermissions,
  type SessionState,
  writerBehind,
} from "../../sessions/index.ts";

/** What an imported session gets of its own. */
export interface ImportParts {
  readonly sessionId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly keepGrants: boolean;
  readonly id: () => string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A name, with or without its provider. A script would be run, and an address be sent all that was said. */
const PLAIN_MODEL = /^[\w.-]+(\/\S*)?$/;

/**
 * The log of an imported session. Its history is that of the export; what would act on this machine is not: it works
 * where it is imported, and owns no process, no output file, no checkpoint and no approval that it tells of. Unless its grants are
 * kept it may do nothing here that a new session may not, and what it was forbidden stays forbidden.
 */
export function importedEvents(events: readonly SessionEvent[], parts: ImportParts): SessionEvent[] {
  const state = fold(events);
  const log = writerBehind(
    events.map((event) => moved(event, parts)),
    parts,
  );
  closeLog(log.events, state, parts);
  // Also of a shell that had come back: to where the session began on the other machine.
  if (events.some(({ type }) => type === "cwd.changed")) log.add("cwd.changed", { cwd: parts.cwd });
  if (!parts.keepGrants) {
    const { configured, rules, mode } = forkPermissions(state, nothingGranted(state), false);
    if (configured !== undefined) log.add("session.configured", configured);
    if (rules !== undefined) log.add("rules.changed", rules);
    if (mode !== undefined) log.add("mode.changed", mode);
    if (state.model !== undefined && !PLAIN_MODEL.test(state.model)) {
      log.add("model.changed", { model: "auto", by: "import" });
    }
  }
  return log.events;
}

function moved(event: SessionEvent, { sessionId, cwd }: ImportParts): SessionEvent {
  switch (event.type) {
    case "session.started":
      return { ...event, data: { ...event.data, sessionId, cwd } };
    case "task.started":
      return { ...event, data: { ...event.data, pid: 0, mark: "", spool: "", cwd } };
    case "file.checkpointed":
      return { ...event, data: { ...event.data, files: [] } };
    // An inbox here may hold an approval of that id: it is none of the file's.
    case "approval.requested":
    case "approval.resolved":
    case "approval.expired":
      return withId(event, `imported-${event.data.approvalId}`);
    default:
      // A later release may know the type, and would go by what nobody has checked here.
      return Object.hasOwn(EVENT_TYPES, event.type) ? event : unknownToUs(event);
  }
}

function withId<T extends SessionEvent & { readonly data: { readonly approvalId: string } }>(
  event: T,
  approvalId: string,
): T {
  return { ...event, data: { ...event.data, approvalId } };
}

function unknownToUs(event: SessionEvent): SessionEvent {
  return { ...event, type: `imported.${event.type}` as SessionEvent["type"] } as SessionEvent;
}

/** The same session as if nothing had ever been allowed in it. */
function nothingGranted(state: SessionState): SessionState {
  const { configured } = state;
  if (configured === undefined) return emptyState();
  const bare: EventData<"session.configured"> = {
    ...configured,
    mode: "default",
    rules: [],
    additionalDirectories: [],
  };
  return { ...emptyState(), configured: bare };
}
