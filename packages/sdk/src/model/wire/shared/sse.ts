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
 * Lines end in LF, CRLF or CR. Several `data` lines of one event are joined by LF; comments, `id` and `retry`
 * are dropped, and so is an event without data. `onEvent` gets data and the event's name (`message` when it has none).
 */
export function createSseParser(onEvent: (data: string, event: string) => void): SseParser {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let data: string | undefined;
  let event = "";
  let begun = false;
  let afterCr = false;

  function dispatch(): void {
    if (data !== undefined) onEvent(data, event === "" ? "message" : event);
    data = undefined;
    event = "";
  }

  function line(text: string): void {
    if (text === "") {
      dispatch();
    } else if (text.startsWith("data:")) {
      const value = text.slice(text.charCodeAt(5) === 32 ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > LONGEST) throw new RangeError(`An event is longer than ${LONGEST} characters.`);
    } else if (text.startsWith("event:")) {
      event = text.slice(text.charCodeAt(6) === 32 ? 7 : 6);
    } else if (text === "data") {
      data = data === undefined ? "" : `${data}\n`;
    } else if (text === "event") {
      event = "";
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
