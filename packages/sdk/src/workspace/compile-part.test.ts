import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePart } from "./compile-part.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

describe("matching one part of a pattern", () => {
  it("takes the end of a range out of its backslash, as bash does", () => {
    const names = ["[", "*", "-", "\\", "]", "+", "b"];
    const meant = (pattern: string) => names.filter(compilePart(pattern, { hidden: true }));
    expect(meant("[\\*-\\*]")).toEqual(["*"]);
    expect(meant("[a-\\c]")).toEqual(["b"]);
    expect(meant("[*-\\+]")).toEqual(["*", "+"]);
  });

  it.each([
    ["a\\*b", ["a*b"], ["axb", "a\\*b"]],
    ["a\\", ["a\\"], ["a"]],
    ["a*", ["a", "ab", "aaa"], ["b", "ba"]],
    ["*a", ["a", "ba", "aba"], ["ab"]],
    ["**", ["a"], [".a"]],
    [".*", [".a", "."], ["a"]],
    ["\\.*", [".a"], ["a"]],
    ["[.]a", [], [".a"]],
    ["[ab]", ["a", "b"], ["c", "]", "["]],
    ["[!ab]", ["c", "!"], ["a", "b"]],
    ["[^ab]", ["c", "^"], ["a", "b"]],
    ["[a!]", ["a", "!"], ["b"]],
    ["[]a]", ["]", "a"], ["b", "a]"]],
    ["[!]a]", ["b"], ["]", "a"]],
    ["[\\]a]", ["]", "a"], ["\\", "a]"]],
    ["[a-c]", ["a", "b", "c"], ["-", "d"]],
    ["[a-]", ["a", "-"], ["b", "]"]],
    ["[-a]", ["a", "-"], ["b"]],
    ["[xa-c]", ["x", "b"], ["-", "d"]],
    ["[a-", ["[a-"], ["a"]],
    ["[a-\\", ["[a-\\"], ["a"]],
    ["[\\", ["[\\"], ["\\"]],
    ["[a", ["[a"], ["a"]],
    ["[", ["["], [""]],
    ["[[:digit:]]", ["1"], ["a", ":", "[", "1]"]],
    ["[[:digit:]x]", ["1", "x"], ["a", "]"]],
    ["[![:digit:]]", ["a"], ["1"]],
    ["[a[:xdigit:]z]", ["a", "F", "z"], ["g", ":"]],
    ["[[:nope:]]", ["n]", ":]", "[]"], ["n", "x]"]],
    ["[[:upper:]]", ["A"], ["a"]],
    ["[[:lower:]]", ["a"], ["A"]],
  ])("%s means %j and not %j", (pattern, meant, others) => {
    const isMeant = compilePart(pattern);
    expect(meant.filter((name) => !isMeant(name))).toEqual([]);
    expect(others.filter(isMeant)).toEqual([]);
  });

  it("knows no letter case where that is asked for, in classes neither", () => {
    const folded = (pattern: string) => ["a", "A", "1"].filter(compilePart(pattern, { fold: true }));
    expect(folded("[[:upper:]]")).toEqual(["a", "A"]);
    expect(folded("[[:lower:]]")).toEqual(["a", "A"]);
    expect(folded("A")).toEqual(["a", "A"]);
    expect(folded("[[:digit:]]")).toEqual(["1"]);
  });

  it("says what bash says", () => {
    const piece = fc.constantFrom(
      ..."ab.-]!^x",
      "*",
      "?",
      "[ab]",
      "[!a]",
      "[^b]",
      "[a-c]",
      "[]a]",
      "[[:digit:]]",
      "\\*",
      "\\?",
      "[",
      "**",
      "1",
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    const name = fc.string({ unit: fc.constantFrom(..."abx.-]![*1?^"), minLength: 1, maxLength: 6 });
    const pairs = fc.sample(fc.tuple(pattern, name), { numRuns: runs * 20, seed: 7 });
    const script =
      "while IFS= read -r p && IFS= read -r n; do if [[ $n == $p ]]; then echo 1; else echo 0; fi; done";
    const input = pairs.map(([p, n]) => `${p}\n${n}\n`).join("");
    const { stdout } = spawnSync("bash", ["-c", script], {
      input,
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    const bash = stdout.trim().split("\n");
    expect(bash).toHaveLength(pairs.length);
    expect(bash.filter((answer) => answer === "1").length).toBeGreaterThan(pairs.length / 50);
    const differing = pairs.filter(([p, n], i) => compilePart(p, { hidden: true })(n) !== (bash[i] === "1"));
    expect(differing).toEqual([]);
  });

  it("leaves hidden names alone unless the pattern has the dot, or is told to", () => {
    expect(compilePart("*")(".git")).toBe(false);
    expect(compilePart("?git")(".git")).toBe(false);
    expect(compilePart("[.]git")(".git")).toBe(false);
    expect(compilePart(".g*")(".git")).toBe(true);
    expect(compilePart("*", { hidden: true })(".git")).toBe(true);
  });

  it("compares without case when told to", () => {
    expect(compilePart(".G*")(".git")).toBe(false);
    expect(compilePart(".G*", { fold: true })(".git")).toBe(true);
  });

  it("is not slowed down by many stars", () => {
    expect(compilePart(`${"*a".repeat(60)}*b`)("a".repeat(255))).toBe(false);
  });
});
