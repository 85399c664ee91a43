import { describe, expect, it } from "vitest";
import { explainNoMatch } from "./explain-no-match.ts";

describe("explainNoMatch", () => {
  it("finds what differs in blanks or letters only, and a first line that stands", () => {
    const file = "one\n\ttwo  x\nThree\nfour\n";
    expect(explainNoMatch(file, "one\n  two x")).toContain("at line 1 differs from it only in blanks");
    expect(explainNoMatch(file, "three\nFOUR")).toContain("at line 3 differs from it only in letter case");
    expect(explainNoMatch(file, "one\nother")).toContain("first line stands at line 1");
    expect(explainNoMatch(file, "  1\tone")).toContain("line numbers");
    expect(explainNoMatch(file, "nothing like it")).toBe("");
  });

  // A search that begins anew at each line would compare 20,000,000,000 pairs here.
  it("looks through long files of like lines in one pass", () => {
    const alike = "a\n".repeat(200_000);
    const wanted = `${"a \n".repeat(100_000)}b`;
    expect(explainNoMatch(alike, wanted)).toBe(
      " Its first line stands at line 1, but what follows is different.",
    );
    expect(explainNoMatch(`${alike}b\n${alike}`, wanted)).toContain("The text at line 100001 differs");
  });

  it("finds a text behind a start of it", () => {
    const file = "a\na\nb\na\na\nb\na\na\na\nb\n";
    expect(explainNoMatch(file, "a \na\nb\na\na\na")).toContain("The text at line 4 differs");
  });
});
