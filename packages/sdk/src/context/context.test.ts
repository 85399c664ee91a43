import { describe, expect, it } from "vitest";
import type { Message } from "../protocol/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { buildRequest, type RequestPrefix, systemPrompt } from "./index.ts";

const FACTS = { cwd: "/work/tree", os: "linux" };

describe("the system prompt", () => {
  it("tells the place, and holds nothing that changes", () => {
    const [block, ...others] = systemPrompt(undefined, undefined, FACTS);
    expect(others).toEqual([]);
    expect(block).toContain("Working directory: /work/tree");
    expect(block).toContain("Operating system: linux");
    expect(systemPrompt(undefined, undefined, FACTS)).toEqual([block]);
    expect(systemPrompt({ type: "preset" }, "", FACTS)).toEqual([block]);
    expect(block).not.toMatch(/20\d\d/);
  });

  it.each<readonly [Parameters<typeof systemPrompt>[0], string | undefined, readonly string[]]>([
    ["Be brief.", undefined, ["Be brief."]],
    ["Be brief.", "In German.", ["Be brief.", "In German."]],
    ["", undefined, []],
    [["one", "", "two"], undefined, ["one", "two"]],
    [[], "only this", ["only this"]],
  ])("own text %j with %j behind it stands alone", (option, append, blocks) => {
    expect(systemPrompt(option, append, FACTS)).toEqual(blocks);
  });

  it("appends to the preset, each text a block of its own", () => {
    const [base] = systemPrompt(undefined, undefined, FACTS);
    expect(systemPrompt({ type: "preset", append: "A" }, "B", FACTS)).toEqual([base, "A", "B"]);
  });

  it("refuses a kind that it does not know", () => {
    let error: unknown;
    try {
      systemPrompt({ type: "other" } as never, undefined, FACTS);
    } catch (thrown) {
      error = thrown;
    }
    expect(isCastellanError(error, "invalid_option")).toBe(true);
  });
});

describe("a request", () => {
  const prefix: RequestPrefix = {
    system: ["You are it."],
    tools: [{ name: "Read", description: "Reads.", inputSchema: { type: "object" } }],
    builtinTools: 1,
  };
  const messages: Message[] = [{ role: "user", parts: [{ type: "text", text: "go" }] }];

  it("stands over the session's own arrays: nothing is copied", () => {
    const request = buildRequest(prefix, messages, { mode: "default", planMode: "ceiling" });
    expect(request.system).toBe(prefix.system);
    expect(request.tools).toBe(prefix.tools);
    expect(request.messages).toBe(messages);
    expect(request.builtinTools).toBe(1);
  });

  it("reminds of plan mode behind the last message, and of nothing else", () => {
    const tail = (mode: "default" | "plan" | "dontAsk", planMode: "ceiling" | "advisory") =>
      buildRequest(prefix, messages, { mode, planMode }).tail;
    expect(tail("plan", "ceiling").join()).toMatch(/Plan mode is on/);
    expect(tail("plan", "advisory")).toEqual([]);
    expect(tail("default", "ceiling")).toEqual([]);
    expect(tail("dontAsk", "ceiling")).toEqual([]);
  });
});
