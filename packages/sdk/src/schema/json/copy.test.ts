import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyJson } from "./copy.ts";
import { jsonEqual } from "./equal.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

describe("copyJson", () => {
  it("gives an equal value that shares nothing with the first", () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      const copied = copyJson(value);
      if (!copied.ok) throw new Error(copied.problem);
      expect(copied.value).toEqual(value);
      expect(jsonEqual(copied.value, value)).toBe(true);
      if (typeof value === "object" && value !== null) expect(copied.value).not.toBe(value);
    });
    fc.assert(property, { numRuns: runs });
  });

  it("leaves undefined keys out, and takes objects of other realms and a key called __proto__", () => {
    expect(copyJson({ a: undefined, b: [{ c: undefined }] })).toEqual({ ok: true, value: { b: [{}] } });
    expect(copyJson(runInNewContext("({ a: [1] })"))).toEqual({ ok: true, value: { a: [1] } });
    const copied = copyJson(JSON.parse('{"__proto__":{"a":1}}'));
    expect(JSON.stringify(copied.ok && copied.value)).toBe('{"__proto__":{"a":1}}');
  });

  const loop: { self?: unknown } = {};
  loop.self = loop;
  const trap = {
    get a(): never {
      throw new Error("boo");
    },
  };
  it.each([
    [{ a: [1n] }, "a.0", '"a.0" is a bigint, which JSON cannot hold'],
    [{ a: Number.NaN }, "a", '"a" is NaN, which JSON cannot hold'],
    [[undefined], "0", '"0" is undefined, which JSON cannot hold'],
    [{ a: new Date(0) }, "a", '"a" is no plain object'],
    [() => 1, "", "it is a function, which JSON cannot hold"],
    [loop, expect.stringContaining("self.self"), expect.stringContaining("contains itself")],
    [trap, "", "reading it threw: boo"],
  ])("says what is no JSON (%#)", (value, place, problem) => {
    expect(copyJson(value)).toEqual({ ok: false, place, problem });
  });

  it("refuses what it is told to", () => {
    const refuse = (value: object): string | undefined => ("no" in value ? "not this" : undefined);
    expect(copyJson({ a: { no: 1 } }, refuse)).toEqual({ ok: false, place: "a", problem: "not this" });
  });
});

describe("jsonEqual", () => {
  it.each([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [new Date(0), new Date(0), false],
    [JSON.parse('{"__proto__":1}'), { a: 1 }, false],
    [null, {}, false],
  ])("%j and %j: %s", (a, b, same) => {
    expect(jsonEqual(a, b)).toBe(same);
    expect(jsonEqual(b, a)).toBe(same);
  });
});
