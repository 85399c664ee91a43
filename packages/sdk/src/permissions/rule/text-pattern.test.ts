import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import { hasOperator } from "./operators.ts";
import { matchesStar, starsMeet } from "./star.ts";
import {
  foldFirstWord,
  foldPattern,
  matchesText,
  mayMatchText,
  parseTextPattern,
  type TextPattern,
} from "./text-pattern.ts";

function pattern(specifier: string): TextPattern {
  const parsed = parseTextPattern(specifier, true);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed;
}

describe("Bash patterns", () => {
  it.each([
    ["npm run test:*", "npm run test", true],
    ["npm run test:*", "npm run test -- -w", true],
    ["npm run test:*", "npm run test:unit", false],
    ["npm run test:*", "npm run testing", false],
    ["npm run test *", "npm run test", true],
    ["npm run test *", "npm run test x", true],
    ["npm run test *", "npm run testing", false],
    ["npm run test*", "npm run test:unit", true],
    ["npm run test*", "npm run test", true],
    ["git * main", "git push origin main", true],
    ["git * main", "git checkout main2", false],
    ["git * main", "git main", false],
    ["* --version", "foo --version", true],
    ["* --version", "--version", false],
    ["touch q?", "touch q1", false],
    ["touch q?", "touch q?", true],
    ["mkdir [ab]", "mkdir a", false],
    ["mkdir [ab]", "mkdir [ab]", true],
    ["ls:* x", "ls:y x", true],
    ["ls:* x", "ls x", false],
    ["echo \\*", "echo *", true],
    ["echo \\*", "echo a", false],
    ["echo \\*:*", "echo * b", true],
    ["git * push:*", "git -C x push", true],
    ["git * push:*", "git -C x push origin", true],
    ["git * push:*", "git -C x pushed", false],
    ["touch q", "touch q", true],
    ["touch q", "touch qq", false],
    [" touch q ", "touch q", false],
    ["FOO=1 npm test:*", "FOO=1 npm test a", true],
  ])("%j on %j is %s", (specifier, text, want) => {
    expect(matchesText(pattern(specifier), text)).toBe(want);
  });

  it.each(["a && b", "a || b", "a; b", "a | b", "a & b", "a > b", "a 2>&1", "a < b", "a\nb"])(
    "%j describes a whole line",
    (text) => {
      expect(pattern(`${text} *`)).toEqual({ kind: "line", text: `${text} *` });
    },
  );

  it.each(["echo 'a;b'", 'echo "a && b"', "echo \\; x", "find . -exec rm {} \\;", "echo a\\|b"])(
    "%j holds no operator",
    (text) => {
      expect(hasOperator(text)).toBe(false);
    },
  );

  it.each([
    ["git push:*", ["git ", ""], true],
    ["git push:*", ["git ", " origin"], true],
    ["rm:*", ["ls ", ""], false],
    ["rm:*", ["", " x"], true],
    ["git push", ["git ", "h"], true],
    ["git push", ["git ", "x"], false],
    ["git * main", ["git ", ""], true],
    ["git * main", ["git ", " dev"], false],
  ])("%j may match %j: %s", (specifier, pieces, want) => {
    expect(mayMatchText(pattern(specifier), pieces)).toBe(want);
  });

  it("never tells less apart folded than plain", () => {
    const specifier = fc.string({
      unit: fc.constantFrom("R", "r", "m", " ", "*", "x"),
      minLength: 1,
      maxLength: 8,
    });
    const text = fc.string({ unit: fc.constantFrom("R", "r", "m", " ", "x"), maxLength: 8 });
    fc.assert(
      fc.property(specifier, text, (own, form) => {
        const parsed = parseTextPattern(own, true);
        if ("error" in parsed || !matchesText(parsed, form)) return;
        const folded = foldPattern(parsed);
        // A first word that holds a wildcard is compared plain as well, in the index.
        if (folded.kind === "word" && folded.firstWord === undefined) return;
        expect(matchesText(folded, foldFirstWord(form))).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

describe("star patterns", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 });
  const pieces = fc.array(piece, { minLength: 1, maxLength: 4 });

  function slowly(list: readonly string[], text: string): boolean {
    const escaped = list.map((part) => part.replace(/[^ab]/g, ""));
    return new RegExp(`^${escaped.join("[ab]*")}$`).test(text);
  }

  it("agree with a regular expression", () => {
    fc.assert(
      fc.property(pieces, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 }), (list, text) => {
        expect(matchesStar(list, text)).toBe(slowly(list, text));
      }),
      { numRuns: runs * 5 },
    );
  });

  it("meet exactly when some text is described by both", () => {
    const texts: string[] = [""];
    for (let length = 0; length < 9; length += 1) {
      for (const text of texts.filter((each) => each.length === length)) texts.push(`${text}a`, `${text}b`);
    }
    const short = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 2 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(short, short, (a, b) => {
        const both = texts.some((text) => matchesStar(a, text) && matchesStar(b, text));
        // Every meeting has a witness no longer than all pieces together.
        if (a.join("").length + b.join("").length <= 9) expect(starsMeet(a, b)).toBe(both);
      }),
      { numRuns: runs },
    );
  });

  it("takes long texts in no time to speak of", () => {
    const list = Array.from({ length: 200 }, () => "a");
    expect(matchesStar([...list, "b"], "a".repeat(100_000))).toBe(false);
  });
});
