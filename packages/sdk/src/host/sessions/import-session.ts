import { resolve } from "node:path";
import type { SessionEvent } from "../../protocol/index.ts";
import { errorText, isCastellanError } from "../../protocol/index.ts";
import { foldOf, transcript } from "../../sessions/index.ts";
import { flag, shape, text, wholeNumber } from "../options/checks.ts";
import { checkArgument } from "./check-argument.ts";
import { checkHeader, checkLine } from "./check-export.ts";
import { refused } from "./export-format.ts";
import { writeCopy } from "./fork-session.ts";
import { importedEvents } from "./imported-events.ts";
import { addHashes } from "./reachable.ts";
import { readLines } from "./read-lines.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { ImportedSession, ImportSessionOptions, ImportSource } from "./types.ts";

const MOST_BYTES = 1_000_000_000;
const OPTIONS = shape({ cwd: text, keepGrants: flag, maxBytes: wholeNumber(1) }, "an object");

/**
 * See `Sessions.import`. Everything that an export says of itself is checked before a session is stored: its lines, its
 * events by folding them, its artifacts by their hash, and that it is whole.
 */
export async function importSession(
  host: SessionsHost,
  source: ImportSource,
  options: ImportSessionOptions = {},
): Promise<ImportedSession> {
  checkArgument("importSession", "options", options, OPTIONS);
  const { store, platform } = host;
  const {
    sessionId: exported,
    events,
    artifacts,
  } = await readExport(host, source, options.maxBytes ?? MOST_BYTES);
  const isTaken = (await store.read(exported).catch(() => [{}])).length > 0;
  const sessionId = isTaken ? platform.ids.uuid() : exported;
  const cwd = resolve(platform.cwd(), options.cwd ?? "");
  const { clock, ids } = platform;
  const parts = {
    sessionId,
    cwd,
    keepGrants: options.keepGrants === true,
    id: () => ids.uuid(),
    now: clock.now(),
  };
  await writeCopy(host, sessionId, importedEvents(events, parts), isTaken);
  return { sessionId, isNewId: isTaken, events: events.length, artifacts };
}

interface ReadExport {
  readonly sessionId: string;
  readonly events: readonly SessionEvent[];
  readonly artifacts: number;
}

/** Artifacts are stored as they come, behind the last event: without a session that reaches them they are collected. */
async function readExport(host: SessionsHost, source: ImportSource, maxBytes: number): Promise<ReadExport> {
  const events: SessionEvent[] = [];
  let sessionId: string | undefined;
  let wanted: Set<string> | undefined;
  let artifacts = 0;
  let line = 0;
  let isOver = false;
  for await (const text of readLines(source, maxBytes)) {
    line += 1;
    if (sessionId === undefined) {
      ({ sessionId } = checkHeader(text));
      continue;
    }
    if (isOver) throw refused(line, "stands behind the end.");
    const read = checkLine(text, line);
    if ("event" in read) {
      if (wanted !== undefined) throw refused(line, "is an event behind an artifact.");
      checkPlace(read.event, events, line);
      events.push(read.event);
      continue;
    }
    if (wanted === undefined) {
      foldExport(events, sessionId);
      wanted = new Set();
      for (const event of events) addHashes(event, wanted);
    }
    if ("artifact" in read) {
      await take(host, read.artifact, wanted, line);
      artifacts += 1;
    } else {
      const { end } = read;
      if (end.events !== events.length || end.artifacts !== artifacts) {
        throw refused(line, `counts ${end.events} events and ${end.artifacts} artifacts; there are others.`);
      }
      isOver = true;
    }
  }
  if (sessionId === undefined) throw refused(0, "is empty.");
  if (!isOver) throw refused(0, "was cut off: its end is missing.");
  return { sessionId, events, artifacts };
}

function checkPlace({ seq, type }: SessionEvent, before: readonly SessionEvent[], line: number): void {
  if (seq !== before.length + 1)
    throw refused(line, `is event ${seq} where event ${before.length + 1} belongs.`);
  if ((type === "session.started") !== (seq === 1)) {
    throw refused(line, seq === 1 ? "is no beginning of a session." : "begins a session a second time.");
  }
}

function foldExport(events: readonly SessionEvent[], sessionId: string): void {
  try {
    const state = foldOf(events, sessionId);
    // What cannot be shown or copied does not hold what its types say.
    transcript(events);
    importedEvents(events, { sessionId, cwd: state.cwd, keepGrants: false, id: () => "", now: 0 });
  } catch (error) {
    // The release that can read it is named in the error, and the code tells.
    if (isCastellanError(error, "log_too_new")) throw error;
    throw refused(0, `does not fold: ${errorText(error)}`, error);
  }
}

async function take(
  { artifacts, platform }: SessionsHost,
  { hash, base64 }: { readonly hash: string; readonly base64: string },
  wanted: Set<string>,
  line: number,
): Promise<void> {
  if (!wanted.delete(hash))
    throw refused(line, "is an artifact that no event names, or that was there before.");
  const bytes = Buffer.from(base64, "base64");
  if (platform.sha256(bytes) !== hash)
    throw refused(line, `is no artifact ${hash}: its bytes have another hash.`);
  await artifacts.put(bytes);
}
