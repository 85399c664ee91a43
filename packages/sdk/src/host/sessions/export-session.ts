import { CastellanError, type SessionEvent } from "../../protocol/index.ts";
import { foldOf, redacted } from "../../sessions/index.ts";
import { notFound } from "../opening/not-found.ts";
import { flag, shape, text } from "../options/checks.ts";
import { VERSION } from "../version.ts";
import { checkArgument } from "./check-argument.ts";
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportEnd, type ExportHeader } from "./export-format.ts";
import { addHashes, addReferences } from "./reachable.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { ExportSessionOptions } from "./types.ts";

const OPTIONS = shape({ artifacts: flag }, "an object");

/** See `Sessions.export`. Events of a time before there was a redactor are redacted on their way. */
export async function* exportSession(
  host: SessionsHost,
  sessionId: string,
  options: ExportSessionOptions = {},
): AsyncGenerator<string, void, undefined> {
  checkArgument("exportSession", "sessionId", sessionId, text);
  checkArgument("exportSession", "options", options, OPTIONS);
  const { store, artifacts, platform, redact } = host;
  const events = await store.read(sessionId);
  if (events.length === 0) throw notFound(sessionId);
  const { cwd } = foldOf(events, sessionId);
  const header: ExportHeader = {
    castellan: EXPORT_FORMAT,
    v: EXPORT_VERSION,
    ...{ sessionId, project: cwd, release: VERSION, exportedAt: platform.clock.now() },
  };
  yield line(header);
  const hashes = new Set<string>();
  const references = new Set<string>();
  for (const event of events) {
    const plain: SessionEvent = redact === undefined ? event : redacted(redact, event);
    addHashes(plain, hashes);
    addReferences(plain.data, references);
    yield line({ event: plain });
  }
  let blobs = 0;
  if (options.artifacts !== false) {
    for (const hash of hashes) {
      const bytes = await artifacts.get(hash);
      if (bytes === undefined) {
        if (references.has(hash)) throw missing(sessionId, hash);
        // It looks like the hash of a blob and is none, or that of a file which was too large to be kept.
        continue;
      }
      blobs += 1;
      yield line({ artifact: { hash, base64: Buffer.from(bytes).toString("base64") } });
    }
  }
  const end: ExportEnd = { events: events.length, artifacts: blobs };
  yield line({ end });
}

function missing(sessionId: string, hash: string): CastellanError {
  return new CastellanError(
    "artifact_invalid",
    `Session ${sessionId} refers to the artifact ${hash}, which is not in the artifact store.`,
    { subject: hash, fix: "Put it back, or export without artifacts (artifacts: false, --no-artifacts)." },
  );
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
