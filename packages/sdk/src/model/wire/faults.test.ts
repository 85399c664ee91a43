import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Fault, Format } from "../../../../../test/loopback/index.ts";
import { nodePlatform } from "../../platform/index.ts";
import { fakeClock } from "../../testing/index.ts";
import type { ModelPart } from "../port.ts";
import { readFailure } from "../read-failure.ts";
import { closeAll, FORMATS, loopback, modelAt, NAMES, request, user } from "./test-kit.ts";

afterEach(closeAll);

const TURN = { thinking: "Hm.", text: ["One ", "two ", "three."] };

interface Outcome {
  readonly text: string;
  readonly finished: boolean;
  readonly error: Error | undefined;
}

/** Reads a stream to its end, whatever that is. */
async function outcome(stream: AsyncIterable<ModelPart>): Promise<Outcome> {
  let text = "";
  let finished = false;
  try {
    for await (const part of stream) {
      if (part.type === "text") text += part.delta;
      if (part.type === "finish") finished = true;
    }
    return { text, finished, error: undefined };
  } catch (error) {
    return { text, finished, error: error as Error };
  }
}

async function run(format: Format, fault: Fault): Promise<Outcome & { readonly asked: number }> {
  const server = await loopback([{ ...TURN, fault }, "again"]);
  const model = await modelAt(server, NAMES[format]);
  const got = await outcome(model.stream(request([user("Hi")]), { signal: new AbortController().signal }));
  return { ...got, asked: server.requests.length };
}

const status = (code: number, headers?: Record<string, string>, body?: string): Fault => ({
  kind: "status",
  status: code,
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
});
const overflow = '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum","type":"x"}}';

