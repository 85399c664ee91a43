import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TextEncoding } from "../files/decode-text.ts";
import { encodeText } from "../files/encode-text.ts";
import { builtinKit, type Kit } from "../test-kit.ts";

const runs = Math.ceil(Number(process.env.CASTELLAN_RUNS ?? 200) / 4);

let kit: Kit;
beforeAll(async () => {
  kit = await builtinKit();
});
afterAll(() => kit.remove());

const FORMS: readonly (readonly [TextEncoding, boolean, string])[] = [
  ["utf-8", false, "héllo wörld 日本 😀"],
  ["utf-8", true, "héllo wörld 日本 😀"],
  ["utf-16le", true, "héllo 日本 😀"],
  ["utf-16be", true, "héllo 日本 😀"],
  ["windows-1252", false, "déjà vu “quoted” — été à côté"],
  ["shift_jis", false, "これは日本語の文章です。"],
  ["euc-jp", false, "これは日本語の文章です。"],
  ["gbk", false, "这是中文文本的一个例子。"],
  ["big5", false, "這是一個中文的例子。"],
  ["euc-kr", false, "이것은 한국어 문장입니다."],
];

function bytesOf(text: string, encoding: TextEncoding, bom: boolean): Buffer {
  const encoded = encodeText({ text, encoding, bom });
  if (!encoded.ok) throw new Error(encoded.character);
  return Buffer.from(encoded.bytes);
}

describe("Edit on the disk", () => {
  it.each(FORMS)("changes the named text in %s, mark %s, and no other byte", async (encoding, bom, words) => {
    const line = fc.constantFrom(words, "", "x", "  indented", `x ${words} $&`);
    const property = fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      fc.array(fc.constantFrom("new", words, "$1 $& \\n", ""), { minLength: 1, maxLength: 3 }),
      fc.constantFrom("\n", "\r\n"),
      async (before, after, put, ending) => {
        const whole = (middle: readonly string[]) =>
          [words, ...before, ...middle, ...after].join(ending) + ending;
        await kit.put("file.txt", bytesOf(whole(["<<here>>", "and here"]), encoding, bom));
        await kit.call("Read", { file_path: "file.txt" });
        const input = { file_path: "file.txt", old_string: "<<here>>\nand here", new_string: put.join("\n") };
        expect((await kit.call("Edit", input)).isError).toBe(false);
        const wanted = bytesOf(whole(put), encoding, bom);
        expect((await kit.bytes("file.txt")).toString("hex")).toBe(wanted.toString("hex"));
      },
    );
    await fc.assert(property, { numRuns: runs });
  });
});
