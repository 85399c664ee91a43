import { isDeepStrictEqual } from "node:util";
import type { SessionEvent } from "@castellan/sdk";
import { encodeState, fold } from "../../packages/sdk/src/sessions/index.ts";
import { refusals } from "../kit/wire-check.ts";
import type { Kill, Point } from "./points.ts";
import type { Survived } from "./survive.ts";

type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

export const of = <T extends SessionEvent["type"]>(events: readonly SessionEvent[], type: T): Of<T>[] =>
  events.filter((event): event is Of<T> => event.type === type);

/** What is wrong with a session that went on after kills; empty where it lost nothing and did nothing twice. */
export async function problemsOf(survived: Survived, kill?: Kill): Promise<readonly string[]> {
  const kills = kill === undefined ? 0 : kill.again === undefined ? 1 : 2;
  return [
    ...(kill === undefined ? [] : placeProblems(survived, kill.point)),
    ...endProblems(survived, kills),
    ...orphanProblems(survived, kill?.point),
    ...logProblems(survived),
    ...callProblems(survived),
    ...effectProblems(survived),
    ...(await requestProblems(survived)),
  ];
}

/** The calls whose outcome nobody knows. */
export function unknownCalls({ final }: Survived): readonly string[] {
  return of(final, "tool.finished").flatMap(({ data }) => (data.outcome === "unknown" ? [data.callId] : []));
}

/** The process was killed where it was meant to be: the log that it left ends there. */
export function* placeProblems(
  { left: [log], told: [first] }: Pick<Survived, "left" | "told">,
  point: Point,
): Generator<string> {
  const stored = log?.length ?? 0;
  const acknowledged = first?.written.length ?? 0;
  const isWhole =
    (point.kind === "torn" && point.cut === "all") ||
    (point.kind === "transaction" && point.stage === "behind the commit");
  if (point.kind === "written" && stored !== point.event) yield `the log ends at ${stored}`;
  if (point.kind === "recorded" && stored >= point.event) yield `the log holds event ${stored} already`;
  if (point.kind === "torn" || point.kind === "transaction") {
    if (isWhole ? stored <= acknowledged : stored !== acknowledged) {
      yield `the log ends at ${stored}, and ${acknowledged} were acknowledged`;
    }
  }
}

/** No process is left of which the log could know: those of the background, which record themselves. */
function* orphanProblems({ orphans, final }: Survived, point: Point | undefined): Generator<string> {
  // A command of the foreground belongs to nobody once its process was killed.
  const most = point?.kind === "running" ? 1 : 0;
  if (orphans.length > most) yield `processes still run: ${orphans.join(", ")}`;
  const begun = of(final, "task.started").map(({ data }) => data.pid);
  const known = orphans.filter((pid) => begun.includes(pid));
  if (known.length > 0) yield `the log knows processes that still run: ${known}`;
}

export function* endProblems(
  { told, final }: Pick<Survived, "told" | "final">,
  kills: number,
): Generator<string> {
  if (told.filter(({ wasKilled }) => wasKilled).length !== kills) yield "the point was not reached";
  for (const { stderr } of told) if (stderr !== "") yield `said: ${stderr}`;
  const results = told.at(-1)?.results ?? [];
  if (results.length !== 1 || results[0]?.subtype !== "success")
    yield `ended with ${JSON.stringify(results)}`;
  if (final.at(-1)?.type !== "result" && final.at(-1)?.type !== "task.finished") {
    yield `the log ends with ${final.at(-1)?.type}`;
  }
  const ended = of(final, "task.finished").map(({ data }) => data.taskId);
  const begun = of(final, "task.started").map(({ data }) => data.taskId);
  if (!isDeepStrictEqual([...ended].sort(), [...begun].sort())) {
    yield `background commands ${begun} have the ends ${ended}`;
  }
}

/** Nothing that was acknowledged is lost or changed, and the log adds up wherever it is taken apart. */
export function* logProblems({
  left,
  written,
  final,
}: Pick<Survived, "left" | "written" | "final">): Generator<string> {
  for (const event of [...written, ...left.flat()]) {
    const there = final[event.seq - 1];
    if (!isDeepStrictEqual(there, event))
      yield `event ${event.seq} (${event.type}) was written and is not there`;
  }
  if (final.some(({ seq }, i) => seq !== i + 1)) yield "the numbers of the events have a gap";
  if (new Set(final.map(({ id }) => id)).size !== final.length) yield "two events have one id";
  const whole = encodeState(fold(final));
  for (const { length } of left) {
    const parts = fold(final.slice(length), fold(final.slice(0, length)));
    if (encodeState(parts) !== whole) yield `the fold over event ${length} is another one`;
  }
}

