import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldPath } from "../../packages/sdk/src/permissions/rule/fold.ts";
import { matchesSegment, parseSegment } from "../../packages/sdk/src/permissions/rule/segment.ts";
import { compilePart } from "../../packages/sdk/src/workspace/compile-part.ts";
import { foldCase } from "../../packages/sdk/src/workspace/fold-name.ts";
import { runs } from "../setup/runs.ts";

// Rules and the disk are compared by two rooms that may not import each other. What one takes for a match, the other must too.

describe("patterns and names without letter case", () => {
  it("are folded alike, whatever the text", () => {
    const odd = fc.constantFrom(
      "ſ",
      "İ",
      "ı",
      "K",
      "ß",
      "ẞ",
      "é",
      "e\u0301",
      "Σ",
      "ς",
      "ﬀ",
      "A",
      "\ud800",
      "Å",
    );
    const text = fc.array(fc.oneof(odd, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 6 });
    fc.assert(
      fc.property(text, (parts) => {
        expect(foldPath(parts.join(""))).toBe(foldCase(parts.join("")));
      }),
      { numRuns: runs },
    );
  });

  it("mean the same names in rules and on the disk", () => {
    const piece = fc.constantFrom(
      ..."abZ.-]!^x1",
      ...[
        "*",
        "?",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        "[]a]",
        "[!]a]",
        "[[:digit:]]",
        "[[:alpha:]]",
        "[[:space:]_]",
      ],
      ...["\\*", "\\?", "\\[", "[\\]]", "[a-\\c]", "[", "[a", "[[:xdigit:]]", "[x[:upper:]]"],
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const name = fc.string({ unit: fc.constantFrom(..."abzx.-][*1?^!_ "), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pattern, name, (text, each) => {
        fc.pre(!text.includes("**"));
        const segment = parseSegment(foldPath(text), false);
        const onDisk = compilePart(text, { hidden: true, fold: true })(each);
        expect(matchesSegment(segment, foldPath(each)), `${text} on ${each}`).toBe(onDisk);
      }),
      { numRuns: runs * 5 },
    );
  });
});
