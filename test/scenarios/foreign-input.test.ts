import { createHost, type SDKMessage, tool } from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scratch } from "../kit/session.ts";

const schema = {
  n: z.string().transform((text) => BigInt(text)),
  at: z.string().transform((text) => new Date(text)),
  plain: z.string().transform((text) => text.toUpperCase()),
};

/** One call whose input a schema makes into what JSON cannot hold. */
async function played(kind: "memory" | "disk", allowed: boolean) {
  const given: unknown[] = [];
  const lines: string[] = [];
  const big = tool("big", "Counts.", schema, (args) => {
    given.push(args.n, args.at);
    return { content: [{ type: "text", text: "counted" }] };
  });
  const store = kind === "memory" ? memoryStore() : jsonlStore({ home: scratch() });
  const input = { n: "5", at: "2026-01-02T00:00:00.000Z", plain: "x" };
  const host = createHost({ store });
  const messages: SDKMessage[] = [];
  const options = {
    model: scriptedModel([{ toolCalls: [{ name: "big", input }] }, "done"]),
    cwd: scratch(),
    tools: [big],
    ...(allowed ? { allowedTools: ["big"] } : {}),
    debug: true,
    stderr: (line: string) => void lines.push(line),
  };
  for await (const message of host.query({ prompt: "go", options })) messages.push(message);
  const events = await store.read(messages[0]?.session_id ?? "");
  const decided = events.find((event) => event.type === "tool.decided");
  await host.close();
  await store.close();
  const result = messages.findLast((message) => message.type === "result");
  return { given, lines, decided, result };
}

describe.each(["memory", "disk"] as const)("an input that JSON cannot hold, with a log %s", (kind) => {
  it("reaches the handler, and the log says what it could not hold", async () => {
    const { given, lines, decided, result } = await played(kind, true);
    expect(result).toMatchObject({ subtype: "success" });
    expect(given).toEqual([5n, new Date("2026-01-02T00:00:00.000Z")]);
    expect(decided?.type === "tool.decided" && decided.data.input).toEqual({
      n: "[not recorded: it is a bigint, which JSON cannot hold]",
      at: "[not recorded: it is no plain object]",
      plain: "X",
    });
    expect(lines.join("\n")).toMatch(/input of big .*"n".*"at"/);
  });

  it("is told in the denials as it stands in the log", async () => {
    const { given, result } = await played(kind, false);
    expect(given).toEqual([]);
    expect(result).toMatchObject({ subtype: "success" });
    expect(result?.permission_denials).toEqual([
      expect.objectContaining({ tool_input: expect.objectContaining({ plain: "X" }) }),
    ]);
    expect(() => JSON.stringify(result)).not.toThrow();
  });
});
