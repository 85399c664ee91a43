import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import type { PathTarget } from "./target.ts";
import { withResolutions } from "./with-resolutions.ts";

const RESOLUTION = { given: "/w/a", real: "/w/a", hops: [], exists: true, inside: true };

describe("a path target with what the disk says of it", () => {
  it("keeps every field, also one that nobody knows", () => {
    const target = { kind: "path", access: "write", path: "a", from: [""], own: 1 } as PathTarget;
    expect(withResolutions(target, [RESOLUTION])).toStrictEqual({ ...target, resolutions: [RESOLUTION] });
    expect(target).not.toHaveProperty("resolutions");
  });

  it("takes no resolutions from the tool that declared it", () => {
    const target = { kind: "path", access: "read", path: "a", resolutions: [RESOLUTION] } as PathTarget;
    expect(withResolutions(target, []).resolutions).toEqual([]);
  });

  it("has the hidden class of others with the same fields", () => {
    setFlagsFromString("--allow-natives-syntax");
    const haveSame = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
    const [first, ...rest] = Array.from({ length: 50 }, (_, i) => withResolutions(grown(i), [RESOLUTION]));
    if (first === undefined) throw new Error("There are fifty.");
    expect(rest.every((each) => haveSame(first, each))).toBe(true);
  });
});

/** As the shell room makes them: fields that not every path has are added one by one. */
function grown(index: number): PathTarget {
  const target: { -readonly [K in keyof PathTarget]: PathTarget[K] } = {
    kind: "path",
    access: "read",
    path: `${index}`,
  };
  target.from = [""];
  target.shell = { command: index, by: "operand" };
  return target;
}
