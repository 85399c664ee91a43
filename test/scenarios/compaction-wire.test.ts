import { createHost, type Options, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";
import { type LoopbackTurn, type RecordedRequest, startLoopback } from "../loopback/index.ts";

const FORMATS = {
  anthropic: "anthropic/claude-sonnet-5-5",
  chat: "openai-chat/gpt-4.1",
  responses: "openai-responses/gpt-5.5",
} as const;

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n}: ${"figure ".repeat(150)}` }],
}));

const TOO_LONG = {
  kind: "status",
  status: 400,
  body: '{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
} as const;

const isSummary = ({ raw }: RecordedRequest): boolean =>
  raw.toString().includes("You sum up the conversation");

async function session(format: keyof typeof FORMATS, options: Options, refusedAt: number) {
  let turn = 0;
  const server = await startLoopback({
    turns: (request): LoopbackTurn => {
      if (isSummary(request)) return { text: "The rows before are read.", usage: { input: 500 } };
      if (request.raw.byteLength > refusedAt) return { fault: TOO_LONG };
      turn += 1;
      if (turn > 25) return { text: "All rows are read." };
      const calls = [0, 1].map((i) => ({ name: "row", input: { n: 2 * turn + i } }));
      return { thinking: format === "anthropic" ? "One more." : undefined, toolCalls: calls } as LoopbackTurn;
    },
  });
  const host = createHost({ store: memoryStore() });
  const messages: SDKMessage[] = [];
  const env = { ...process.env, ...server.env };
  for await (const message of host.query({
    prompt: "Read all rows. Never write.",
    options: {
      model: FORMATS[format],
      cwd: scratch(),
      tools: [row],
      allowedTools: ["row"],
      platform: { env },
      ...options,
    },
  })) {
    messages.push(message);
  }
  await host.close();
  await server.close();
  assertComplete(messages);
  return { messages, requests: server.requests };
}

describe.each(["anthropic", "chat", "responses"] as const)("in the format %s", (format) => {
  it.each([
    ["threshold", { compaction: { contextWindow: 12_000 } }, Number.POSITIVE_INFINITY],
    ["overflow", {}, 30_000],
  ] as const)("no request is refused behind a compaction: %s", async (reason, options, refusedAt) => {
    const { messages, requests } = await session(format, options, refusedAt);
    expect(messages.at(-1)).toMatchObject({
      type: "result",
      subtype: "success",
      result: "All rows are read.",
    });
    const reasons = messages.flatMap((each) =>
      each.type === "system" && each.subtype === "compact_boundary" ? [each.compact_metadata.reason] : [],
    );
    expect(reasons.length).toBeGreaterThan(0);
    expect(new Set(reasons)).toEqual(new Set([reason]));
    expect(requests.filter(({ refused }) => refused !== undefined)).toEqual([]);
    expect(requests.at(-1)?.raw.toString()).toContain("Never write.");
  });

  it("what comes before the history stays the same bytes", async () => {
    const { requests } = await session(
      format,
      { compaction: { contextWindow: 12_000 }, tools: [row, "Recall"] },
      Infinity,
    );
    const heads = requests
      .filter((request) => !isSummary(request))
      .map(({ body }) => JSON.stringify([body.system ?? body.instructions, body.tools]));
    expect(heads.length).toBeGreaterThan(20);
    expect(new Set(heads).size).toBe(1);
  });
});
