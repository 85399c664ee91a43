import { existsSync } from "node:fs";
import { join } from "node:path";
import { type EventStore, type HostOptions, type LanguageModel, type Options, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { type ScriptedModel, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { gate, type Live, silence, watchedStore } from "./live.ts";
import { scratch } from "./session.ts";

/** One edge of a session's life, on which it is stopped. */
export interface Edge {
  readonly options: Options;
  readonly host?: HostOptions;
  readonly store?: EventStore;
  /** The model that keeps its requests. */
  readonly model?: ScriptedModel;
  /** Resolves when the edge is reached. */
  there(session: Live): Promise<unknown>;
  /** Lets go of what held the session there; called right behind the act. */
  release?(): void;
  /** Files that no call may have made. */
  readonly markers?: readonly string[];
  /** Nothing is read before the act. */
  readonly isUnread?: boolean;
  /** The first turn's end was known already: nothing stops it. */
  readonly isWhole?: boolean;
  /** What runs says "block" and has no end: a message of priority `now` waits for it until somebody stops it. */
  readonly isBlocked?: boolean;
}

const AGAIN = ["again", "again", "again"] as const;

/** A model whose later answers are all the same. */
function script(...turns: readonly ScriptStep[]): ScriptedModel {
  return scriptedModel([...turns, ...AGAIN]);
}

const bash = (command: string) => ({ name: "Bash", input: { command } });

/** Three commands that leave marks, none of which may be seen. */
function marked(more: (cwd: string, model: ScriptedModel) => Omit<Edge, "markers" | "model">): Edge {
  const cwd = scratch();
  const names = ["one", "two", "three"];
  const model = script({ toolCalls: names.map((name) => bash(`touch ${name}`)) });
  return { ...more(cwd, model), model, markers: names.map((name) => join(cwd, name)) };
}

/** The session's store holds a batch back that has an event of this type. */
function heldWrite(type: string, isWhole: boolean): Edge {
  const door = gate();
  const store = watchedStore(async (batch) => {
    if (batch.events.some((event) => event.type === type)) await door.wait();
  }, memoryStore());
  const cwd = scratch();
  const model = script(isWhole ? "one" : { toolCalls: [bash("touch one"), bash("touch two")] });
  return {
    options: { model, cwd, allowedTools: ["Bash"] },
    store,
    model,
    there: () => door.reached,
    release: door.open,
    markers: [join(cwd, "one"), join(cwd, "two")],
    isWhole,
  };
}

async function file(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
}

const low = { riskLevel: "low", version: "1.0.0" } as const;
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** A hook that never answers, on a session that calls three commands. */
function hangingHook(event: "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "Stop"): Edge {
  const door = gate();
  let asked = 0;
  const hook = () => {
    asked += 1;
    return asked === 1 ? door.wait().then(silence) : {};
  };
  const hooks: Options["hooks"] = { [event]: [{ hooks: [hook] }] };
  const there = () => door.reached;
  if (event === "PreToolUse") {
    return marked((cwd, model) => ({ options: { model, cwd, hooks, allowedTools: ["Bash"] }, there }));
  }
  const quick = tool("quick", "Is quick.", {}, () => text("ok"), low);
  const calls = [{ name: "quick" }, { name: "quick" }];
  const model = event === "PostToolUse" ? script({ toolCalls: calls }) : script("one");
  return { options: { model, hooks, tools: [quick], allowedTools: ["quick"] }, model, there };
}

export const EDGES: readonly (readonly [string, () => Edge])[] = [
  ["before init", () => ({ ...plain(), there: async () => {} })],
  ["hooks of the prompt wait", () => hangingHook("UserPromptSubmit")],
  [
    "the model has not answered",
    () => {
      const door = gate();
      const model = script(() => door.wait().then(() => "late"));
      return { options: { model }, model, there: () => door.reached };
    },
  ],
  ["the answer streams", () => ({ ...streaming(false), there: (session) => session.until(isDelta) })],
  ["the model is held for its reader, deltas joined", () => streaming(true)],
  [
    "a try of the model is waited for",
    () => {
      const failure = { status: 529, retryAfterMs: 30_000 };
      const model = script({ error: "busy", failure });
      const there = (session: Live) =>
        session.until((message) => message.type === "system" && message.subtype === "api_retry");
      return { options: { model }, model, there };
    },
  ],
  ["the tool looks at its input", () => asksItself("validateInput")],
  ["the tool's own check waits", () => asksItself("checkPermissions")],
  ["a PreToolUse hook waits", () => hangingHook("PreToolUse")],
  [
    "canUseTool waits",
    () => {
      const door = gate();
      const canUseTool: Options["canUseTool"] = () => door.wait().then(silence);
      return marked((cwd, model) => ({ options: { model, cwd, canUseTool }, there: () => door.reached }));
    },
  ],
  ["the start of a call is written", () => heldWrite("tool.started", false)],
  ["a tool runs that ignores its signal", () => running(() => silence())],
  [
    "a tool runs that heeds its signal",
    () => running((signal) => fired(signal).then(() => text("half of it"))),
  ],
  ["calls run beside each other", () => running((signal) => fired(signal).then(() => text("half")), true)],
  [
    "a command runs",
    () => {
      const cwd = scratch();
      const calls = [bash("touch begun; sleep 60; touch one"), bash("touch two")];
      const model = script({ toolCalls: calls });
      const markers = [join(cwd, "one"), join(cwd, "two")];
      const options = { model, cwd, allowedTools: ["Bash"] };
      return { options, model, there: () => file(join(cwd, "begun")), markers };
    },
  ],
  [
    "a handler's own call runs",
    () => {
      const cwd = scratch();
      const outer = tool(
        ...(["outer", "Calls a command.", {}] as const),
        (_, context) =>
          context.callTool("Bash", { command: "touch begun; sleep 60; touch one" }).then(() => text("done")),
        low,
      );
      const model = script({ toolCalls: [{ name: "outer" }, { name: "outer" }] });
      const options: Options = { model, cwd, tools: [outer, "Bash"], allowedTools: ["Bash", "outer"] };
      const there = () => file(join(cwd, "begun"));
      return { options, model, there, markers: [join(cwd, "one")], isBlocked: true };
    },
  ],
  [
    "a handler's own call hangs",
    () => {
      const door = gate();
      const inner = tool("inner", "Hangs.", {}, () => door.wait().then(silence), {
        ...low,
        timeoutMs: 600_000,
      });
      const outer = tool(
        "outer",
        "Calls.",
        {},
        (_, context) => context.callTool("inner", {}).then(() => text("x")),
        low,
      );
      const model = script({ toolCalls: [{ name: "outer" }] });
      const options = { model, tools: [outer, inner], allowedTools: ["outer", "inner"] };
      return { options, model, there: () => door.reached, isBlocked: true };
    },
  ],
  ["a PostToolUse hook waits", () => hangingHook("PostToolUse")],
  [
    "a long result is stored",
    () => {
      const door = gate();
      const artifacts = {
        put: () => door.wait().then(silence),
        get: async () => undefined,
        delete: async () => false,
        list: async () => [],
      };
      const long = tool("long", "Says much.", {}, () => text("x".repeat(600_000)), low);
      const model = script({ toolCalls: [{ name: "long" }, { name: "long" }] });
      const options = { model, tools: [long], allowedTools: ["long"] };
      return { options, host: { artifacts }, model, there: () => door.reached, isBlocked: true };
    },
  ],
  ["a Stop hook waits", () => hangingHook("Stop")],
  ["the result is written", () => heldWrite("result", true)],
  [
    "between turns",
    () => {
      const there = (session: Live) => session.until((message) => message.type === "result");
      return { ...plain(), there, isWhole: true };
    },
  ],
];

function plain(): Pick<Edge, "options" | "model"> {
  const model = script("one");
  return { options: { model }, model };
}

const isDelta = (message: Live["messages"][number]): boolean =>
  message.type === "stream_event" && message.event.type === "content_block_delta";

/** An answer without an end; `isFast` fills the queue of a reader that does not read. */
function streaming(isFast: boolean): Edge {
  let given = 0;
  const later = script();
  let first = true;
  const model: LanguageModel = {
    id: "streaming",
    provider: "test",
    async *stream(request, options) {
      if (!first) {
        yield* later.stream(request, options);
        return;
      }
      first = false;
      for (; isFast; given += 1) yield { type: given % 3 === 0 ? "reasoning" : "text", delta: `${given} ` };
      yield { type: "text", delta: "half a sentence" };
      await silence();
    },
  };
  async function there(): Promise<void> {
    for (let before = -1; before !== given || given === 0; ) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
  return { options: { model, includePartialMessages: true }, model: later, there, isUnread: isFast };
}

/** A tool that is asked about its input and never answers. */
function asksItself(what: "validateInput" | "checkPermissions"): Edge {
  const door = gate();
  const ask = () => door.wait().then(silence);
  const runs = () => {
    throw new Error("It must not run.");
  };
  const own = tool({
    ...{ name: "own", version: "1.0.0", description: "Asks.", inputSchema: {}, riskLevel: "low" },
    ...{ [what]: ask, execute: runs },
  });
  const model = script({ toolCalls: [{ name: "own" }, { name: "own" }] });
  return { options: { model, tools: [own], allowedTools: ["own"] }, model, there: () => door.reached };
}

const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Three calls of one tool; alone the first is the only one to begin, beside each other all do. */
function running(call: (signal: AbortSignal) => Promise<never> | Promise<object>, beside = false): Edge {
  const door = gate();
  let begun = 0;
  const wait = tool(
    ...(["wait", "Waits.", {}] as const),
    (_, { signal }) => {
      begun += 1;
      if (begun === (beside ? 3 : 1)) void door.wait();
      return call(signal) as Promise<ReturnType<typeof text>>;
    },
    { ...low, annotations: { readOnlyHint: beside } },
  );
  const model = script({ toolCalls: [{ name: "wait" }, { name: "wait" }, { name: "wait" }] });
  const options = { model, tools: [wait], allowedTools: ["wait"] };
  return { options, model, there: () => door.reached, isBlocked: true };
}