describe.each(FORMATS)("a fault in the format %s", (format) => {
  it.each<[string, Fault, object]>([
    ["429", status(429), { kind: "http", status: 429, retryable: true }],
    ["429 with retry-after", status(429, { "retry-after": "7" }), { retryAfterMs: 7000, status: 429 }],
    [
      "429 with retry-after-ms",
      status(429, { "retry-after-ms": "250", "retry-after": "1" }),
      { retryAfterMs: 250 },
    ],
    [
      "429 for want of money",
      status(429, {}, '{"error":{"code":"insufficient_quota"}}'),
      { retryable: false },
    ],
    ["500", status(500), { kind: "http", status: 500, retryable: true }],
    [
      "503 as text",
      status(503, {}, "upstream is away"),
      { retryable: true, message: /503: upstream is away/ },
    ],
    ["529", status(529), { kind: "http", status: 529, retryable: true }],
    ["529 that says not to come back", status(529, { "x-should-retry": "false" }), { retryable: false }],
    ["400", status(400), { kind: "http", status: 400, retryable: false, message: /told to answer 400/ }],
    ["400 for length", status(400, {}, overflow), { kind: "context_overflow", retryable: false }],
    ["413", status(413), { kind: "context_overflow", status: 413 }],
    ["401", status(401), { kind: "auth", status: 401, retryable: false, message: /Check [A-Z]+_API_KEY/ }],
    ["a strange status", status(418, {}, "x".repeat(900)), { retryable: false, message: /418: x{500}…/ }],
    [
      "a redirect",
      status(302, { location: "https://elsewhere.example/" }),
      { message: /elsewhere\.example/ },
    ],
    ["a reset before the answer", { kind: "reset", afterEvents: 0 }, { kind: "network", retryable: true }],
    ["a reset in the answer", { kind: "reset", afterEvents: 4 }, { kind: "truncated", retryable: true }],
    ["an end before the finish", { kind: "end", afterEvents: 5 }, { kind: "truncated", retryable: true }],
    ["an error event", { kind: "errorEvent", afterEvents: 4 }, { kind: "stream_error", retryable: true }],
    [
      "an error event that is our fault",
      { kind: "errorEvent", afterEvents: 2, type: "invalid_request_error" },
      { kind: "stream_error", retryable: false, status: 400 },
    ],
    [
      "an overload in the answer",
      { kind: "errorEvent", afterEvents: 2, type: "overloaded_error" },
      { kind: "stream_error", status: 529, retryable: true },
    ],
    [
      "too many tokens a minute, in the answer",
      { kind: "errorEvent", afterEvents: 2, type: "rate_limit_error", message: "Too many tokens, wait." },
      { kind: "stream_error", status: 429, retryable: true },
    ],
    ["an event that is no JSON", { kind: "badEvent", afterEvents: 3 }, { kind: "bad_body", retryable: true }],
    ["an empty body", { kind: "emptyBody" }, { kind: "bad_body", retryable: true }],
    [
      "an HTML page",
      { kind: "htmlBody" },
      { kind: "bad_body", retryable: false, message: /HTML page.*base URL/ },
    ],
  ])("is told: %s", async (_, fault, expected) => {
    const { error, finished, asked } = await run(format, fault);
    expect(finished).toBe(false);
    expect(asked).toBe(1);
    const { message, ...facts } = expected as { message?: RegExp };
    expect(error).toMatchObject({ code: "model_failed" });
    expect(readFailure(error)).toMatchObject(facts);
    if (message !== undefined) expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain("loopback-key");
  });

  it("passes over an event that it does not know", async () => {
    const { text, finished, error } = await run(format, { kind: "unknownEvent", afterEvents: 3 });
    expect({ text, finished, error }).toEqual({ text: "One two three.", finished: true, error: undefined });
  });

  it("takes an unknown reason of the end as other, and keeps its name", async () => {
    const server = await loopback([{ text: "x", stopReason: "moon_phase" }]);
    const model = await modelAt(server, NAMES[format]);
    const parts = [];
    for await (const part of model.stream(request([user("Hi")]), { signal: new AbortController().signal })) {
      parts.push(part);
    }
    expect(parts.at(-1)).toEqual({ type: "finish", stopReason: "other", rawReason: "moon_phase" });
  });

  it.each<[string, Fault]>([
    ["before the headers", { kind: "slowHeaders" }],
    ["in mid-stream", { kind: "stall", afterEvents: 4 }],
  ])("ends a silence of 60 seconds %s", async (_, fault) => {
    const clock = fakeClock();
    const server = await loopback([{ ...TURN, fault }]);
    const model = await modelAt(server, NAMES[format], { platform: { clock } });
    const ending = outcome(model.stream(request([user("Hi")]), { signal: new AbortController().signal }));
    while (server.requests.length === 0 || clock.pending === 0)
      await new Promise((next) => setTimeout(next, 5));
    // What the server has sent must be read before time stands still for a minute.
    await new Promise((next) => setTimeout(next, 50));
    clock.advance(59_000);
    await new Promise((next) => setTimeout(next, 20));
    expect(server.counts.abandoned).toBe(0);
    clock.advance(1_100);
    const { error, finished } = await ending;
    expect(finished).toBe(false);
    expect(readFailure(error)).toMatchObject({ kind: "stalled", retryable: true });
    expect(clock.pending).toBe(0);
  });

  it.each<[string, Fault]>([
    ["the headers", { kind: "slowHeaders" }],
    ["more of the answer", { kind: "stall", afterEvents: 4 }],
  ])("stops at once when it is aborted while waiting for %s", async (_, fault) => {
    const server = await loopback([{ ...TURN, fault }]);
    const model = await modelAt(server, NAMES[format]);
    const controller = new AbortController();
    const ending = outcome(model.stream(request([user("Hi")]), { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise((next) => setTimeout(next, 5));
    controller.abort();
    expect((await ending).error).toMatchObject({ code: "aborted" });
    while (server.counts.abandoned === 0) await new Promise((next) => setTimeout(next, 5));
  });

  it("sends nothing when it is aborted before", async () => {
    const server = await loopback(["x"]);
    const model = await modelAt(server, NAMES[format]);
    const { error } = await outcome(model.stream(request([user("Hi")]), { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: "aborted" });
    expect(server.requests).toEqual([]);
  });

  it("gives the first delta while the server keeps the rest back", async () => {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const text = ["first", " second"];
    const events = { anthropic: 4, chat: 2, responses: 5 }[format];
    const server = await loopback([{ text, fault: { kind: "holdBack", afterEvents: events, until } }]);
    const model = await modelAt(server, NAMES[format]);
    let seen = "";
    for await (const part of model.stream(request([user("Hi")]), { signal: new AbortController().signal })) {
      if (part.type !== "text") continue;
      if (seen === "") {
        expect(part.delta).toBe("first");
        release();
      }
      seen += part.delta;
    }
    expect(seen).toBe("first second");
  });
});

describe("a connection", () => {
  it("is used again", async () => {
    const server = await loopback(["a", "b", "c"]);
    const model = await modelAt(server, NAMES.anthropic);
    for (let i = 0; i < 3; i++) {
      await outcome(model.stream(request([user("Hi")]), { signal: new AbortController().signal }));
      await new Promise((next) => setTimeout(next, 10));
    }
    expect(server.counts).toEqual({ connections: 1, abandoned: 0 });
  });

  it("that nobody takes is told with the address, and not tried again on this machine", async () => {
    const empty = createServer();
    await new Promise<void>((resolve) => empty.listen(0, "127.0.0.1", resolve));
    const { port } = empty.address() as AddressInfo;
    await new Promise((resolve) => empty.close(resolve));
    const env = { OLLAMA_HOST: `127.0.0.1:${port}` };
    const model = await modelAt({ env }, "ollama/llama", { platform: nodePlatform() });
    const { error } = await outcome(
      model.stream(request([user("Hi")]), { signal: new AbortController().signal }),
    );
    expect(readFailure(error)).toMatchObject({ kind: "network", retryable: false });
    expect(error?.message).toContain(`127.0.0.1:${port}`);
  });
});
