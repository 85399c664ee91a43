import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecodedText, decodeText } from "./decode-text.ts";
import { encodeText, isFaithful } from "./encode-text.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

const strictly = (encoding: string) => (bytes: Uint8Array) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes);

/** Written with Python's encoders: what such files really look like. */
const SAMPLES: readonly (readonly [name: string, encoding: string, text: string, hex: string])[] = [
  [
    "Japanese",
    "shift_jis",
    "これは日本語の文章です。テスト",
    "82b182ea82cd93fa967b8cea82cc95b68fcd82c582b78142836583588367",
  ],
  [
    "Japanese",
    "euc-jp",
    "これは日本語の文章です。テスト",
    "a4b3a4eca4cfc6fccbdcb8eca4cecab8becfa4c7a4b9a1a3a5c6a5b9a5c8",
  ],
  ["Chinese", "gbk", "这是中文文本的一个例子。", "d5e2cac7d6d0cec4cec4b1beb5c4d2bbb8f6c0fdd7d3a1a3"],
  ["Chinese", "big5", "這是一個中文的例子。", "b36fac4fa440add3a4a4a4e5aabaa8d2a46ca143"],
  ["Korean", "euc-kr", "이것은 한국어 문장입니다.", "c0ccb0cdc0ba20c7d1b1b9beee20b9aec0e5c0d4b4cfb4d92e"],
  ["French", "windows-1252", "déjà vu, où ça — été", "64e96ae02076752c206ff920e761209720e974e9"],
];

describe("text that is not Unicode", () => {
  it.each(SAMPLES)("%s in %s is read and written back", (_name, encoding, text, hex) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    const decoded = decodeText(bytes);
    expect(decoded).toEqual({ text, encoding, bom: false });
    expect(isFaithful(decoded as DecodedText, bytes)).toBe(true);
  });

  it.each(SAMPLES)("%s in %s between lines of code", (_name, encoding, text, hex) => {
    const code = Buffer.from("function main() {\r\n  return 1; // ");
    const bytes = Buffer.concat([
      code,
      Buffer.from(hex.replaceAll(" ", ""), "hex"),
      Buffer.from("\r\n}\r\n"),
    ]);
    expect(decodeText(bytes)).toMatchObject({ encoding, text: expect.stringContaining(text) });
  });

  it.each([
    ["20 °C today", "323020b04320746f646179"],
    ["© Müller", "a9204dfc6c6c6572"],
    ["naïve", "6e61ef7665"],
    ["café\n", "636166e90a"],
  ])("takes accents and signs in Latin text for what they are: %s", (text, hex) => {
    expect(decodeText(Buffer.from(hex, "hex"))).toEqual({ text, encoding: "windows-1252", bom: false });
  });

  it("has no place for some characters, and says which", () => {
    for (const encoding of ["windows-1252", "shift_jis", "euc-jp", "gbk", "big5", "euc-kr"] as const) {
      expect(encodeText({ text: "a😀", encoding, bom: false })).toEqual({ ok: false, character: "😀" });
    }
  });

  it("is never taken for faithful when writing it back changes bytes", () => {
    const bytes = Buffer.from("82b182ea82cdfa4a82b182ea82cd", "hex");
    const decoded = decodeText(bytes);
    expect(decoded?.encoding).toBe("shift_jis");
    const again = encodeText(decoded as DecodedText);
    expect(again.ok && Buffer.from(again.bytes).equals(bytes)).toBe(
      isFaithful(decoded as DecodedText, bytes),
    );
  });

  it.each(["shift_jis", "euc-jp", "gbk", "big5", "euc-kr", "windows-1252"] as const)(
    "whatever %s can write, its decoder reads",
    (encoding) => {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          const encoded = encodeText({ text, encoding, bom: false });
          if (!encoded.ok) return;
          const read = encoding === "windows-1252" ? decodeWindows1252 : strictly(encoding);
          expect(read(encoded.bytes)).toBe(text);
        }),
        { numRuns: runs },
      );
    },
  );
});

describe("Unicode text", () => {
  const anyText = fc
    .string({ unit: "grapheme", maxLength: 60 })
    .filter((text) => !text.includes("\0") && !text.startsWith("\ufeff"));

  it.each([
    ["utf-8", false],
    ["utf-8", true],
    ["utf-16le", true],
    ["utf-16be", true],
  ] as const)("%s with mark %s goes round", (encoding, bom) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = encodeText({ text, encoding, bom });
        expect(encoded.ok && decodeText(encoded.bytes)).toEqual({ text, encoding, bom });
      }),
      { numRuns: runs },
    );
  });

  it("in UTF-16 without a mark is known by its zero bytes", () => {
    const text = "plain text, line 1\r\nline 2\r\n";
    const little = Buffer.from(text, "utf16le");
    expect(decodeText(little)).toEqual({ text, encoding: "utf-16le", bom: false });
    expect(decodeText(Buffer.from(little).swap16())).toEqual({ text, encoding: "utf-16be", bom: false });
  });

  it("refuses half a character instead of writing a replacement", () => {
    expect(encodeText({ text: "a\ud800b", encoding: "utf-8", bom: false })).toMatchObject({ ok: false });
    expect(encodeText({ text: "\udc00", encoding: "utf-16le", bom: true })).toMatchObject({ ok: false });
  });
});

describe("bytes that are no text", () => {
  it.each([
    ["an ELF head", "7f454c46020101000000000000000000"],
    ["a gzip head", "1f8b0800000000000003"],
    ["control bytes", "0102030405060708ff0e0f101112"],
    ["UTF-16 of odd length", "fffe610062"],
  ])("%s", (_name, hex) => {
    expect(decodeText(Buffer.from(hex, "hex"))).toBeUndefined();
  });
});
