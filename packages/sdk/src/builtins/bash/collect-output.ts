import { StringDecoder } from "node:string_decoder";
import { cutAt } from "../../tools/index.ts";

/** What a command printed, as text in the order in which it came. */
export interface OutputCollector {
  push(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** Call once, when nothing more comes. */
  finish(): CollectedOutput;
}

export interface CollectedOutput {
  readonly text: string;
  /** Characters that came after the most that is kept. */
  readonly dropped: number;
  /** The last characters of all that came, also of what was dropped. */
  readonly tail: string;
}

/** Characters kept of one command: below what one artifact may hold. */
export const MOST_KEPT: number = 24 * 1024 * 1024;
/** Characters of the end that are always kept. */
export const TAIL = 14_500;

/**
 * Joins both streams. A character that arrives in two chunks is put together, for each stream by
 * itself. `onText` gets each new piece.
 */
export function collectOutput(onText: (text: string) => void, most: number = MOST_KEPT): OutputCollector {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const pieces: string[] = [];
  let length = 0;
  let dropped = 0;
  let recent = "";
  const add = (text: string): void => {
    if (text === "") return;
    const kept = length + text.length <= most ? text : cutAt(text, Math.max(0, most - length));
    dropped += text.length - kept.length;
    // Once something is dropped, nothing later may follow as if it came next.
    length = kept === text ? length + text.length : most;
    if (kept !== "") pieces.push(kept);
    recent = recent.length + text.length < 4 * TAIL ? recent + text : (recent + text).slice(-TAIL);
    onText(text);
  };
  return {
    push: (stream, chunk) => add(decoders[stream].write(Buffer.from(chunk))),
    finish: () => {
      add(decoders.stdout.end());
      add(decoders.stderr.end());
      return { text: pieces.join(""), dropped, tail: recent.slice(-TAIL).replace(/^[\udc00-\udfff]/, "") };
    },
  };
}
