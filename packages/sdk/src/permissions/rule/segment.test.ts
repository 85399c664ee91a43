import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import { matchesSegment, parseSegment, segmentsMeet } from "./segment.ts";

describe("components of a path pattern", () => {
  it.each([
    ["*.pem", "a.pem", true],
    ["*.pem", "a.pem.bak", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["?", "😀", true],
    ["[!a]", "😀", true],
    ["[a-c]x", "bx", true],
    ["[a-c]x", "dx", false],
    ["[!a-c]x", "dx", true],
    ["[]]", "]", true],
    ["[a-\\c]", "b", true],
    ["[a-\\c]", "\\", false],
    ["[\\*-\\*]", "[", false],
    ["[\\]x]", "]", true],
    ["[\\]x]", "\\", false],
    ["[a", "[a", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["\\[id\\]", "[id]", true],
    ["a**b", "axxb", true],
    ["*a*b*c*", "xxaxxbxxcxx", true],
    ["😀*", "😀a", true],
  ])("%j on %j is %s", (source, text, want) => {
    expect(matchesSegment(parseSegment(source, false), text)).toBe(want);
  });

  it("takes brackets literally as well, for deny and ask", () => {
    expect(matchesSegment(parseSegment("[id]", true), "[id]")).toBe(true);
    expect(matchesSegment(parseSegment("[id]", true), "i")).toBe(true);
    expect(matchesSegment(parseSegment("[id]", false), "[id]")).toBe(false);
  });

  it("agrees with a regular expression", () => {
    const source = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(source, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }), (own, text) => {
        fc.pre(own !== "**");
        const slow = new RegExp(`^${own.replace(/\*+/g, "[ab]*").replace(/\?/g, "[ab]")}$`);
        expect(matchesSegment(parseSegment(own, false), text)).toBe(slow.test(text));
      }),
      { numRuns: runs * 5 },
    );
  });

  it("meets whatever it has a text in common with", () => {
    const source = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        source,
        source,
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 }),
        (a, b, text) => {
          const left = parseSegment(a, false);
          const right = parseSegment(b, false);
          if (matchesSegment(left, text) && matchesSegment(right, text))
            expect(segmentsMeet(left, right)).toBe(true);
        },
      ),
      { numRuns: runs * 5 },
    );
  });

  it.each([
    ["a*", "b*", false],
    ["a*", "*b", true],
    ["a", "?", true],
    ["a", "??", false],
    [".e*", ".env", true],
    ["*.ts", ".env", false],
    ["*.pem", "*.key", false],
  ])("%j and %j meet: %s", (a, b, want) => {
    expect(segmentsMeet(parseSegment(a, false), parseSegment(b, false))).toBe(want);
  });
});
