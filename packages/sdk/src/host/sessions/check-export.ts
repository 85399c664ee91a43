import type { SessionEvent } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportHeader,
  type ExportLine,
  refused,
} from "./export-format.ts";

const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;
const HASH = /^[0-9a-f]{64}$/;
/** Deeper than any tool's input, and far from where walking it would end. */
const DEEPEST = 500;
const LONGEST_WORD = 200;

/** @throws `import_refused` */
export function checkHeader(text: string): ExportHeader {
  const value = parse(text, 1);
  if (value.castellan !== EXPORT_FORMAT) throw refused(1, "is not the header of an exported session.");
  const { v, sessionId, release } = value;
  if (v !== EXPORT_VERSION) {
    const by = isWord(release) ? ` It was written by release ${release}.` : "";
    throw refused(1, `has format version ${JSON.stringify(v)}; this release reads ${EXPORT_VERSION}.${by}`);
  }
  if (typeof sessionId !== "string" || !SAFE_ID.test(sessionId)) {
    throw refused(1, "has a sessionId that is none: 1 to 128 letters, digits, `-` and `_`.");
  }
  if (!isWord(release)) throw refused(1, "does not say which release wrote it.");
  return value as unknown as ExportHeader;
}

/** @throws `import_refused` */
export function checkLine(text: string, line: number): ExportLine {
  const value = parse(text, line);
  const [[key, inner] = ["", undefined], ...others] = Object.entries(value);
  if (others.length > 0 || !isJsonObject(inner)) throw refused(line, "is not a line of an export.");
  if (key === "event") return { event: checkEvent(inner, line) };
  if (key === "end") return { end: checkEnd(inner, line) };
  if (key !== "artifact") throw refused(line, "is not a line of an export.");
  const { hash, base64 } = inner;
  if (typeof hash !== "string" || !HASH.test(hash) || typeof base64 !== "string") {
    throw refused(line, "is not an artifact: it needs a SHA-256 as hash, and base64.");
  }
  return { artifact: { hash, base64 } };
}

const ENVELOPE: ReadonlySet<string> = new Set(["v", "seq", "id", "ts", "type", "critical", "cause", "data"]);

function checkEvent(event: Record<string, unknown>, line: number): SessionEvent {
  const { v, seq, id, ts, type, critical, cause, data } = event;
  const isWhole =
    isCount(v) && v > 0 && isCount(seq) && isCount(ts) && isWord(id) && isWord(type) && isJsonObject(data);
  const isPlain = Object.keys(event).every((key) => ENVELOPE.has(key));
  const hasMarks = (critical === undefined || critical === true) && (cause === undefined || isWord(cause));
  if (!isWhole || !isPlain || !hasMarks) throw refused(line, "is not an event of a session.");
  return event as unknown as SessionEvent;
}

function checkEnd(end: Record<string, unknown>, line: number): { events: number; artifacts: number } {
  const { events, artifacts } = end;
  if (!isCount(events) || !isCount(artifacts)) throw refused(line, "is not the end of an export.");
  return { events, artifacts };
}

function parse(text: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refused(line, "is not JSON.", cause);
  }
  if (!isJsonObject(value)) throw refused(line, "is not a JSON object.");
  if (isDeep(value, DEEPEST)) throw refused(line, `is nested more than ${DEEPEST} deep.`);
  return value;
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_WORD;
}
