import type { AssistantPart, JsonValue, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { CastellanError, errorText } from "../protocol/index.ts";

/**
 * Takes out of an event what must not be recorded: gets a copy, and gives the event back with other texts in it.
 * `undefined`: nothing is to be taken out. It must not be asynchronous.
 */
export type Redact = (event: SessionEvent) => SessionEvent | undefined;

/** What says what is allowed, where work is done and what was read: a change would be another session. */
const UNTOUCHABLE: ReadonlySet<SessionEventType> = new Set([
  "session.configured",
  "mode.changed",
  "model.changed",
  "rules.changed",
  "cwd.changed",
  "file.seen",
  "file.checkpointed",
]);

/** Texts that programs read, not people. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...[
    "type",
    "role",
    "id",
    "kind",
    "hash",
    "mediaType",
    "callId",
    "parent",
    "name",
    "tool_name",
    "tool_use_id",
  ],
  ...["behavior", "outcome", "subtype", "terminalReason", "stopReason", "status", "mode", "source", "model"],
  ...["sessionId", "cwd", "release", "runId", "event", "taskId", "digest", "spool", "mark", "messageId"],
  ...[
    "approvalId",
    "inputHash",
    "shownHash",
    "editHash",
    "policyVersion",
    "approver",
    "why",
    "trigger",
    "timerId",
    "cron",
    "zone",
    "uuid",
    "priority",
  ],
]);

/** Values without a shape of ours, by the key that holds them. */
const FREE: ReadonlySet<string> = new Set([
  ...["input", "tool_input", "structured", "structuredOutput", "meta"],
]);

/**
 * The event as it may be recorded. The original is not touched, and is itself the answer where nothing is taken out.
 *
 * @throws `redaction_failed` where the redactor throws, or gives something that is not this event with other texts.
 * What it was to keep out is not in the error.
 */
export function redacted(redact: Redact, event: SessionEvent): SessionEvent {
  const copy = JSON.parse(JSON.stringify(event)) as SessionEvent;
  let answer: unknown;
  try {
    answer = redact(copy);
  } catch (error) {
    throw failed(event, `threw ${nameOf(error)}`);
  }
  // Who changes the copy and gives nothing back meant the change.
  const given = (answer ?? copy) as SessionEvent;
  let plain: SessionEvent;
  try {
    plain = JSON.parse(JSON.stringify(given)) as SessionEvent;
  } catch (error) {
    throw failed(event, `gave what JSON cannot hold (${nameOf(error)})`);
  }
  const before = JSON.parse(JSON.stringify(event)) as SessionEvent;
  const wrong = difference(before, plain);
  if (wrong !== undefined) throw failed(event, wrong);
  return JSON.stringify(before) === JSON.stringify(plain) ? event : plain;
}

/** The redacted event, with a mark at each call whose input it does not hold any more: that one cannot run from the log. */
export function withMarks(plain: SessionEvent, original: SessionEvent): SessionEvent {
  if (plain === original || plain.type !== "model.completed" || original.type !== "model.completed")
    return plain;
  const { parts } = original.data.message;
  const marked = plain.data.message.parts.map((part, i): AssistantPart => {
    const before = parts[i];
    if (part.type !== "toolCall" || before?.type !== "toolCall") return part;
    const isWhole =
      JSON.stringify([part.input, part.invalidInput]) === JSON.stringify([before.input, before.invalidInput]);
    return isWhole ? part : { ...part, redacted: true };
  });
  const message = { ...plain.data.message, parts: marked };
  return { ...plain, data: { ...plain.data, message } };
}

/** Undefined: the second is the first with other texts. */
function difference(before: SessionEvent, after: SessionEvent): string | undefined {
  if (typeof after !== "object" || after === null || Array.isArray(after)) return `gave ${kindOf(after)}`;
  const { data, ...envelope } = before;
  const { data: given, ...other } = after;
  const keys = new Set([...Object.keys(envelope), ...Object.keys(other)]);
  for (const key of keys) {
    if ((envelope as Record<string, unknown>)[key] !== (other as Record<string, unknown>)[key]) {
      return `changed ${key}, and only data may change`;
    }
  }
  if (UNTOUCHABLE.has(before.type)) {
    return JSON.stringify(data) === JSON.stringify(given)
      ? undefined
      : "changed an event that must stay whole";
  }
  return differs(data as JsonValue, given as JsonValue | undefined, "data");
}

function differs(before: JsonValue, after: JsonValue | undefined, place: string): string | undefined {
  const key = place.slice(place.lastIndexOf(".") + 1);
  if (after === undefined || kindOf(before) !== kindOf(after)) {
    return `made ${place} ${kindOf(after)} where it was ${kindOf(before)}`;
  }
  if (FREE.has(key)) return undefined;
  if (typeof before === "string") {
    return before !== after && STRUCTURE.has(key) ? `changed ${place}, which is no free text` : undefined;
  }
  if (typeof before !== "object" || before === null) {
    return before === after ? undefined : `changed ${place}, which is no text`;
  }
  const [own, other] = [before, after as typeof before].map((value) => new Map(Object.entries(value)));
  for (const [name, value] of own ?? []) {
    const wrong = differs(value, other?.get(name), Array.isArray(before) ? `${place}[]` : `${place}.${name}`);
    if (wrong !== undefined) return wrong;
  }
  return own?.size === other?.size ? undefined : `added to ${place}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** The text of an error may hold what was being redacted. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof errorText(error);
}

function failed(event: SessionEvent, what: string): CastellanError {
  return new CastellanError(
    "redaction_failed",
    `The redactor ${what} for event ${event.seq} (${event.type}). Nothing from there on is recorded, and the session ends.`,
    {
      subject: event.type,
      fix: "Mend createHost({redact}): it gets a copy of each event and returns it with other texts.",
    },
  );
}
