import { StringDecoder } from "node:string_decoder";

/** Reads server-sent events out of bytes, however these are cut. */
export interface SseParser {
  push(bytes: Uint8Array): void;
  /** The bytes have ended. An event whose last line was complete is still given, half a line is dropped. */
  end(): void;
}

/** Characters of one event; a longer one throws RangeError. */
const LONGEST = 32 * 1024 * 1024;
const BOM = 0xfeff;

/**
 * Lines end in LF, CRLF or CR. Several `data` lines of one event are joined by LF; comments and all other
 * fields are dropped (our formats name an event in its data), and so is an event without data.
 */
export function createSseParser(onEvent: (data: string) => void): SseParser {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let data: string | undefined;
  let begun = false;
  let afterCr = false;

  function dispatch(): void {
    if (data !== undefined) onEvent(data);
    data = undefined;
  }

  function line(text: string): void {
    if (text === "") {
      dispatch();
    } else if (text.startsWith("data:")) {
      const value = text.slice(text.charCodeAt(5) === 32 ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > LONGEST) throw new RangeError(`An event is longer than ${LONGEST} characters.`);
    } else if (text === "data") {
      data = data === undefined ? "" : `${data}\n`;
    }
  }

  function read(incoming: string): void {
    let text = incoming;
    if (text === "") return;
    if (!begun) {
      begun = true;
      if (text.charCodeAt(0) === BOM) text = text.slice(1);
    }
    if (afterCr && text.startsWith("\n")) text = text.slice(1);
    afterCr = text.endsWith("\r");
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");

    let from = 0;
    let to = text.indexOf("\n");
    if (to >= 0 && rest !== "") {
      line(rest + text.slice(0, to));
      rest = "";
      from = to + 1;
      to = text.indexOf("\n", from);
    }
    for (; to >= 0; to = text.indexOf("\n", from)) {
      line(text.slice(from, to));
      from = to + 1;
    }
    rest = from === 0 ? rest + text : text.slice(from);
    if (rest.length > LONGEST) throw new RangeError(`A line is longer than ${LONGEST} characters.`);
  }

  return {
    push: (bytes) => read(decoder.write(bytes)),
    end() {
      read(decoder.end());
      dispatch();
    },
  };
}
