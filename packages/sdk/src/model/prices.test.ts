import { describe, expect, it } from "vitest";
import { PRICE_TABLE } from "./price-table.ts";
import { createPrices } from "./prices.ts";

const usage = {
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 10_000,
  cacheWriteTokens: 2_000,
};

describe("the cost of an answer", () => {
  it("counts input, output, cache reads and cache writes, each at its rate", () => {
    const prices = createPrices({ m: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 } });
    expect(prices.cost("m", usage)).toBeCloseTo((2_000 + 1_000 + 5_000 + 8_000) / 1e6, 12);
  });

  it("takes cached input at the rate of input where there is no other", () => {
    expect(createPrices({ m: { input: 1, output: 0 } }).cost("m", usage)).toBeCloseTo(13_000 / 1e6, 12);
  });

  it("takes the other rates for the whole of a long request, caches counted", () => {
    const above = { inputTokens: 12_999, input: 10, output: 20 };
    const prices = createPrices({ m: { input: 1, output: 2, above } });
    expect(prices.cost("m", usage)).toBeCloseTo((130_000 + 2_000) / 1e6, 12);
    expect(prices.cost("m", { ...usage, inputTokens: 999 })).toBeCloseTo((12_999 + 200) / 1e6, 12);
  });

  it("is unknown for a model without a price", () => {
    const prices = createPrices();
    for (const name of ["scripted", "__proto__", "constructor", "openai/gpt-99", ""]) {
      expect(prices.of(name)).toBeUndefined();
      expect(prices.cost(name, usage)).toBeUndefined();
    }
  });
});

describe("the price of a model", () => {
  const own = { input: 7, output: 7 };

  it("is the table's, with or without the date of a release", () => {
    const prices = createPrices();
    const price = PRICE_TABLE["anthropic/claude-sonnet-4-5"];
    expect(price).toMatchObject({ input: 3, output: 15, cacheWrite: 3.75 });
    expect(price?.cacheRead).toBeCloseTo(0.3, 12);
    expect(prices.of("anthropic/claude-sonnet-4-5-20250929")).toBe(price);
    expect(prices.of("anthropic/claude-sonnet-4-5-latest")).toBe(price);
    expect(prices.of("openai/gpt-4.1-2025-04-14")).toBe(PRICE_TABLE["openai/gpt-4.1"]);
    expect(prices.of("openrouter/anthropic/claude-sonnet-4-5")).toBeUndefined();
  });

  it("is the host's own before any other", () => {
    const prices = createPrices({
      "openai/gpt-4.1": own,
      "ollama/*": { input: 0, output: 0 },
      "ollama/dear*": own,
      "local/x": own,
    });
    expect(prices.of("openai/gpt-4.1")).toBe(own);
    expect(prices.of("openai/gpt-4.1-2025-04-14")).toBe(own);
    expect(prices.cost("ollama/llama3", usage)).toBe(0);
    expect(prices.of("ollama/dearest")).toBe(own);
    expect(prices.of("local/x")).toBe(own);
    expect(prices.of("openai/o3")).toBe(PRICE_TABLE["openai/o3"]);
  });

  it.each(["openai-chat/gpt-4.1", "openai-responses/gpt-4.1", "ai-sdk:openai.chat/gpt-4.1"])(
    "is the same in whichever way the model is reached: %s",
    (name) => {
      expect(createPrices().of(name)).toBe(PRICE_TABLE["openai/gpt-4.1"]);
      expect(createPrices().of(`${name}-2025-04-14`)).toBe(PRICE_TABLE["openai/gpt-4.1"]);
      expect(createPrices({ "openai/gpt-4.1": own }).of(name)).toBe(own);
      expect(createPrices({ "openai/gpt*": own }).of(name)).toBe(own);
      const both = { [name]: own, "openai/gpt-4.1": { input: 1, output: 1 } };
      expect(createPrices(both).of(name)).toBe(own);
    },
  );

  it("is sane all over the table", () => {
    const rows = Object.entries(PRICE_TABLE);
    expect(rows.length).toBeGreaterThan(20);
    for (const [name, price] of rows) {
      expect(name).toMatch(/^(anthropic|openai)\/[a-z0-9.-]+$/);
      expect(price.output).toBeGreaterThan(price.input);
      expect(price.cacheRead ?? 0).toBeLessThan(price.input);
      if (price.above !== undefined) expect(price.above.input).toBeGreaterThan(price.input);
    }
  });
});
