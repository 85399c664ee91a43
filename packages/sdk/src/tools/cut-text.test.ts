import { expect, it } from "vitest";
import { cutAt, cutPoint } from "./cut-text.ts";

it("cuts at the limit, but never inside a character", () => {
  expect(cutAt("abc", 2)).toBe("ab");
  expect(cutAt("abc", 3)).toBe("abc");
  expect(cutAt("abc", 0)).toBe("");
  expect(["", "a", "a", "a😀", "a😀b"].map((cut, limit) => [cut, cutAt("a😀b", limit)])).toEqual(
    ["", "a", "a", "a😀", "a😀b"].map((cut) => [cut, cut]),
  );
  expect([0, 1, 2, 3, 4].map((at) => cutPoint("a😀b", at))).toEqual([0, 1, 1, 3, 4]);
});
