import { CastellanError } from "../../protocol/index.ts";
import { refused } from "./export-format.ts";
import type { ImportSource } from "./types.ts";

/** No event and no artifact is longer: 100 MB are 134 million characters of base64. */
const LONGEST_LINE = 150_000_000;

/**
 * The lines of an export, without their newline, however it comes in pieces. What stands behind the last newline is a
 * line as well, unless it is empty.
 *
 * @throws `import_refused` for too many bytes, a line that is too long, and bytes that are no UTF-8
 */
export async function* readLines(source: ImportSource, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: string[] = [];
  let length = 0;
  let bytes = 0;
  let count = 0;
  for await (const piece of pieces(source)) {
    bytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
    if (bytes > maxBytes) throw refused(0, `has more than ${maxBytes} bytes, the most that are read.`);
    let text = decode(decoder, piece);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n")) {
      count += 1;
      yield [...rest, text.slice(0, at)].join("");
      rest = [];
      length = 0;
      text = text.slice(at + 1);
    }
    length += text.length;
    if (length > LONGEST_LINE) throw refused(count + 1, `is longer than ${LONGEST_LINE} characters.`);
    if (text !== "") rest.push(text);
  }
  const last = rest.join("");
  if (last !== "") yield last;
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: string | Uint8Array): string {
  if (typeof piece === "string") return piece;
  try {
    return decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw refused(0, "is not UTF-8 text.", cause);
  }
}

async function* pieces(source: ImportSource): AsyncGenerator<string | Uint8Array> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    yield source;
    return;
  }
  const given = source as Partial<AsyncIterable<unknown>> & Partial<Iterable<unknown>>;
  if (typeof given?.[Symbol.asyncIterator] !== "function" && typeof given?.[Symbol.iterator] !== "function") {
    throw notASource();
  }
  for await (const piece of source as AsyncIterable<unknown>) {
    if (typeof piece !== "string" && !(piece instanceof Uint8Array)) throw notASource();
    yield piece;
  }
}

function notASource(): CastellanError {
  return new CastellanError("invalid_option", "importSession() was given something that is no export.", {
    subject: "source",
    fix: "Give its text or bytes, or an iterable of them such as a file stream.",
  });
}
