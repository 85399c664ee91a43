import type { Platform } from "../../platform/index.ts";
import type { ArtifactStore, EventStore, SessionEvent } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { fold, foldOf, forkEvents, isNamed, type SessionState } from "../../sessions/index.ts";
import { holdArtifacts } from "../hold-artifacts.ts";
import type { Options } from "../options/types.ts";
import { VERSION } from "../version.ts";
import { notFound } from "./not-found.ts";

/** What a session is copied with, when it is opened. */
interface CopyParts {
  readonly options: Pick<Options, "resumeSessionAt" | "title">;
  readonly store: EventStore;
  readonly artifacts: ArtifactStore;
  readonly platform: Pick<Platform, "clock" | "ids">;
  /** The id of the copy. */
  readonly newId: string;
}

/** Nobody has to let go of the original: it is only read. */
export async function copyOf(original: string, parts: CopyParts): Promise<readonly SessionEvent[]> {
  const { options, store, newId, platform } = parts;
  const { clock, ids } = platform;
  const own = {
    sessionId: newId,
    release: VERSION,
    title: options.title,
    id: () => ids.uuid(),
    now: clock.now(),
  };
  const { events, state, end } = await cutSession(store, original, options.resumeSessionAt);
  const copied = forkEvents(events, state, { ...own, end });
  if (!(await holdArtifacts(parts, original, copied))) throw notFound(original);
  return copied;
}

/** The beginning of a session, up to a message. */
export interface CutSession {
  readonly events: readonly SessionEvent[];
  /** The fold of `events`. */
  readonly state: SessionState;
  /** The fold of the whole session. */
  readonly end: SessionState;
}

/**
 * Reads a session up to and with a message.
 *
 * @param upTo the `uuid` of one of its messages. Default: the last event.
 * @throws CastellanError `session_not_found`, `log_corrupt`, `log_too_new`; `invalid_option` for a message that the session does not hold
 */
export async function cutSession(
  store: EventStore,
  sessionId: string,
  upTo: string | undefined,
): Promise<CutSession> {
  const events = await store.read(sessionId);
  if (events.length === 0) throw notFound(sessionId);
  const end = foldOf(events, sessionId);
  if (upTo === undefined) return { events, state: end, end };
  const at = events.findIndex((event) => isNamed(event, upTo));
  if (at === -1) {
    throw new CastellanError("invalid_option", `Session ${sessionId} holds no message "${upTo}".`, {
      subject: "resumeSessionAt",
      fix: "Give the uuid of one of its messages; getSessionMessages() lists them.",
    });
  }
  const kept = events.slice(0, at + 1);
  return { events: kept, state: fold(kept), end };
}
