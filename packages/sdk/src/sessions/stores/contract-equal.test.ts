import { describe, expect, it } from "vitest";
import { equal } from "./contract-equal.ts";

describe("a comparison of the contract", () => {
  it("passes what is equal", () => {
    expect(() => equal([{ a: 1 }], [{ a: 1 }])).not.toThrow();
  });

  it.each<readonly [unknown, unknown, RegExp]>([
    [[1, 2], [1, 3], /^Item 1 of 2: .*2 !== 3/s],
    [[1, 2, 3], [1, 2], /3 !== 2/],
    [[1], [1, 2], /^Item 1 of 2: .*undefined/s],
    [{ a: undefined }, {}, /a: undefined/],
    [undefined, [], /undefined/],
  ])("of %j with %j says where they part", (actual, expected, text) => {
    expect(() => equal(actual, expected)).toThrow(text);
  });

  it("of two long logs costs next to nothing, in every Node", () => {
    const log = Array.from({ length: 10_000 }, (_, seq) => ({ seq, data: { text: `event ${seq}` } }));
    expect(() => equal([...log].reverse(), log)).toThrow(/^Item 0 of 10000: /);
  });
});
