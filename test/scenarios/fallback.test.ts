import { apiKey, createHost, type Options, type SDKMessage, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { finishedTexts } from "../kit/consumer.ts";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { scratch } from "../kit/session.ts";
import { type Format, type Loopback, startLoopback } from "../loopback/index.ts";

const MODELS: Readonly<Record<Format, string>> = {
  anthropic: "anthropic/claude-sonnet-5-5",
  chat: "openai-chat/gpt-4.1",
  responses: "openai-responses/gpt-5.5",
};
const echo = tool("echo", "Echoes.", { text: "string" }, ({ text }) => ({
  content: [{ type: "text", text }],
}));

/** The first format thinks, calls a tool, and is gone; the other one answers. */
async function afterARound(first: Format, second: Format, more: Options = {}) {
  const server = await startLoopback({
    turns({ format, body }) {
      if (format !== first) return "Done by another.";
      return JSON.stringify(body).includes("echoed")
        ? { fault: { kind: "status", status: 503 } }
        : {
            thinking: "Let me see.",
            hidden: "sealed",
            toolCalls: [{ name: "echo", input: { text: "echoed" } }],
          };
    },
  });
  const messages = await play(server, {
    ...{ model: MODELS[first], fallbackModel: MODELS[second], tools: [echo], allowedTools: ["echo"] },
    ...more,
  });
  await server.close();
  return { messages, requests: server.requests };
}

async function play(server: Loopback, options: Options): Promise<SDKMessage[]> {
  const { clock } = hurriedClock(20_000);
  const host = createHost({ platform: { clock, random: () => 0, env: server.env } });
  const messages: SDKMessage[] = [];
  const common = { cwd: scratch(), persistSession: false };
  for await (const message of host.query({ prompt: "go", options: { ...common, ...options } })) {
    messages.push(message);
  }
  await host.close();
  return messages;
}

const PAIRS: readonly (readonly [Format, Format])[] = [
  ["anthropic", "chat"],
  ["anthropic", "responses"],
  ["chat", "anthropic"],
  ["responses", "anthropic"],
];

describe("a fallback inside a round of thoughts and tools", () => {
  it.each(PAIRS)("from %s to %s begins behind the last complete round", async (first, second) => {
    const { messages, requests } = await afterARound(first, second);
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "Done by another." });
    expect(finishedTexts(messages)).toEqual(["", "Done by another."]);
    // The server refuses what the real one refuses: foreign signatures among it.
    expect(requests.flatMap(({ refused }) => refused ?? [])).toEqual([]);
    const foreign = requests.filter(({ format }) => format === second);
    expect(foreign).toHaveLength(1);
    const sent = foreign[0]?.raw.toString() ?? "";
    expect(sent).toContain("echoed");
    expect(sent).not.toContain("sealed");
    expect(sent).not.toMatch(/"(signature|encrypted_content)":"[^"]/);
  });

  it("never sends the key of one provider to the other", async () => {
    const { requests } = await afterARound("anthropic", "chat", { auth: apiKey("key-of-the-first") });
    const keys = (format: Format) =>
      new Set(
        requests.filter((each) => each.format === format).map(({ headers }) => JSON.stringify(headers)),
      );
    expect([...keys("anthropic")].every((headers) => headers.includes("key-of-the-first"))).toBe(true);
    expect([...keys("chat")].some((headers) => headers.includes("key-of-the-first"))).toBe(false);
  });

  it("uses the same key for another model of the same provider", async () => {
    const server = await startLoopback({
      turns: ({ body }) =>
        body.model === "claude-opus-5" ? { fault: { kind: "status", status: 500 } } : "Done by the smaller.",
    });
    const messages = await play(server, {
      ...{ model: "anthropic/claude-opus-5", fallbackModel: "anthropic/claude-haiku-4-5" },
      ...{ auth: apiKey("the-one-key"), tools: [] },
    });
    await server.close();
    expect(messages.at(-1)).toMatchObject({ result: "Done by the smaller." });
    expect(server.requests.every(({ headers }) => headers["x-api-key"] === "the-one-key")).toBe(true);
    expect(messages.at(-1)).toMatchObject({ total_cost_usd: expect.any(Number) });
    expect(messages.at(-1)).not.toHaveProperty("cost_unknown");
  });
});
