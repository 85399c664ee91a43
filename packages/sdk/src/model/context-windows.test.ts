import { describe, expect, it } from "vitest";
import { byName } from "./by-name.ts";
import { contextWindow, createContextWindows } from "./context-windows.ts";
import { PRICE_TABLE } from "./price-table.ts";

describe("how much a model takes", () => {
  it.each<[string, number | undefined]>([
    ["anthropic/claude-opus-5-5", 1_000_000],
    ["anthropic/claude-opus-4-6-20260205", 1_000_000],
    ["anthropic/claude-opus-4-5", 200_000],
    ["anthropic/claude-sonnet-4-5-20250929", 200_000],
    ["ai-sdk:anthropic.messages/claude-sonnet-5", 1_000_000],
    ["anthropic/claude-haiku-4-5", 200_000],
    ["anthropic/claude-haiku-5-5", 100_000],
    ["openai-chat/gpt-5.5", 272_000],
    ["openai-responses/gpt-5-chat-latest", 128_000],
    ["openai/gpt-4o-mini-2024-07-18", 128_000],
    ["ollama/qwen3", undefined],
    ["scripted", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
  ])("%s: %s", (model, tokens) => {
    expect(contextWindow(model)).toBe(tokens);
  });

  it("is known of every model whose price is known, and is never above the step of a price", () => {
    for (const [model, { above }] of Object.entries(PRICE_TABLE)) {
      const tokens = contextWindow(model);
      expect([model, tokens]).toEqual([model, expect.any(Number)]);
      if (above !== undefined) expect([model, (tokens ?? 0) <= above.inputTokens]).toEqual([model, true]);
    }
  });

  it("can be told, in full, by a release, and by a beginning, the longest first", () => {
    const told = createContextWindows({
      "mine/big": 5_000,
      "mine/*": 2_000,
      "mine/b*": 3_000,
      "openai/o3": 9_000,
    });
    expect(["mine/big", "mine/big-2026-01-01", "mine/bi", "mine/small", "other"].map(told)).toEqual([
      ...[5_000, 5_000, 3_000, 2_000],
      undefined,
    ]);
    expect(told("openai-responses/o3")).toBe(9_000);
    expect(createContextWindows()("mine/big")).toBeUndefined();
  });

  it("own keys only", () => {
    expect(byName({ a: 1 })("toString")).toBeUndefined();
  });
});
