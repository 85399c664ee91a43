import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson } from "./safe-text.ts";

const numRuns = Number(process.env.CASTELLAN_RUNS ?? 200);
const UNSAFE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const anyText = fc.string({ unit: "binary", maxLength: 40 });

describe("printable", () => {
  it.each([
    ["\u001b[31mred", "�[31mred"],
    ["\u001b]52;c;AA==\u0007", "�]52;c;AA==�"],
    ["\u009b2J", "�2J"],
    ["safe\rover", "safe\nover"],
    ["a\r\nb", "a\nb"],
    ["\u202eabc\u2069", "�abc�"],
    ["a\u{e0041}b\u200bc\u00add\ufeff", "a�b�c�d�"],
    ["tab\tand\nline, grüße, 日本, 👩\u200d💻", "tab\tand\nline, grüße, 日本, 👩\u200d💻"],
  ])("%j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it("leaves nothing of any text that acts or hides", () => {
    fc.assert(
      fc.property(anyText, (text) => !UNSAFE.test(printable(text))),
      { numRuns },
    );
  });
});

describe("printableJson", () => {
  it("is the same value, and safe to print", () => {
    fc.assert(
      fc.property(anyText, fc.jsonValue(), (text, value) => {
        const json = printableJson({ text, value });
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ text, value })));
        return !UNSAFE.test(json);
      }),
      { numRuns },
    );
  });
});
