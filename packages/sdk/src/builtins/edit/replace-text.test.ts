import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceText } from "./replace-text.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const small = (maxLength: number) =>
  fc
    .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "$&", "é", "😀"), { maxLength })
    .map((parts) => parts.join(""));
const unix = (text: string) => text.replaceAll("\r\n", "\n");

describe("replaceText", () => {
  it("changes exactly one place and nothing around it", () => {
    fc.assert(
      fc.property(small(12), small(4), small(12), small(4), (before, old, after, put) => {
        fc.pre(unix(old) !== "");
        // A cut inside \r\n would make another text of its parts.
        fc.pre(
          !put.includes("\r\r") &&
            !before.endsWith("\r") &&
            !old.endsWith("\r") &&
            !put.endsWith("\r") &&
            !put.startsWith("\n"),
        );
        const text = before + old + after;
        const replaced = replaceText(text, old, put, false);
        const flat = unix(text);
        let count = 0;
        for (let at = flat.indexOf(unix(old)); at !== -1; at = flat.indexOf(unix(old), at + 1)) count += 1;
        if (count > 1) return void expect(replaced).toMatchObject({ kind: "many", count });
        expect(replaced.kind).toBe("replaced");
        if (replaced.kind !== "replaced") return;
        expect(replaced.text.startsWith(before)).toBe(true);
        expect(replaced.text.endsWith(after)).toBe(true);
        const middle = replaced.text.slice(before.length, replaced.text.length - after.length);
        expect(unix(middle)).toBe(unix(put));
        expect(replaced.regions).toEqual([{ start: before.length, end: before.length + middle.length }]);
      }),
      { numRuns: runs * 3 },
    );
  });

  it("with all, does what splitting and joining does", () => {
    fc.assert(
      fc.property(small(30), small(2), small(3), (text, old, put) => {
        fc.pre(unix(old) !== "" && !put.endsWith("\r"));
        const replaced = replaceText(text, old, put, true);
        const parts = unix(text).split(unix(old));
        if (parts.length === 1) return void expect(replaced).toEqual({ kind: "none" });
        expect(replaced.kind === "replaced" && replaced.regions.length).toBe(parts.length - 1);
        if (!text.includes("\r")) {
          expect(replaced.kind === "replaced" && replaced.text).toBe(parts.join(unix(put)));
        }
      }),
      { numRuns: runs * 3 },
    );
  });

  it("keeps the file's line endings, whatever the model writes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("x", "y", "zz"), { minLength: 1, maxLength: 8 }),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom("\n", "\r\n"),
        (lines, inFile, fromModel) => {
          const text = ["start", ...lines, "end"].join(inFile) + inFile;
          const old = ["start", ...lines].join(fromModel);
          const replaced = replaceText(text, old, `one${fromModel}two`, false);
          expect(replaced).toMatchObject({
            kind: "replaced",
            text: ["one", "two", "end"].join(inFile) + inFile,
          });
        },
      ),
      { numRuns: runs },
    );
  });

  it("leaves the endings of a mixed file alone outside the change", () => {
    expect(replaceText("a\r\nb\nc\r\nd\n", "c\nd", "C\nD", false)).toMatchObject({
      text: "a\r\nb\nC\r\nD\n",
    });
    expect(replaceText("a\nb\r\nc\nd\n", "a\n", "A\nB\n", false)).toMatchObject({
      text: "A\nB\nb\r\nc\nd\n",
    });
  });

  it("names the lines of every place", () => {
    expect(replaceText("x\ny\nx\r\nx", "x", "z", false)).toEqual({
      kind: "many",
      count: 3,
      lines: [1, 3, 4],
    });
  });

  it("counts overlapping places: one of them cannot be meant", () => {
    expect(replaceText("aaa", "aa", "b", false)).toMatchObject({ kind: "many", count: 2 });
    expect(replaceText("aaa", "aa", "b", true)).toMatchObject({ text: "ba" });
  });

  it.each(["$&", "$1", "$$", "$`", "$'", "\\n", "\\"])("puts %s literally", (put) => {
    expect(replaceText("a X b", "X", put, false)).toMatchObject({ text: `a ${put} b` });
    expect(replaceText("XX", "X", put, true)).toMatchObject({ text: put + put });
  });
});
