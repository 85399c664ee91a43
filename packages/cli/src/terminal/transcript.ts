import type { SDKApiRetry, SDKMessage, SDKStatus, SDKUserMessageOut } from "@castellan/sdk";
import { withoutProgramFixes } from "../run/options.ts";
import { callText } from "./call-text.ts";
import { columnsOf, oneLine, wrapped } from "./columns.ts";
import { type Answerer, decisionText } from "./decision-text.ts";
import type { Floor } from "./floor.ts";
import { printable } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** How many lines of a result are shown. */
const RESULT_LINES = 3;

/** Where a transcript is written: the model's text, and everything about it. */
export interface TranscriptPorts {
  /** Gets the model's text and nothing else. */
  readonly answer: { write(text: string): unknown };
  readonly notes: { write(text: string): unknown };
  readonly floor: Floor;
  /** Of `notes`. */
  readonly style: Style;
  /** Columns of a note. */
  readonly width: number;
  answeredBy?(toolUseId: string): Answerer | undefined;
}

/**
 * Prints messages as they come: text as it streams where the session gives its deltas, else answer by answer; a line a
 * call, a line a result.
 */
export interface Transcript {
  message(message: SDKMessage): void;
}

export function createTranscript(ports: TranscriptPorts): Transcript {
  const { floor, style, width } = ports;
  /** The calls of the latest answer: with several, each result says whose it is. */
  let batch = new Map<string, string>();
  let streamed = false;
  let midLine = false;
  /** The model has said or called something in this turn. */
  let hasAnswered = false;
  /** Notes that came in the middle of a line of the model. */
  let late: string[] = [];

  const note = (line: string): void => {
    if (midLine) late.push(line);
    else floor.write(ports.notes, `${line}\n`);
  };
  const say = (text: string): void => {
    if (text === "") return;
    const safe = printable(text);
    floor.write(ports.answer, safe);
    midLine = !safe.endsWith("\n");
  };
  const endLine = (): void => {
    if (midLine) say("\n");
    const held = late;
    late = [];
    for (const line of held) note(line);
  };

  return {
    message(message) {
      switch (message.type) {
        case "stream_event": {
          const { event } = message;
          if (event.type !== "content_block_delta" || event.delta.type !== "text_delta") return;
          streamed = true;
          say(event.delta.text);
          return;
        }
        case "assistant": {
          const { content } = message.message;
          if (!streamed) for (const block of content) if (block.type === "text") say(block.text);
          streamed = false;
          hasAnswered = true;
          endLine();
          batch = new Map();
          for (const block of content) {
            if (block.type !== "tool_use") continue;
            const name = oneLine(block.name, 64);
            const about = oneLine(callText(block.input), Math.max(20, width - columnsOf(name) - 3));
            batch.set(block.id, `${name} ${about}`);
            note(`${style.cyan("●")} ${style.bold(name)} ${about}`);
          }
          return;
        }
        case "user":
          for (const line of resultLines(message, batch, ports)) note(line);
          return;
        case "system":
          if (message.subtype === "message_withdrawn" && streamed) {
            // What is printed stays on the screen: say there that it does not count, before the new try prints.
            streamed = false;
            endLine();
            const mark = style.yellow("! The answer above broke off and does not count.");
            floor.write(ports.answer, `${mark}\n`);
          }
          if (message.subtype === "status" && message.held_back !== undefined)
            note(style.yellow(heldLine(message.held_back)));
          if (message.subtype === "api_retry") note(style.yellow(retryLine(message)));
          if (message.subtype === "notification" && message.level !== "info") {
            const mark = message.level === "error" ? style.red("✗") : style.yellow("!");
            note(`${mark} ${printable(withoutProgramFixes(message.message))}`);
          }
          return;
        case "result":
          endLine();
          // A command of the session, such as /compact, has no answer of the model: what came of it stands here alone.
          if (!hasAnswered && message.subtype === "success" && message.result !== "")
            note(printable(message.result));
          hasAnswered = false;
          return;
        default:
          return;
      }
    },
  };
}

/** Why a request is sent again, and when. */
function retryLine(retry: SDKApiRetry): string {
  const { attempt, max_retries, retry_delay_ms, fallback_model } = retry;
  const next =
    fallback_model === undefined
      ? `Again in ${Math.ceil(retry_delay_ms / 1000)} s (${attempt} of ${max_retries}).`
      : `Going on with ${oneLine(fallback_model, 64)}.`;
  return `! ${oneLine(retry.error, 200)} ${next}`;
}

/** That a request waits for others, and for how long. */
function heldLine({ model, least_wait_ms }: NonNullable<SDKStatus["held_back"]>): string {
  const wait =
    least_wait_ms === 0 ? "until others have their answer" : `${Math.ceil(least_wait_ms / 1000)} s`;
  return `! ${oneLine(model, 64)} has refused requests with this key. The next one waits ${wait}.`;
}

/** The first lines of a result, or the whole reason of a denial. */
function resultLines(
  message: SDKUserMessageOut,
  batch: ReadonlyMap<string, string>,
  { style, width, answeredBy }: TranscriptPorts,
): readonly string[] {
  const { content } = message.message;
  const block = typeof content === "string" ? undefined : content.find((each) => each.type === "tool_result");
  if (block?.type !== "tool_result") return [];
  const whose = batch.size > 1 ? batch.get(block.tool_use_id) : undefined;
  const decision = message.permission_decision;
  const denied = decision?.behavior === "deny";
  const lines = denied
    ? wrapped(`denied: ${decisionText(decision, answeredBy?.(block.tool_use_id))}`, width - 4)
    : firstLines(textOf(block.content), width - 4);
  const colour = denied || block.is_error === true ? style.red : style.dim;
  const all = whose === undefined ? lines : [oneLine(`${whose}:`, width - 4), ...lines];
  return all.map((line, index) => `  ${colour(`${index === 0 ? "└" : " "} ${line}`)}`);
}

function textOf(content: string | readonly ({ type: "text"; text: string } | { type: "image" })[]): string {
  if (typeof content === "string") return content;
  return content.map((each) => (each.type === "text" ? each.text : "[image]")).join("\n");
}

function firstLines(text: string, width: number): readonly string[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) return ["(no output)"];
  const left = lines.length - RESULT_LINES;
  const more = left > 0 ? ` … ${left} more` : "";
  return lines
    .slice(0, RESULT_LINES)
    .map((line, index) =>
      index < RESULT_LINES - 1 ? oneLine(line, width) : oneLine(line, width - more.length) + more,
    );
}
