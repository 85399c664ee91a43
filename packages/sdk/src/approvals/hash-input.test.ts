import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../protocol/index.ts";
import { hashInput, plainInput } from "./hash-input.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const object = fc.dictionary(fc.string(), fc.jsonValue());

describe("hashInput", () => {
  it("is the same for the same input, whatever the order of its keys, and another for another", () => {
    const property = fc.property(object, object, (one, other) => {
      const turned = Object.fromEntries(Object.entries(one).reverse()) as JsonObject;
      expect(hashInput(plainInput(turned), sha256)).toBe(hashInput(plainInput(one), sha256));
      const again = JSON.parse(JSON.stringify(plainInput(one))) as JsonObject;
      expect(hashInput(again, sha256)).toBe(hashInput(plainInput(one), sha256));
      const isSame = equal(plainInput(one), plainInput(other));
      expect(hashInput(plainInput(one), sha256) === hashInput(plainInput(other), sha256)).toBe(isSame);
    });
    fc.assert(property, { numRuns: runs });
  });

  it.each([
    [{ a: 1n }, { a: "1n" }],
    [{ a: new Date(0) }, { a: "1970-01-01T00:00:00.000Z" }],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [undefined, {}],
    [[1], {}],
  ])("of what is no JSON takes what stands for it (%#)", (input, plain) => {
    expect(plainInput(input)).toEqual(plain);
  });

  it("gives up on what holds itself", () => {
    const loop: { self?: object } = {};
    loop.self = loop;
    expect(plainInput(loop)).toEqual({});
  });
});

function equal(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