/** One result a call, none begun twice that may not be, and none unknown that need not be. */
function* callProblems({ left, final }: Survived): Generator<string> {
  const called = of(final, "model.completed").flatMap(({ data }) =>
    data.message.parts.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])),
  );
  const finished = of(final, "tool.finished");
  if (new Set(called).size !== called.length) yield `calls are there twice: ${called}`;
  const results = finished.map(({ data }) => data.callId);
  if (!isDeepStrictEqual([...results].sort(), [...called].sort()))
    yield `calls ${called} have results ${results}`;
  const starts = of(final, "tool.started").filter(({ data }) => !data.repeatable);
  if (new Set(starts.map(({ data }) => data.callId)).size !== starts.length) {
    yield "a call that may not be repeated was started twice";
  }
  const open = new Set(left.flatMap(openCalls));
  for (const { data } of finished) {
    if (data.outcome === "finished") continue;
    if (data.outcome !== "unknown")
      yield `${data.callId} (${data.name}) ${data.outcome}: ${JSON.stringify(data.content)}`;
    else if (!open.has(data.callId)) yield `the outcome of ${data.callId} is known`;
  }
  for (const id of open) {
    if (finished.find(({ data }) => data.callId === id)?.data.outcome !== "unknown")
      yield `${id} had started`;
  }
}

/** Started, without a result, and not repeatable. */
function openCalls(events: readonly SessionEvent[]): readonly string[] {
  const ended = new Set(of(events, "tool.finished").map(({ data }) => data.callId));
  return of(events, "tool.started").flatMap(({ data }) =>
    data.repeatable || ended.has(data.callId) ? [] : [data.callId],
  );
}

/** What tools did, as the files hold it, against what the log says of their calls. */
function* effectProblems({ final, files }: Survived): Generator<string> {
  const outcome = new Map(of(final, "tool.finished").map(({ data }) => [data.callId, data]));
  const counts: [id: string, count: number][] = [];
  const inputs = of(final, "model.completed").flatMap(({ data }) =>
    data.message.parts.flatMap((part) => (part.type === "toolCall" ? [part] : [])),
  );
  for (const { id, name, input } of inputs) {
    const { text, command, new_string } = input as Record<string, string>;
    if (name === "note") counts.push([id, times(files["notes.txt"], `${id} ${text}`)]);
    if (name === "publish") counts.push([id, times(files["published.txt"], `${id} ${text}`)]);
    if (command?.includes("shell.txt &&")) counts.push([id, files["shell.txt"].length]);
    if (name === "Edit" && new_string === "two") counts.push([id, times(files["a.txt"], "two")]);
    if (name === "Edit" && new_string === "green") counts.push([id, times(files["b.txt"], "green")]);
  }
  for (const [id, count] of counts) {
    const known = outcome.get(id)?.outcome === "finished";
    if (known ? count !== 1 : count > 1)
      yield `${id} ${known ? "finished" : "is unknown"} and ran ${count} times`;
  }
  const ran = [...files["notes.txt"], ...files["published.txt"]];
  for (const line of ran) {
    if (times(ran, line) > 1) yield `"${line}" was appended twice`;
    if (!inputs.some(({ id, input }) => line === `${id} ${(input as { text?: string }).text}`)) {
      yield `"${line}" is of no call in the log`;
    }
  }
  for (const line of files["published.txt"]) {
    if (!files["asked.txt"].includes(line)) yield `"${line}" was published without a question`;
  }
}

/** The next request, and the last one, as providers see them. */
export async function requestProblems({
  told,
  final,
}: Pick<Survived, "told" | "final">): Promise<readonly string[]> {
  const requests = told.at(-1)?.requests ?? [];
  if (requests.length === 0) return ["the model was not asked again"];
  const found: string[] = [];
  for (const request of requests) found.push(...(await refusals(request)));
  const answered = final.findLastIndex(({ type }) => type === "model.completed");
  const { messages } = fold(final.slice(0, answered));
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(messages)), requests.at(-1)?.messages)) {
    found.push("the last request is not the history of the log");
  }
  return found;
}

const times = (lines: readonly string[], line: string): number =>
  lines.filter((each) => each === line).length;
