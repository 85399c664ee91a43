import { guessEncoding, type LegacyEncoding } from "./guess-encoding.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | LegacyEncoding;

/** A text and all that is needed to write it back as the same kind of bytes. */
export interface DecodedText {
  /** Without the byte order mark; line endings as they stand in the file. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly bom: boolean;
}

/** The text in `bytes`, or undefined when they are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  return withMark(bytes) ?? plainUtf8(bytes) ?? unmarkedUtf16(bytes) ?? legacy(bytes);
}

/** What a person calls the encoding. */
export function encodingName(decoded: Pick<DecodedText, "encoding" | "bom">): string {
  return decoded.bom ? `${decoded.encoding} with a byte order mark` : decoded.encoding;
}

function withMark(bytes: Uint8Array): DecodedText | undefined {
  const marks = [
    ["utf-8", [0xef, 0xbb, 0xbf]],
    ["utf-16le", [0xff, 0xfe]],
    ["utf-16be", [0xfe, 0xff]],
  ] as const;
  for (const [encoding, mark] of marks) {
    if (!mark.every((byte, index) => bytes[index] === byte)) continue;
    const text = strictly(encoding, bytes.subarray(mark.length));
    if (text !== undefined && !text.includes("\0")) return { text, encoding, bom: true };
  }
  return undefined;
}

function plainUtf8(bytes: Uint8Array): DecodedText | undefined {
  if (bytes.includes(0)) return undefined;
  const text = strictly("utf-8", bytes);
  return text === undefined ? undefined : { text, encoding: "utf-8", bom: false };
}

/** Text that is mostly Latin has a zero byte in every second place. */
function unmarkedUtf16(bytes: Uint8Array): DecodedText | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = bytes.length / 2;
  const encoding =
    odd > half * 0.4 && even === 0 ? "utf-16le" : even > half * 0.4 && odd === 0 ? "utf-16be" : undefined;
  if (encoding === undefined) return undefined;
  const text = strictly(encoding, bytes);
  return text === undefined || hasControls(text) ? undefined : { text, encoding, bom: false };
}

function legacy(bytes: Uint8Array): DecodedText | undefined {
  if (bytes.includes(0) || isMostlyControls(bytes)) return undefined;
  const guess = guessEncoding(bytes);
  const text = guess === "windows-1252" ? undefined : strictly(guess, bytes);
  if (text !== undefined) return { text, encoding: guess, bom: false };
  return { text: decodeWindows1252(bytes), encoding: "windows-1252", bom: false };
}

function strictly(encoding: TextEncoding, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const isControl = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && code !== 0x1b && (code < 0x08 || code > 0x0d));

function hasControls(text: string): boolean {
  for (let i = 0; i < Math.min(text.length, 4096); i++) if (isControl(text.charCodeAt(i))) return true;
  return false;
}

function isMostlyControls(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 64 * 1024);
  let controls = 0;
  for (const byte of sample) if (isControl(byte)) controls += 1;
  return controls * 50 > sample.length;
}
