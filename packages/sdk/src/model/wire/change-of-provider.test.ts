import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "../../protocol/index.ts";
import { ask, closeAll, loopback, modelAt, NAMES, request, results, TOOL, user } from "./test-kit.ts";

afterEach(closeAll);

const NAMES_IN_TURN = [
  NAMES.anthropic,
  NAMES.responses,
  "anthropic/claude-sonnet-4-5",
  NAMES.chat,
  "openai-responses/gpt-5",
  NAMES.anthropic,
  NAMES.chat,
  NAMES.responses,
];
const thinking = {
  thinking: { type: "enabled", budgetTokens: 2048 },
  tools: [TOOL],
  builtinTools: 1,
} as const;

describe("a session that changes its model in the middle", () => {
  it("stays valid, also inside a round, and takes thoughts only to the model that had them", async () => {
    const server = await loopback(({ index }) => ({
      thinking: `Thought of turn ${index}.`,
      ...(index % 3 === 2 ? { hidden: `hidden ${index}` } : {}),
      toolCalls: [{ name: "Read", input: { n: index } }],
    }));
    const messages: Message[] = [user("Begin")];
    for (const name of NAMES_IN_TURN) {
      const model = await modelAt(server, name);
      for (let i = 0; i < 2; i++) {
        const { message } = await ask(model, request(messages, thinking));
        messages.push(message, results(message, "x"));
      }
    }
    expect(server.requests.map((asked) => asked.refused)).toEqual(server.requests.map(() => undefined));
    const thoughts = server.requests.map((asked) => {
      const sent = asked.raw.toString();
      return [...sent.matchAll(/Thought of turn (\d+)/g)].map(([, turn]) => Number(turn));
    });
    // Request n of a model holds what this model thought before, and nothing else.
    const owner = (turn: number): string => NAMES_IN_TURN[Math.floor(turn / 2)] ?? "";
    for (const [turn, told] of thoughts.entries()) {
      const own = Array.from({ length: turn }, (_, i) => i).filter((before) => owner(before) === owner(turn));
      expect(told).toEqual(own);
    }
  });

  it("sends what another server of the same format made to nobody else", async () => {
    const turns = [{ thinking: "Mine.", toolCalls: [{ name: "Read" }] }, "ok"];
    const [one, other] = [await loopback(turns), await loopback(["ok"])];
    for (const name of [NAMES.anthropic, NAMES.chat, NAMES.responses]) {
      const here = await modelAt(one, name);
      expect(here.provider).toContain(new URL(one.url).host);
      expect((await modelAt(other, name)).provider).not.toBe(here.provider);
    }
    const { message } = await ask(await modelAt(one, NAMES.anthropic), request([user("x")], thinking));
    await ask(
      await modelAt(other, NAMES.anthropic),
      request([user("x"), message, results(message, "r")], thinking),
    );
    expect(other.requests[0]?.raw.toString()).not.toContain("Mine.");
  });

  it("stays valid where a server gave every call the same id", async () => {
    const call = { toolCalls: [{ name: "Read", id: "call_0" }] };
    const server = await loopback([call, call, "ok"]);
    const messages: Message[] = [user("x")];
    for (const name of [NAMES.chat, NAMES.chat, NAMES.anthropic]) {
      const { message } = await ask(await modelAt(server, name), request(messages));
      messages.push(message, results(message, "r"));
    }
    expect(server.requests.map(({ refused }) => refused)).toEqual([undefined, undefined, undefined]);
    expect(messages[1]?.parts).toMatchObject([{ type: "toolCall", id: "call_0" }]);
  });

  it("drops thoughts without a signature", async () => {
    const server = await loopback(["ok"]);
    const model = await modelAt(server, NAMES.anthropic);
    const reasoning = [
      { type: "reasoning", text: "unsigned" },
      { type: "reasoning", text: "no model", meta: { [model.provider]: { signature: "s" } } },
      { type: "reasoning", text: "strange", meta: { [model.provider]: "text" } },
    ] as const;
    const answer = {
      role: "assistant",
      id: "m",
      parts: [...reasoning, { type: "text", text: "said" }],
    } as const;
    await ask(model, request([user("x"), answer, user("y")]));
    expect(server.requests[0]?.body.messages[1]).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "said" }],
    });
  });
});
