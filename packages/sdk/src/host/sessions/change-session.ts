import type { EventData } from "../../protocol/index.ts";
import { createSessionLog, readSession } from "../../sessions/index.ts";
import { claimSession, inUse, runningLog } from "../claims.ts";
import { notFound } from "../opening/not-found.ts";
import { text } from "../options/checks.ts";
import { badOption, shown } from "../options/fault.ts";
import { VERSION } from "../version.ts";
import { checkArgument } from "./check-argument.ts";
import type { SessionsHost } from "./sessions-host.ts";

const LONGEST_TITLE = 500;
const LONGEST_TAG = 100;
const MOST_TAGS = 50;

/** See `Sessions.rename`. */
export async function renameSession(host: SessionsHost, sessionId: string, title: string): Promise<void> {
  checkArgument("renameSession", "sessionId", sessionId, text);
  checkArgument("renameSession", "title", title, text);
  if (title.length > LONGEST_TITLE) {
    throw badOption("title", `The title has ${title.length} characters.`, `Use ${LONGEST_TITLE} at most.`);
  }
  await recordIn(host, sessionId, "session.renamed", { title });
}

/** See `Sessions.tag`. */
export async function tagSession(
  host: SessionsHost,
  sessionId: string,
  given: string | readonly string[] | null,
): Promise<void> {
  checkArgument("tagSession", "sessionId", sessionId, text);
  const tags = [...new Set(given === null ? [] : typeof given === "string" ? [given] : given)];
  const bad = tags.find((tag) => text(tag) !== undefined || tag.length > LONGEST_TAG);
  if (bad !== undefined || tags.length > MOST_TAGS) {
    const what = bad === undefined ? `There are ${tags.length} tags.` : `A tag is ${shown(bad)}.`;
    throw badOption("tags", what, `Give at most ${MOST_TAGS} texts of 1 to ${LONGEST_TAG} characters.`);
  }
  await recordIn(host, sessionId, "session.tagged", { tags });
}

/** Into the log of the run that is on in this process, else as a run of its own that says nothing but this. */
async function recordIn<T extends "session.renamed" | "session.tagged">(
  host: SessionsHost,
  sessionId: string,
  type: T,
  data: EventData<T>,
): Promise<void> {
  const { store, platform, redact } = host;
  const running = runningLog(store, sessionId);
  if (running !== undefined) {
    if (running.log === undefined) throw inUse(sessionId);
    running.log.record(type, data);
    return running.log.barrier();
  }
  const unclaim = claimSession(store, sessionId);
  try {
    const read = await readSession(store, sessionId, { release: VERSION, sha256: platform.sha256 });
    if (read === undefined) throw notFound(sessionId);
    const { state } = read;
    const log = createSessionLog({ store, platform, sessionId, project: state.cwd, state, redact });
    log.record(type, data);
    await log.close();
  } finally {
    try {
      await store.release?.(sessionId);
    } finally {
      unclaim();
    }
  }
}
