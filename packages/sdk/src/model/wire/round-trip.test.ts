import { afterEach, describe, expect, it } from "vitest";
import type { ProviderMeta } from "../../protocol/index.ts";
import {
  ask,
  closeAll,
  FORMATS,
  loopback,
  modelAt,
  NAMES,
  PIXEL,
  request,
  results,
  TOOL,
  user,
} from "./test-kit.ts";

afterEach(closeAll);

const image = { type: "file", mediaType: "image/png", ref: { kind: "data", base64: PIXEL } } as const;

describe.each(FORMATS)("the format %s", (format) => {
  const thinking = {
    thinking: { type: "enabled", budgetTokens: 2048 },
    tools: [TOOL],
    builtinTools: 1,
  } as const;

  it("streams text, with usage and the reason of its end", async () => {
    const usage = { input: 11, output: 7, cacheRead: 5 };
    const server = await loopback([{ text: "Grüße, 世界 🎉 aus\n\n`code`", usage }]);
    const { message, ...rest } = await ask(await modelAt(server, NAMES[format]), request([user("Hi")]));
    expect(message.parts).toEqual([{ type: "text", text: "Grüße, 世界 🎉 aus\n\n`code`" }]);
    expect(rest).toEqual({
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, cacheWriteTokens: 0 },
      stopReason: "end_turn",
    });
    expect(server.requests[0]).toMatchObject({ format });
    expect(server.requests[0]?.refused).toBeUndefined();
  });

  it("takes thoughts, calls and results there and back, over three rounds", async () => {
    const calls = [
      { name: "Read", input: { path: "ä.txt", deep: { list: [1, null] } } },
      { name: "Read", input: {} },
    ];
    const server = await loopback([
      { thinking: "Let me look.", text: "I read.", toolCalls: calls },
      { thinking: "Once more.", toolCalls: calls.slice(1) },
      { text: "Done." },
    ]);
    const model = await modelAt(server, NAMES[format]);
    const first = await ask(model, request([user("Go")], thinking));
    expect(first.stopReason).toBe("tool_use");
    expect(first.message.parts.map((part) => part.type)).toEqual([
      "reasoning",
      "text",
      "toolCall",
      "toolCall",
    ]);
    expect(first.message.parts).toMatchObject([
      { text: "Let me look." },
      { text: "I read." },
      { name: "Read", input: { path: "ä.txt", deep: { list: [1, null] } } },
      { input: {} },
    ]);
    const history = [user("Go"), first.message, results(first.message, "found")];
    const second = await ask(model, request(history, thinking));
    const answer = results(second.message, "no such file", true);
    const third = await ask(model, request([...history, second.message, answer], thinking));
    expect(third.message.parts).toEqual([{ type: "text", text: "Done." }]);
    const sent = server.requests[2]?.raw.toString() ?? "";
    expect(sent).toContain("no such file");
    expect(sent).toContain("found");
    // Thoughts went back: signed, sealed, or in the field that they came in.
    const mark = {
      anthropic: '"signature":"sig-',
      chat: '"reasoning_content":',
      responses: '"encrypted_content":"enc-',
    };
    expect(sent.split(mark[format]).length - 1).toBe(2);
  });

  it("gives back thoughts that only the provider can read", async () => {
    const server = await loopback([{ hidden: "secret", toolCalls: [{ name: "Read" }] }, "ok"]);
    const model = await modelAt(server, NAMES[format]);
    const { message } = await ask(model, request([user("Go")], thinking));
    expect(message.parts[0]).toMatchObject({ type: "reasoning", text: "" });
    await ask(model, request([user("Go"), message, results(message, "x")], thinking));
    const [name] = Object.keys((message.parts[0] as { meta: ProviderMeta }).meta);
    expect(name).toBeDefined();
    const secret = format === "chat" ? '"data":"secret"' : `"enc-`;
    expect(server.requests[1]?.raw.toString()).toContain(secret);
  });

  it("shows images of the user and of results, also of failed ones", async () => {
    const server = await loopback([
      { toolCalls: [{ name: "Read", input: { path: "a.png" } }, { name: "Read" }] },
      "ok",
      "ok",
    ]);
    const model = await modelAt(server, NAMES[format]);
    const { message } = await ask(model, request([user("Look", image)]));
    const history = [user("Look", image), message];
    await ask(model, request([...history, results(message, [{ type: "text", text: "a.png" }, image])]));
    await ask(model, request([...history, results(message, [image], true), user("And?")]));
    const times = server.requests.map((asked) => asked.raw.toString().split(PIXEL).length - 1);
    expect(times).toEqual([1, 3, 3]);
    expect(server.requests.map((asked) => asked.refused)).toEqual([undefined, undefined, undefined]);
  });

  it("reads artifacts once, and says where one is gone", async () => {
    const server = await loopback(["a", "b"]);
    const model = await modelAt(server, NAMES[format]);
    const stored = (hash: string) =>
      ({ type: "file", mediaType: "image/png", ref: { kind: "artifact", hash, size: 70 } }) as const;
    const asked: string[] = [];
    const loadArtifact = async (hash: string) => {
      asked.push(hash);
      return hash === "here" ? Buffer.from(PIXEL, "base64") : undefined;
    };
    const first = user("See", stored("here"), stored("gone"), stored("here"));
    await ask(model, request([first]), { loadArtifact });
    await ask(model, request([first, user("More")].slice(0, 1)), { loadArtifact });
    expect(asked).toEqual(["here", "gone"]);
    const sent = server.requests[1]?.raw.toString() ?? "";
    expect(sent.split(PIXEL).length - 1).toBe(2);
    expect(sent).toContain("not stored any more");
    expect(sent).not.toContain('gone"');
  });

  it("keeps input that is not JSON for the model to see, and a history with it valid", async () => {
    const server = await loopback([
      { toolCalls: [{ name: "no such tool!", inputText: '{"path": oops' }] },
      "ok",
    ]);
    const model = await modelAt(server, NAMES[format]);
    const { message } = await ask(model, request([user("Go")]));
    expect(message.parts).toMatchObject([
      { name: "no such tool!", input: {}, invalidInput: '{"path": oops' },
    ]);
    await ask(model, request([user("Go"), message, results(message, "not JSON", true)]));
    expect(server.requests[1]?.refused).toBeUndefined();
  });

  it("sends ids and names of other makers in a form that is taken", async () => {
    const server = await loopback(["ok"]);
    const parts = [`toolu:${"x".repeat(80)}`, "a|b", ""].map(
      (id, i) => ({ type: "toolCall", id, name: `mcp.tool ${i}`, input: {} }) as const,
    );
    const message = { role: "assistant", id: "m", parts } as const;
    await ask(await modelAt(server, NAMES[format]), request([user("Go"), message, results(message, "x")]));
    expect(server.requests[0]?.refused).toBeUndefined();
  });

  it("sends what was cut in the middle of a character, wherever it stands", async () => {
    const server = await loopback(["ok"]);
    const half = "cut \ud83d here, \ude00, not \\ud83d, not \u{1f600}";
    const parts = [
      { type: "text", text: half },
      { type: "toolCall", id: "a", name: "Read", input: { [half]: half } },
    ] as const;
    const message = { role: "assistant", id: "m", parts } as const;
    const history = [user(half), message, results(message, half)];
    await ask(await modelAt(server, NAMES[format]), request(history, { system: [half], tail: [half] }));
    expect(server.requests[0]?.refused).toBeUndefined();
    const sent = server.requests[0]?.raw.toString() ?? "";
    const mended = "cut \ufffd here, \ufffd, not \\\\ud83d, not \u{1f600}";
    expect(sent.split(mended).length - 1).toBeGreaterThanOrEqual(5);
  });

  it("keeps the turn of a user who said nothing", async () => {
    const server = await loopback(["ok", "ok"]);
    const model = await modelAt(server, NAMES[format]);
    const { message } = await ask(model, request([user("")]));
    await ask(model, request([user("A"), message, user("")]));
    for (const { raw, refused } of server.requests) {
      expect(refused).toBeUndefined();
      expect(raw.toString()).toContain("(empty message)");
    }
  });

  it("shows an image at an address as an image", async () => {
    const server = await loopback(["ok"]);
    const url = "https://pictures.example/cat";
    const picture = { type: "file", mediaType: "image/*", ref: { kind: "url", url } } as const;
    await ask(await modelAt(server, NAMES[format]), request([user("See", picture)]));
    const { body, refused } = server.requests[0] ?? {};
    expect(refused).toBeUndefined();
    const [message] = format === "responses" ? body.input : body.messages.slice(-1);
    expect(message.content[1].type).toBe(
      { anthropic: "image", chat: "image_url", responses: "input_image" }[format],
    );
    expect(JSON.stringify(message.content[1])).toContain(url);
  });

  it("leaves out what no provider takes: empty texts, answers cut before a word", async () => {
    const server = await loopback(["ok"]);
    const cut = { role: "assistant", id: "m", parts: [{ type: "reasoning", text: "hm" }] } as const;
    const empty = { role: "assistant", id: "m", parts: [] } as const;
    const history = [user("A", ""), cut, user("B"), empty, user("C")];
    await ask(await modelAt(server, NAMES[format]), request(history, { tail: ["Now!", " "], system: [] }));
    const sent = server.requests[0]?.raw.toString() ?? "";
    expect(sent).not.toContain("hm");
    for (const text of ["A", "B", "C", "Now!"]) expect(sent).toContain(`"${text}"`);
    expect(sent.indexOf("Now!")).toBeGreaterThan(sent.indexOf('"C"'));
  });

  it("gives parts in the groups in which they came, and one by one", async () => {
    const server = await loopback([{ text: ["a", "b", "c"] }, { text: ["a", "b", "c"] }]);
    const model = await modelAt(server, NAMES[format]);
    const options = { signal: new AbortController().signal };
    const single = [];
    for await (const part of model.stream(request([user("x")]), options)) single.push(part);
    const stream = model.stream(request([user("x")]), options);
    const grouped = [];
    for await (const batch of stream.batches?.() ?? []) grouped.push(...batch);
    expect(grouped.filter((part) => part.type !== "usage")).toEqual(
      single.filter((part) => part.type !== "usage"),
    );
    expect(single.filter((part) => part.type === "text").map((part) => part.delta)).toEqual(["a", "b", "c"]);
  });
});
