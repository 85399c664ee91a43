import { describe, expect, it } from "vitest";
import { equal } from "./contract-equal.ts";

describe("a comparison of the contract", () => {
  it("passes what is equal", () => {
    expect(() => equal([{ a: 1 }], [{ a: 1 }])).not.toThrow();
  });

  it.each([
    [[1, 2], [1, 3], "Expected at [1] of 2 3, got 2."],
    [[1, 2, 3], [1, 2], "Expected 2 items, got 3."],
    [[1], [1, 2], "Expected at [1] of 2 2, got undefined."],
    [{ a: undefined }, {}, "Expected {}, got {}."],
    [undefined, [], "Expected [], got undefined."],
  ])("of %j with %j says where they part", (actual, expected, text) => {
    expect(() => equal(actual, expected)).toThrow(text);
  });

  it("of two long logs costs next to nothing, in every Node", () => {
    const log = Array.from({ length: 10_000 }, (_, seq) => ({ seq, data: { text: `event ${seq}` } }));
    expect(() => equal([...log].reverse(), log)).toThrow(/^Expected at \[0\] of 10000 /);
  });
});
