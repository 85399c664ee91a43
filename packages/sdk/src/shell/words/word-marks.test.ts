import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findControl } from "../characters.ts";
import { isPlainLine, normaliseLine } from "../normalise.ts";
import { MAY_CHANGE, MAY_HOLD_PARTS, MAY_SET, marksOf, UNPLAIN } from "./word-marks.ts";

const numRuns = Number(process.env.CASTELLAN_RUNS ?? 200);

// Every character of ASCII, and some others, each as likely as the next.
const codes = fc.oneof(fc.integer({ min: 0, max: 127 }), fc.constantFrom(0x80, 0xe9, 0x2028, 0xfdd0, 0xffff));
const texts = fc.array(codes, { maxLength: 6 }).map((list) => String.fromCharCode(...list));
const plainish = fc.array(fc.constantFrom("a", "B", " ", "  ", "/", "=", "\t", "\\", "~"), { maxLength: 8 });

describe("the marks of a word", () => {
  it("are those of its characters", () => {
    for (let code = 0; code < 0x100; code += 1) {
      const c = String.fromCharCode(code);
      const marks = marksOf(`a${c}b`);
      expect([c, (marks & UNPLAIN) === 0]).toEqual([c, /[A-Za-z0-9_./:=@%+,-]/.test(c)]);
      expect([c, (marks & MAY_HOLD_PARTS) !== 0]).toEqual([c, /[$`(<>{]/.test(c)]);
      expect([c, (marks & MAY_SET) !== 0]).toEqual([c, /[=[$]/.test(c)]);
      expect([c, (marks & MAY_CHANGE) !== 0]).toEqual([c, /[$`{*?[(<>]/.test(c)]);
    }
  });

  it("add up", () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(marksOf(a + b)).toBe(marksOf(a) | marksOf(b));
      }),
      { numRuns },
    );
    expect(marksOf("")).toBe(0);
  });
});

describe("a plain line", () => {
  it("has no control character, and nothing to make one", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          plainish.map((list) => list.join("")),
        ),
        (line) => {
          fc.pre(isPlainLine(line));
          expect(findControl(line)).toBeUndefined();
          expect(normaliseLine(line)).toBe(line.trim());
        },
      ),
      { numRuns },
    );
  });

  it.each(["a  b", "a\tb", "a\nb", "a\\b", "a\x7fb", "\u00e9", "\ufdd0"])("is not %j", (line) => {
    expect(isPlainLine(line)).toBe(false);
  });

  it("is most lines", () => {
    expect(isPlainLine(" git status && echo 'a b' | cat > $HOME/x # c ")).toBe(true);
  });
});
