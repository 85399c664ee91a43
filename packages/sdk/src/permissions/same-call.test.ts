import { describe, expect, it } from "vitest";
import type { DecideCall } from "./call.ts";
import { isPrinted, printOf } from "./same-call.ts";
import { bashCall } from "./test-kit.ts";

const call = (): DecideCall => bashCall("cat src/a.ts lib/b.ts > out && rm -rf build");
const withTargets = (targets: unknown): DecideCall => ({ ...call(), targets: targets as never });

describe("the print of a call", () => {
  it("is that of each call with equal fields, whatever its input", () => {
    const print = printOf(call());
    expect(isPrinted(print, call())).toBe(true);
    expect(isPrinted(print, structuredClone({ ...call(), input: {} }))).toBe(false);
    expect(isPrinted(print, { ...call(), input: { command: "other" } })).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ["a list that goes on", ["a"], ["a", "b"]],
    ["a list that ends sooner", ["a", "b"], ["a"]],
    ["a field more", { a: 1 }, { a: 1, b: undefined }],
    ["a field less", { a: 1, b: undefined }, { a: 1 }],
    ["another name", { a: 1 }, { b: 1 }],
    ["another value", { a: { b: [1, 2] } }, { a: { b: [1, 3] } }],
    ["a text for a number", { a: "1" }, { a: 1 }],
    ["a number for a text", { a: 1 }, { a: "1" }],
    ["a list for an object", { a: {} }, { a: [] }],
    ["an object for a list", { a: [] }, { a: {} }],
    ["nothing for an object", { a: {} }, { a: null }],
    ["a text for a list", { a: ["x"] }, { a: "x" }],
    ["an object for a truth", { a: true }, { a: {} }],
    ["fields that moved out", { a: { b: 1 }, c: 2 }, { a: {}, b: 1, c: 2 }],
    ["another function", { a: () => 1 }, { a: () => 1 }],
    ["an equal analysis that is another", { analysis: { line: "x" } }, { analysis: { line: "x" } }],
  ])("tells %s", (_, known, other) => {
    const print = printOf(withTargets([known, "end"]));
    expect(isPrinted(print, withTargets([known, "end"]))).toBe(true);
    expect(isPrinted(print, withTargets([other, "end"]))).toBe(false);
  });

  it("holds the whole call", () => {
    const print = printOf(call());
    expect(isPrinted(print, { ...call(), hooks: { behavior: "deny" } })).toBe(false);
    expect(isPrinted(print, { ...call(), check: { failed: "no" } })).toBe(false);
    expect(isPrinted(print, { ...call(), tool: { ...call().tool, requiresUser: true } })).toBe(false);
    expect(isPrinted(print.slice(0, -1), call())).toBe(false);
  });
});
