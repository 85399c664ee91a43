import type { EventStore, Message, SessionSummary } from "../../protocol/index.ts";
import { errorText, isCastellanError } from "../../protocol/index.ts";
import { readSession, type SessionState } from "../../sessions/index.ts";
import { runningLog } from "../claims.ts";
import { owesAnswer } from "../opening/session-record.ts";
import type { Shared } from "../shared.ts";
import { VERSION } from "../version.ts";
import type { SessionInfo, SessionStatus } from "./types.ts";

const LONGEST_PROMPT = 200;

/** What a listing shows of one session. One that cannot be read says why; this never rejects. */
export async function readInfo(
  { store, platform }: Pick<Shared, "store" | "platform">,
  summary: SessionSummary,
): Promise<SessionInfo> {
  const { sessionId, project, createdAt, updatedAt, events } = summary;
  const head = { sessionId, project, createdAt, updatedAt, events, ...logOf(store, sessionId, project) };
  try {
    const read = await readSession(store, sessionId, { release: VERSION, sha256: platform.sha256 });
    if (read === undefined)
      return { ...head, ...unreadable("session_not_found", "It was deleted meanwhile.") };
    const { state } = read;
    const isBusy =
      runningLog(store, sessionId) !== undefined ||
      (await store.isBusy?.(sessionId).catch(() => false)) === true;
    return { ...head, events: state.lastSeq, status: statusOf(state, isBusy), ...factsOf(state) };
  } catch (error) {
    return {
      ...head,
      ...unreadable(isCastellanError(error) ? error.code : "store_failed", errorText(error)),
    };
  }
}

/** One of which the store could not even tell how long it is. */
export function unreadableInfo(store: EventStore, sessionId: string, problem: string): SessionInfo {
  return {
    ...{ sessionId, project: "", createdAt: 0, updatedAt: 0, events: 0 },
    ...logOf(store, sessionId, ""),
    ...unreadable("log_corrupt", problem),
  };
}

function unreadable(code: string, message: string): Pick<SessionInfo, "status" | "tags" | "problem"> {
  return { status: "unreadable", tags: [], problem: { code, message } };
}

function logOf(store: EventStore, sessionId: string, project: string): Pick<SessionInfo, "log"> {
  if (project === "") return {};
  try {
    const log = store.locate?.(sessionId, project);
    return log === undefined ? {} : { log };
  } catch {
    return {};
  }
}

function statusOf(state: SessionState, isBusy: boolean): SessionStatus {
  if (isBusy) return "running";
  if (state.messages.length === 0 && state.results === 0) return "empty";
  if (owesAnswer(state)) return "unfinished";
  return state.outcome === undefined || state.outcome === "success" ? "done" : "failed";
}

function factsOf(state: SessionState): Partial<SessionInfo> & Pick<SessionInfo, "tags"> {
  const { title, tags, model, configured, mode, total, outcome } = state;
  const firstPrompt = promptOf(state.messages);
  return {
    ...(title === undefined ? {} : { title }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    tags,
    ...(model === undefined ? {} : { model }),
    ...(configured === undefined ? {} : { permissionMode: mode }),
    costUsd: total.costUsd,
    ...(total.costUnknown ? { costUnknown: true } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function promptOf(messages: readonly Message[]): string | undefined {
  const first = messages.find(({ role }) => role === "user");
  if (first?.role !== "user") return undefined;
  const text = first.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  // A long one is cut before the pattern sees it.
  const line = text
    .slice(0, 4 * LONGEST_PROMPT)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= LONGEST_PROMPT ? line : `${line.slice(0, LONGEST_PROMPT - 1)}…`;
}
