import fc from "fast-check";
import type { EventData, SessionEvent, SessionEventType, ToolCallPart } from "../protocol/index.ts";
import { EVENT_TYPES } from "../protocol/index.ts";

/** For tests: valid logs of any shape, as a loop and a scheduler write them. */
export const randomLog: fc.Arbitrary<SessionEvent[]> = fc
  .array(
    fc.record({
      text: fc.string(),
      interlude: fc.constantFrom("none", "mode", "model", "rules", "todos", "cwd", "file", "unknown"),
      rounds: fc.array(fc.array(callPlan(), { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
      order: fc.infiniteStream(fc.nat(1000)),
      steer: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((turns) => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/work", release: "0.1.0" });
    log.add("session.configured", {
      model: "m",
      mode: "default",
      tools: [],
      rules: [],
      additionalDirectories: [],
    });
    for (const turn of turns) writeTurn(log, turn);
    return log.events;
  });

interface CallPlan {
  readonly deny: boolean;
  readonly repeatable: boolean;
  readonly input: { readonly [key: string]: number };
  readonly context: readonly string[];
}

interface TurnPlan {
  readonly text: string;
  readonly interlude: string;
  readonly rounds: readonly (readonly CallPlan[])[];
  readonly order: { next(): { value: number } };
  readonly steer: boolean;
}

function callPlan(): fc.Arbitrary<CallPlan> {
  return fc.record({
    deny: fc.boolean(),
    repeatable: fc.boolean(),
    input: fc.dictionary(fc.string(), fc.nat()),
    context: fc.array(fc.string(), { maxLength: 2 }),
  });
}

interface LogWriter {
  readonly events: SessionEvent[];
  add<T extends SessionEventType>(type: T, data: EventData<T>): void;
}

/** Numbers events as a session log does. */
export function createWriterOfLogs(): LogWriter {
  const events: SessionEvent[] = [];
  return {
    events,
    add(type, data) {
      const { v, critical } = EVENT_TYPES[type];
      const seq = events.length + 1;
      const event = { v, seq, id: `e${seq}`, ts: seq, type, ...(critical ? { critical } : {}), data };
      events.push(event as unknown as SessionEvent);
    },
  };
}

function writeTurn(log: LogWriter, turn: TurnPlan): void {
  log.add("user.message", { message: { role: "user", parts: [{ type: "text", text: turn.text }] } });
  interlude(log, turn.interlude);
  for (const [at, calls] of turn.rounds.entries()) {
    const parts = calls.map((call, i): ToolCallPart => {
      return { type: "toolCall", id: `c${log.events.length}_${i}`, name: "T", input: call.input };
    });
    answer(log, [{ type: "text", text: "look" }, ...parts], at + 1);
    writeRound(log, turn, calls, parts);
  }
  unqueue(log, turn.text.length % 3);
  answer(log, turn.text === "" ? [] : [{ type: "text", text: turn.text }], turn.rounds.length + 1);
  log.add("result", {
    subtype: "success",
    turns: turn.rounds.length + 1,
    durationMs: 1,
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    modelUsage: {},
    costUsd: 0,
    denials: [],
    terminalReason: "completed",
  });
}

/** What waits is heard, dropped, or waits on. */
function unqueue(log: LogWriter, how: number): void {
  const queued = log.events.flatMap((event) => (event.type === "message.queued" ? [event.data] : []));
  for (const { message } of queued) {
    if (how === 0) log.add("user.message", { message });
    if (how === 1) log.add("message.dropped", { uuid: message.uuid, why: "cancelled" });
  }
}

function answer(log: LogWriter, parts: EventData<"model.completed">["message"]["parts"], turn: number): void {
  const missed = turn % 3 === 2 ? { missed: { count: turn, answer: `m${log.events.length}` } } : {};
  log.add("model.requested", { model: "m", turn, messages: 1, ...missed });
  log.add("model.completed", {
    model: "m",
    message: { role: "assistant", id: `m${log.events.length}`, parts },
    usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0 },
    stopReason: "end_turn",
    durationMs: 1,
  });
}

/** Every call goes through its steps in order; the steps of the calls mix as `order` says. */
function writeRound(
  log: LogWriter,
  turn: TurnPlan,
  calls: readonly CallPlan[],
  parts: readonly ToolCallPart[],
): void {
  const lines = calls.map((call, i) => steps(log, call, parts[i] as ToolCallPart));
  let steered = !turn.steer;
  for (let open = lines; open.length > 0; open = open.filter((line) => line.length > 0)) {
    const line = open[turn.order.next().value % open.length];
    line?.shift()?.();
    if (steered) continue;
    steered = true;
    const parts = [{ type: "text", text: "also this" }] as const;
    const message = { role: "user", parts, uuid: `q${log.events.length}` } as const;
    log.add("message.queued", { message, priority: "later" });
    log.add("user.message", { message: { role: "user", parts }, synthetic: true });
  }
}

function steps(log: LogWriter, call: CallPlan, { id: callId, name }: ToolCallPart): (() => void)[] {
  const behavior = call.deny ? "deny" : "allow";
  const reason = { type: "mode", mode: "default" } as const;
  const decide = () => log.add("tool.decided", { callId, name, behavior, message: behavior, reason });
  const start = () => log.add("tool.started", { callId, name, repeatable: call.repeatable });
  const finish = () =>
    log.add("tool.finished", {
      callId,
      name,
      outcome: call.deny ? "denied" : "finished",
      content: [{ type: "text", text: callId }],
      isError: call.deny,
      context: call.context,
    });
  return call.deny ? [decide, finish] : [decide, start, finish];
}

function interlude(log: LogWriter, kind: string): void {
  if (kind === "mode") log.add("mode.changed", { mode: "plan", prePlanMode: "acceptEdits", by: "test" });
  if (kind === "model") log.add("model.changed", { model: `m${log.events.length}`, by: "test" });
  if (kind === "rules")
    log.add("rules.changed", { rules: [], additionalDirectories: [["/x", "session"]], by: "test" });
  if (kind === "todos") log.add("todos.changed", { todos: [] });
  if (kind === "cwd") log.add("cwd.changed", { cwd: `/work/${log.events.length}` });
  if (kind === "file") log.add("file.seen", { path: `/f${log.events.length}`, digest: "d", partial: false });
  if (kind === "unknown") log.add("hook.ran", { event: "PreToolUse", outcome: "allow", durationMs: 1 });
}
