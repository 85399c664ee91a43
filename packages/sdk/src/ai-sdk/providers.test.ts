import { afterEach, describe, expect, it } from "vitest";
import { type Fault, type Loopback, startLoopback } from "../../../../test/loopback/index.ts";
import { readFailure } from "../model/index.ts";
import { ask, PIXEL, request, results, TOOL, user } from "../model/wire/test-kit.ts";
import { fromAiSdk } from "./index.ts";
import { KINDS, outcome, sdkModel } from "./test-kit.ts";

const running: Loopback[] = [];
async function loopback(turns: Parameters<typeof startLoopback>[0]["turns"]): Promise<Loopback> {
  const server = await startLoopback({ turns });
  running.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const TURN = { text: ["One ", "two ", "three."] };
const picture = { type: "file", mediaType: "image/png", ref: { kind: "data", base64: PIXEL } } as const;
/** What the event of the loopback that nobody knows is called. The package for Responses passes over it by itself. */
const UNKNOWN = {
  anthropic: "message_mood",
  chat: "chat.completion.mood",
  responses: undefined,
  compatible: "chat.completion.mood",
} as const;

describe.each(KINDS)("the package for %s", (kind) => {
  it("carries text, usage and the end", async () => {
    const server = await loopback([{ ...TURN, usage: { input: 70, output: 5, cacheRead: 30 } }]);
    const done = await ask(fromAiSdk(sdkModel(kind, server)), request([user("Hi", picture)]));
    expect(done.message.parts).toMatchObject([{ type: "text", text: "One two three." }]);
    expect(done.stopReason).toBe("end_turn");
    expect(done.usage).toMatchObject({ inputTokens: 70, outputTokens: 5, cacheReadTokens: 30 });
    expect(server.requests[0]?.refused).toBeUndefined();
    expect(JSON.stringify(server.requests[0]?.body)).toContain(PIXEL);
  });

  it("carries tool calls, and shows an image of a result as an image", async () => {
    const call = { name: "Read", input: { path: "a.png" } };
    const server = await loopback([{ text: "Looking.", toolCalls: [call, call] }, "Seen."]);
    const model = fromAiSdk(sdkModel(kind, server));
    const first = await ask(model, request([user("Hi")], { tools: [TOOL], builtinTools: 1 }));
    expect(first.stopReason).toBe("tool_use");
    expect(first.message.parts).toMatchObject([
      { type: "text", text: "Looking." },
      { type: "toolCall", name: "Read", input: { path: "a.png" } },
      { type: "toolCall", name: "Read", input: { path: "a.png" } },
    ]);
    const history = [
      user("Hi"),
      first.message,
      results(first.message, [{ type: "text", text: "it:" }, picture]),
    ];
    const second = await ask(model, request(history, { tools: [TOOL], builtinTools: 1 }));
    expect(second.message.parts).toMatchObject([{ type: "text", text: "Seen." }]);
    const { body } = server.requests[1] ?? {};
    const sent = JSON.stringify(body);
    expect(sent).toContain("it:");
    // As text the picture would stand in a JSON text inside the JSON, with its quotes escaped.
    expect(sent).toContain(`${PIXEL}"`);
    expect(sent).not.toContain(`${PIXEL}\\"`);
    const images = {
      anthropic: /"type":"image"/,
      chat: /image_url/,
      responses: /input_image/,
      compatible: /image_url/,
    };
    expect(sent).toMatch(images[kind]);
  });

  it("is given no half characters and no empty turn, which a provider refuses", async () => {
    const server = await loopback(["ok", "ok"]);
    const model = fromAiSdk(sdkModel(kind, server));
    const half = "cut \ud83d here";
    const tools = [{ ...TOOL, description: half }];
    await ask(model, request([user(half)], { system: [half], tools, builtinTools: 1, tail: [half] }));
    await ask(model, request([user(" ")]));
    const [first, second] = server.requests;
    expect([first?.refused, second?.refused]).toEqual([undefined, undefined]);
    expect((first?.raw.toString() ?? "").split("cut \ufffd here").length - 1).toBe(4);
    expect(second?.raw.toString()).toContain("(empty message)");
  });

  it("tells a failed call as one", async () => {
    const server = await loopback([{ toolCalls: [{ name: "Read" }] }, "Oh."]);
    const model = fromAiSdk(sdkModel(kind, server));
    const first = await ask(model, request([user("Hi")], { tools: [TOOL] }));
    await ask(
      model,
      request([user("Hi"), first.message, results(first.message, "no such file", true)], { tools: [TOOL] }),
    );
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toMatch(kind === "anthropic" ? /"is_error":true/ : /Error: no such file/);
  });

  it.each<[string, Fault, object]>([
    [
      "429",
      { kind: "status", status: 429, headers: { "retry-after": "7" } },
      { status: 429, retryable: true, retryAfterMs: 7000 },
    ],
    ["529", { kind: "status", status: 529 }, { status: 529, retryable: true }],
    ["400", { kind: "status", status: 400 }, { status: 400, retryable: false }],
    ["401", { kind: "status", status: 401 }, { kind: "auth", retryable: false }],
    ["a reset before the answer", { kind: "reset", afterEvents: 0 }, { kind: "network", retryable: true }],
    ["a reset in the answer", { kind: "reset", afterEvents: 4 }, { kind: "truncated", retryable: true }],
    ["an end before the finish", { kind: "end", afterEvents: 5 }, { kind: "truncated", retryable: true }],
    ["an empty body", { kind: "emptyBody" }, { retryable: true }],
    ["an event that is no JSON", { kind: "badEvent", afterEvents: 3 }, { kind: "bad_body", retryable: true }],
    ["an error event", { kind: "errorEvent", afterEvents: 4 }, { kind: "stream_error", retryable: true }],
    [
      "an overload in the answer",
      { kind: "errorEvent", afterEvents: 4, type: "overloaded_error" },
      { kind: "stream_error", status: 529, retryable: true },
    ],
    [
      "an error event that is our fault",
      { kind: "errorEvent", afterEvents: 4, type: "invalid_request_error" },
      { status: 400, retryable: false },
    ],
  ])("tells what went wrong: %s", async (_, fault, expected) => {
    const server = await loopback([{ text: ["One ", "two ", "three ", "four."], fault }, "again"]);
    const got = await outcome(fromAiSdk(sdkModel(kind, server)), request([user("Hi")]));
    expect(got.parts.some((part) => part.type === "finish")).toBe(false);
    expect(readFailure(got.error)).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  it("passes over an event that it does not know, and says so where it is told of it", async () => {
    const server = await loopback([{ ...TURN, fault: { kind: "unknownEvent", afterEvents: 3 } }]);
    const lines: string[] = [];
    const model = fromAiSdk(sdkModel(kind, server), { warn: (line) => lines.push(line) });
    const got = await outcome(model, request([user("Hi")]));
    expect(got).toMatchObject({ text: "One two three.", error: undefined });
    expect(got.parts.at(-1)).toMatchObject({ type: "finish", stopReason: "end_turn" });
    const name = UNKNOWN[kind];
    expect(lines).toEqual(
      name === undefined ? [] : [`${model.id}: An event "${name}" that is not known was passed over.`],
    );
  });

  it("stops at once when it is aborted in mid-stream", async () => {
    const server = await loopback([{ ...TURN, fault: { kind: "stall", afterEvents: 4 } }]);
    const controller = new AbortController();
    const ending = outcome(fromAiSdk(sdkModel(kind, server)), request([user("Hi")]), controller.signal);
    while (server.requests.length === 0) await new Promise((next) => setTimeout(next, 5));
    controller.abort();
    expect((await ending).error).toMatchObject({ code: "aborted" });
    while (server.counts.abandoned === 0) await new Promise((next) => setTimeout(next, 5));
  });
});

describe("thoughts", () => {
  it.each(["anthropic", "responses"] as const)(
    "go back to the model they came from, and to no other: %s",
    async (kind) => {
      const server = await loopback([{ thinking: "Hm.", toolCalls: [{ name: "Read" }] }, "Done.", "Other."]);
      const model = fromAiSdk(sdkModel(kind, server));
      const asked = { tools: [TOOL], thinking: { type: "enabled", budgetTokens: 1024 } } as const;
      const first = await ask(model, request([user("Hi")], asked));
      expect(first.message.parts[0]).toMatchObject({
        type: "reasoning",
        meta: { [model.provider]: { metadata: {} } },
      });
      const history = [user("Hi"), first.message, results(first.message, "ok")];
      await ask(model, request(history, asked));
      const sent = JSON.stringify(server.requests[1]?.body);
      expect(sent).toMatch(kind === "anthropic" ? /"type":"thinking".*"signature"/ : /"type":"reasoning"/);
      const other = fromAiSdk(sdkModel("chat", server));
      await ask(other, request(history, { tools: [TOOL] }));
      expect(JSON.stringify(server.requests[2]?.body)).not.toMatch(/signature|encrypted/);
    },
  );
});
