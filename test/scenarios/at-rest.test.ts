import { createHost, type HostOptions, type Options, type SDKUserMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { countedClock } from "../kit/counted-clock.ts";
import { gate, live, said } from "../kit/live.ts";
import { refusals } from "../kit/wire-check.ts";

/** A session with two rounds behind it that waits for a person, for as long as the test says. */
function asked(more: HostOptions = {}) {
  const store = memoryStore();
  let reads = 0;
  const counting = {
    ...store,
    read: (...given: Parameters<typeof store.read>) => {
      reads += 1;
      return store.read(...given);
    },
  };
  const { clock } = countedClock();
  const host = createHost({ store: counting, platform: { clock }, ...more });
  const [question, next] = [gate(), gate()];
  const model = scriptedModel([
    { text: "first", toolCalls: [{ name: "Nope" }] },
    { text: "second", toolCalls: [{ name: "Bash", input: { command: "touch made" } }] },
    "third",
    "fourth",
  ]);
  const canUseTool: Options["canUseTool"] = () => question.wait().then(() => ({ behavior: "allow" }));
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield said("go");
    await next.wait();
    yield said("and then?");
  }
  const session = live(prompts(), { model, canUseTool }, host);
  const id = () => session.messages[0]?.session_id ?? "";
  const stored = async () => (await store.read(id())).map(({ type }) => type);
  /** Resolves once all is written although nobody has answered. */
  async function rested(): Promise<void> {
    await question.reached;
    while (!(await stored()).includes("model.completed"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { session, model, question, next, rested, reads: () => reads };
}

/** Roles and texts of a request's messages. */
const history = (model: ReturnType<typeof scriptedModel>, at: number) =>
  (model.requests[at]?.messages ?? []).map(({ role, parts }) => [
    role,
    parts.map((part) => (part.type === "text" ? part.text : part.type)).join("+"),
  ]);

const WHOLE = [
  ["user", "go"],
  ["assistant", "first+toolCall"],
  ["tool", "toolResult"],
  ["assistant", "second+toolCall"],
  ["tool", "toolResult"],
];

describe("a session whose question waits for long", () => {
  it("is written, lets go of its history, and has all of it again when the answer comes", async () => {
    const { session, model, question, next, rested, reads } = asked();
    await rested();
    expect(reads()).toBe(0);
    question.open();
    next.open();
    await session.ended;
    assertComplete(session.messages);
    expect(reads()).toBe(1);
    expect(history(model, 2)).toEqual(WHOLE);
    expect(history(model, 3)).toEqual([...WHOLE, ["assistant", "third"], ["user", "and then?"]]);
    for (const request of model.requests) expect(await refusals(request)).toEqual([]);
    expect(session.results().map(({ result }) => result)).toEqual(["third", "fourth"]);
  });

  it("also when it is interrupted instead", async () => {
    const { session, model, next, rested } = asked();
    await rested();
    await session.query.interrupt();
    next.open();
    await session.ended;
    assertComplete(session.messages);
    expect(history(model, 2)).toEqual([...WHOLE, ["user", "and then?"]]);
    expect(session.results().map(({ terminal_reason }) => terminal_reason)).toEqual([
      "interrupted",
      "completed",
    ]);
  });

  it("keeps what no log holds: where events are redacted, the history stays", async () => {
    const redact: HostOptions["redact"] = (event) =>
      JSON.parse(JSON.stringify(event).replaceAll("first", "(gone)")) as typeof event;
    const { session, model, question, next, rested, reads } = asked({ redact });
    await rested();
    question.open();
    next.open();
    await session.ended;
    expect(reads()).toBe(0);
    expect(history(model, 2)).toEqual(WHOLE);
  });

  it("one that is answered soon is neither written nor read again", async () => {
    const { session, question, next, reads } = asked();
    await question.reached;
    question.open();
    next.open();
    await session.ended;
    expect(reads()).toBe(0);
  });
});
