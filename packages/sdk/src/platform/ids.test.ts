import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { nodeIds } from "./ids.ts";

describe("an id", () => {
  it("leaves the shapes alone that other objects share, however many are made", () => {
    setFlagsFromString("--allow-natives-syntax");
    const haveSame = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
    const ids = Array.from({ length: 4_000 }, () => nodeIds.uuid());
    expect(new Set(ids).size).toBe(4_000);
    const table = (name: string): object => ({ [name]: 0 });
    expect(haveSame(table("never seen before"), table("never seen before"))).toBe(true);
  });
});
