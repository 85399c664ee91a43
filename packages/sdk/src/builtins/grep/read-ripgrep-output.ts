import { splitLines } from "../files/number-lines.ts";
import { cutLine, cutPart } from "./cut-line.ts";
import type { GrepMode, HitLine, SearchRequest } from "./search-types.ts";

/** Turns the bytes that ripgrep prints into hits as they come. */
export interface OutputReader {
  /** False: enough. */
  push(chunk: Uint8Array): boolean;
}

/** More than this in one line of output is a file without line ends; it is left out. */
const MOST_PENDING = 32 * 1024 * 1024;

export function readRipgrepOutput(request: SearchRequest): OutputReader {
  const take = request.mode === "content" ? takeEvents(request) : takeNames(request, request.mode);
  let pending: Buffer[] = [];
  let size = 0;
  return {
    push(chunk) {
      let rest = Buffer.from(chunk);
      for (let end = take.endOf(rest); end !== -1; end = take.endOf(rest)) {
        pending.push(rest.subarray(0, end));
        const record = Buffer.concat(pending).toString("utf8");
        pending = [];
        rest = rest.subarray(end + 1);
        const isEnough = size <= MOST_PENDING && !take.record(record);
        size = 0;
        if (isEnough) return false;
      }
      size += rest.length;
      if (size <= MOST_PENDING) pending.push(rest);
      else pending = [];
      return true;
    },
  };
}

interface Taker {
  endOf(bytes: Buffer): number;
  record(text: string): boolean;
}

/** `path NUL`, or `path NUL count NEWLINE`: a path may hold newlines, never a zero byte. */
function takeNames(request: SearchRequest, mode: GrepMode): Taker {
  let path: string | undefined;
  const give = (found: string, count: number): boolean => {
    const clean = withoutDot(found);
    return !request.accepts(clean) || request.take({ path: clean, count, lines: [] });
  };
  return {
    endOf: (bytes) => bytes.indexOf(path === undefined ? 0 : 0x0a),
    record(text) {
      if (mode === "files_with_matches") return give(text, 0);
      if (path === undefined) {
        path = text;
        return true;
      }
      const found = path;
      path = undefined;
      return give(found, Number(text));
    },
  };
}

interface Text {
  readonly text?: string;
  readonly bytes?: string;
}

interface RipgrepEvent {
  readonly type: "begin" | "match" | "context" | "end" | "summary";
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly binary_offset?: number | null;
    readonly submatches?: readonly { readonly match: Text; readonly start: number; readonly end: number }[];
  };
}

function takeEvents(request: SearchRequest): Taker {
  let path = "";
  let isWanted = false;
  let lines: HitLine[] = [];
  let count = 0;
  return {
    endOf: (bytes) => bytes.indexOf(0x0a),
    record(text) {
      const event = JSON.parse(text) as RipgrepEvent;
      if (event.type === "begin") {
        path = withoutDot(textOf(event.data.path));
        isWanted = request.accepts(path);
        lines = [];
        count = 0;
      } else if (!isWanted) return true;
      else if (event.type === "match" || event.type === "context") {
        if (event.type === "match") count += 1;
        lines.push(...hitLines(event));
        if (lines.length > request.mostLines && count > 0) {
          request.take({ path, count, lines });
          return false;
        }
      } else if (event.type === "end" && event.data.binary_offset == null && count > 0) {
        return request.take({ path, count, lines });
      }
      return true;
    },
  };
}

function hitLines(event: RipgrepEvent): HitLine[] {
  const { data } = event;
  const whole = textOf(data.lines);
  const bytes = Buffer.from(whole, "utf8");
  const first = data.line_number ?? 1;
  const texts = splitLines(whole);
  const matches = (data.submatches ?? []).map((each) => {
    const before = bytes.subarray(0, each.start).toString("utf8");
    const start = before.lastIndexOf("\n") + 1;
    return {
      part: cutPart(textOf(each.match)),
      line: before.split("\n").length - 1,
      at: before.length - start,
    };
  });
  return texts.map((text, index) => {
    const own = matches.filter((match) => match.line === index);
    return {
      number: first + index,
      text: cutLine(text, own[0]?.at ?? 0),
      isMatch: event.type === "match",
      parts: own.map((match) => match.part).filter((part) => part !== ""),
    };
  });
}

/** Bytes that are no UTF-8 come in base64. */
function textOf(value: Text | undefined): string {
  return value?.text ?? Buffer.from(value?.bytes ?? "", "base64").toString("utf8");
}

const withoutDot = (path: string): string => path.replace(/^\.\//, "");
