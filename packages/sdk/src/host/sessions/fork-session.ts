import type { SessionEvent } from "../../protocol/index.ts";
import { closedFork, createSessionLog, fold } from "../../sessions/index.ts";
import { claimSession } from "../claims.ts";
import { holdArtifacts } from "../hold-artifacts.ts";
import { cutSession } from "../opening/copy-session.ts";
import { notFound } from "../opening/not-found.ts";
import { anyText, flag, shape, text } from "../options/checks.ts";
import { badOption } from "../options/fault.ts";
import { sessionId as uuid } from "../options/table.ts";
import { VERSION } from "../version.ts";
import { checkArgument } from "./check-argument.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { ForkedSession, ForkSessionOptions } from "./types.ts";

const OPTIONS = shape({ upTo: text, title: anyText, sessionId: uuid, keepGrants: flag }, "an object");

/** See `Sessions.fork`. */
export async function forkSession(
  host: SessionsHost,
  original: string,
  options: ForkSessionOptions = {},
): Promise<ForkedSession> {
  checkArgument("forkSession", "sessionId", original, text);
  checkArgument("forkSession", "options", options, OPTIONS);
  const { store, platform } = host;
  const { upTo, title, keepGrants } = options;
  const { events, state, end } = await cutSession(store, original, upTo);
  const sessionId = options.sessionId ?? platform.ids.uuid();
  if (options.sessionId !== undefined && (await store.read(sessionId)).length > 0) {
    throw badOption("sessionId", `There is a session "${sessionId}" already.`, "Use another id.");
  }
  const parts = { sessionId, release: VERSION, title, keepGrants, end };
  const { clock, ids } = platform;
  const copied = closedFork(events, state, { ...parts, id: () => ids.uuid(), now: clock.now() });
  if (!(await holdArtifacts(host, original, copied))) throw notFound(original);
  await writeCopy(host, sessionId, copied, options.sessionId === undefined);
  return { sessionId };
}

/** Writes a whole log that nobody runs yet. */
export async function writeCopy(
  { store, platform, redact }: SessionsHost,
  sessionId: string,
  unwritten: readonly SessionEvent[],
  isNewId: boolean,
): Promise<void> {
  const state = fold(unwritten);
  const unclaim = claimSession(store, sessionId);
  try {
    const parts = { sessionId, project: state.cwd, state, unwritten, isNewId, redact };
    await createSessionLog({ store, platform, ...parts }).close();
  } finally {
    try {
      await store.release?.(sessionId);
    } finally {
      unclaim();
    }
  }
}
