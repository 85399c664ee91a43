import type { DecodedText, TextEncoding } from "./decode-text.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

export type Encoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `character` has no place in the encoding. */
  | { readonly ok: false; readonly character: string };

const MARKS: Readonly<Partial<Record<TextEncoding, readonly number[]>>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
};

/** The bytes of a text in the encoding that it was read from, its mark included. */
export function encodeText(decoded: DecodedText): Encoded {
  const { text, encoding } = decoded;
  const mark = Buffer.from(decoded.bom ? (MARKS[encoding] ?? []) : []);
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone !== null) return { ok: false, character: lone[0] };
  if (encoding === "utf-8") return { ok: true, bytes: Buffer.concat([mark, Buffer.from(text, "utf8")]) };
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const bytes = Buffer.from(text, "utf16le");
    return { ok: true, bytes: Buffer.concat([mark, encoding === "utf-16be" ? bytes.swap16() : bytes]) };
  }
  return encodeByTable(text, encoding);
}

/** Whether writing `decoded` back unchanged gives exactly `bytes`. */
export function isFaithful(decoded: DecodedText, bytes: Uint8Array): boolean {
  // Strict decoding of Unicode can always be undone.
  if (Object.hasOwn(MARKS, decoded.encoding)) return true;
  const again = encodeText(decoded);
  return again.ok && Buffer.compare(again.bytes, bytes) === 0;
}

function encodeByTable(text: string, encoding: TextEncoding): Encoded {
  const table = tableOf(encoding);
  const out = Buffer.alloc(text.length * 2);
  let length = 0;
  for (const character of text) {
    const code = table.get(character);
    if (code === undefined) return { ok: false, character };
    if (code > 0xff) out[length++] = code >> 8;
    out[length++] = code & 0xff;
  }
  return { ok: true, bytes: out.subarray(0, length) };
}

const tables = new Map<TextEncoding, ReadonlyMap<string, number>>();

function tableOf(encoding: TextEncoding): ReadonlyMap<string, number> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = invert(encoding);
  tables.set(encoding, table);
  return table;
}

/** What the decoder reads tells what an encoder must write: one or two bytes a character. */
function invert(encoding: TextEncoding): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  if (encoding === "windows-1252") {
    for (let byte = 0; byte < 0x100; byte++) table.set(decodeWindows1252(Uint8Array.of(byte)), byte);
    return table;
  }
  const decoder = new TextDecoder(encoding);
  for (let byte = 0; byte < 0x100; byte++) {
    const character = decoder.decode(Uint8Array.of(byte));
    if (character !== "\ufffd") table.set(character, byte);
  }
  const pairs: number[] = [];
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) pairs.push(lead, trail, 0x0a);
  }
  const characters = decoder.decode(Uint8Array.from(pairs)).split("\n");
  let index = 0;
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      const character = characters[index++] ?? "";
      if ([...character].length !== 1 || character === "\ufffd" || table.has(character)) continue;
      table.set(character, lead * 0x100 + trail);
    }
  }
  return table;
}
