import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "@castellan/sdk";
import type { InboxSurvived } from "./inbox-runs.ts";
import type { Kill } from "./points.ts";
import { endProblems, logProblems, of, placeProblems, requestProblems } from "./problems.ts";
import type { Told } from "./processes.ts";
import { MESSAGE } from "./program/inbox-script.mjs";

/** What is wrong with a session whose calls waited in the inbox; empty where every word counted once. */
export async function inboxProblems(survived: InboxSurvived, kill?: Kill): Promise<readonly string[]> {
  const kills = kill === undefined ? 0 : kill.again === undefined ? 1 : 2;
  return [
    ...(kill === undefined ? [] : placeProblems(survived, kill.point)),
    // The message of the person has a result of its own where it came in time.
    ...endProblems({ ...survived, told: survived.told.map(lastResult) }, kills),
    ...logProblems(survived),
    ...callProblems(survived),
    ...approvalProblems(survived),
    ...messageProblems(survived),
    ...(await requestProblems(survived)),
  ];
}

function lastResult(told: Told): Told {
  return { ...told, results: told.results.slice(-1) };
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function callsOf(final: readonly SessionEvent[]): readonly Call[] {
  return of(final, "model.completed").flatMap(({ data }) =>
    data.message.parts.flatMap((part) =>
      part.type === "toolCall"
        ? [{ id: part.id, name: part.name, text: String((part.input as { text?: string }).text) }]
        : [],
    ),
  );
}

/** One result a call, and what was done is what was decided. */
function* callProblems({ left, final, files }: InboxSurvived): Generator<string> {
  const calls = callsOf(final);
  const ends = of(final, "tool.finished").map(({ data }) => data);
  if (!isDeepStrictEqual(ends.map(({ callId }) => callId).sort(), calls.map(({ id }) => id).sort())) {
    yield `calls ${calls.map(({ id }) => id)} have results ${ends.map(({ callId }) => callId)}`;
  }
  const begun = new Set(left.flatMap(startedWithoutEnd));
  const done = [...files["sent.txt"], ...files["notes.txt"]];
  for (const { id, name, text } of calls) {
    const outcome = ends.find(({ callId }) => callId === id)?.outcome;
    const times = done.filter((line) => line.startsWith(`${id} `)).length;
    const expected =
      text === "not this" ? "denied" : begun.has(id) && name !== "row" ? "unknown" : "finished";
    if (outcome !== expected) yield `${id} (${name} ${text}) is ${outcome}, and was to be ${expected}`;
    if (name === "row") continue;
    if (outcome === "finished" ? times !== 1 : times > (outcome === "unknown" ? 1 : 0)) {
      yield `${id} (${text}) is ${outcome}, and was done ${times} times`;
    }
    const line = `${id} ${text === "edit me" ? "edited" : text}`;
    if (times > 0 && !done.includes(line)) yield `instead of "${line}" was done ${done}`;
  }
  for (const line of done) {
    if (!calls.some(({ id }) => line.startsWith(`${id} `))) yield `"${line}" is of no call in the log`;
  }
}

function startedWithoutEnd(events: readonly SessionEvent[]): readonly string[] {
  const ended = new Set(of(events, "tool.finished").map(({ data }) => data.callId));
  return of(events, "tool.started").flatMap(({ data }) => (ended.has(data.callId) ? [] : [data.callId]));
}

/** Each call is asked about once, each question ends once, and the log says what the inbox says. */
function* approvalProblems({ final, records, decisions }: InboxSurvived): Generator<string> {
  const asked = of(final, "approval.requested");
  const resolved = of(final, "approval.resolved");
  const over = of(final, "approval.expired");
  for (const { id, name, text } of callsOf(final)) {
    const own = asked.filter(({ data }) => data.callId === id);
    // A call like one that is remembered may be settled before it was asked about.
    const [least, most] = name !== "send" ? [0, 0] : text === "like too" ? [0, 1] : [1, 1];
    if (text === "like too" && resolved.some(({ data }) => data.callId === id))
      yield `somebody decided about ${id}`;
    if (own.length < least || own.length > most) yield `${id} (${text}) was asked about ${own.length} times`;
    for (const { data, seq } of own) {
      const { approvalId } = data;
      const ends = [...resolved, ...over].filter((event) => event.data.approvalId === approvalId);
      if (ends.length !== 1) yield `${approvalId} (${text}) has ${ends.length} ends in the log`;
      const started = of(final, "tool.started").find((event) => event.data.callId === id);
      if (started !== undefined && (ends[0]?.seq ?? Infinity) > started.seq)
        yield `${id} began before its end`;
      if (seq > (started?.seq ?? Infinity)) yield `${id} was asked about when it had begun`;
    }
    const verdicts = of(final, "tool.decided").filter((event) => event.data.callId === id);
    // Whoever goes on behind a kill decides afresh.
    if (new Set(verdicts.map(({ data }) => data.behavior)).size > 1) yield `${id} was decided in two ways`;
  }
  for (const { id, status, input } of records) {
    if (status === "pending") yield `${id} (${input.text}) waits still`;
    if (!asked.some(({ data }) => data.approvalId === id)) yield `${id} (${input.text}) is in no log`;
  }
  for (const { data } of resolved) {
    const decision = decisions.get(data.approvalId);
    if (decision?.behavior !== data.behavior || decision.decidedBy !== data.by) {
      yield `the log says ${data.behavior} by ${data.by}, the inbox ${JSON.stringify(decision)}`;
    }
  }
  for (const { data } of over) {
    // A process may be killed before it has kept the record of what stands in the log.
    const isKept = records.some(({ id }) => id === data.approvalId);
    if (isKept && decisions.get(data.approvalId)?.ended !== data.why)
      yield `${data.approvalId} is over: ${data.why}`;
  }
}

/** What a person says while a call waits is heard once, and a summary has come and keeps their words. */
function* messageProblems({ final }: InboxSurvived): Generator<string> {
  const heard = of(final, "user.message").filter(({ data }) =>
    JSON.stringify(data.message).includes(MESSAGE),
  );
  if (heard.length !== 1) yield `the message was heard ${heard.length} times`;
  const summed = of(final, "compacted");
  if (summed.length === 0) yield "nothing was summed up";
  for (const { data } of summed) {
    if (!data.words.includes("Go. Never touch /srv.")) yield `a summary lost what was said: ${data.words}`;
  }
}
