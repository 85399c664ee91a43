import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { nodeIds } from "./ids.ts";

setFlagsFromString("--allow-natives-syntax");

describe("an id", () => {
  it("is one text, not a chain of the pieces that it was made of", () => {
    const isWhole = new Function("text", "return %IsInternalizedString(text)") as (text: string) => boolean;
    const pieces = [nodeIds.short("a"), nodeIds.short("b")].join("-");
    expect([isWhole(pieces), isWhole(nodeIds.uuid())]).toEqual([false, true]);
  });

  it("leaves the shapes alone that other objects share, however many are made", () => {
    const haveSame = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
    const ids = Array.from({ length: 4_000 }, () => nodeIds.uuid());
    expect(new Set(ids).size).toBe(4_000);
    const table = (name: string): object => ({ [name]: 0 });
    expect(haveSame(table("never seen before"), table("never seen before"))).toBe(true);
  });
});
