import type { SDKMessage, SDKUserMessageOut } from "@castellan/sdk";
import { callText } from "./call-text.ts";
import { oneLine, printable, type Style } from "./style.ts";

/** Where a transcript is written: the model's text, and everything about it. */
export interface TranscriptPorts {
  /** The model's text alone: what a pipe behind `castellan run` gets. */
  readonly answer: { write(text: string): void };
  readonly notes: { write(text: string): void };
  readonly style: Style;
  /** Columns of a note. */
  readonly width: number;
}

/** Prints messages as they come: text as it streams, a line a call, a line a result. */
export interface Transcript {
  message(message: SDKMessage): void;
}

export function createTranscript(ports: TranscriptPorts): Transcript {
  const { style, width } = ports;
  /** The calls of the latest answer: with several, each result says whose it is. */
  let batch = new Map<string, string>();
  let streamed = false;
  let openLine = false;

  const note = (line: string): void => {
    if (openLine) ports.answer.write("\n");
    openLine = false;
    ports.notes.write(`${line}\n`);
  };
  const say = (text: string): void => {
    const safe = printable(text);
    ports.answer.write(safe);
    openLine = !safe.endsWith("\n");
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
          batch = new Map();
          for (const block of message.message.content) {
            if (block.type === "text" && !streamed) say(block.text);
            if (block.type !== "tool_use") continue;
            batch.set(block.id, block.name);
            note(
              `${style.cyan("●")} ${style.bold(oneLine(block.name, 64))} ${oneLine(callText(block.input), width - block.name.length - 4)}`,
            );
          }
          if (openLine) ports.answer.write("\n");
          openLine = false;
          streamed = false;
          return;
        }
        case "user":
          note(resultLine(message, batch, style, width));
          return;
        case "system":
          if (message.subtype === "notification" && message.level !== "info") {
            const mark = message.level === "error" ? style.red("✗") : style.yellow("!");
            note(`${mark} ${printable(message.message)}`);
          }
          return;
        default:
          return;
      }
    },
  };
}

function resultLine(
  message: SDKUserMessageOut,
  batch: ReadonlyMap<string, string>,
  style: Style,
  width: number,
): string {
  const { content } = message.message;
  const block = typeof content === "string" ? undefined : content.find((each) => each.type === "tool_result");
  if (block?.type !== "tool_result") return style.dim("  └");
  const text =
    typeof block.content === "string"
      ? block.content
      : block.content.map((each) => (each.type === "text" ? each.text : "[image]")).join("\n");
  const decision = message.permission_decision;
  const whose = batch.size > 1 ? `${batch.get(block.tool_use_id) ?? ""} ` : "";
  if (decision?.behavior === "deny") {
    const rule =
      decision.rule === undefined ? "" : style.dim(` (${decision.rule.text}, ${decision.rule.source})`);
    return `  ${style.red("└ denied")} ${oneLine(decision.message, width - 12)}${rule}`;
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const first = oneLine(lines[0] ?? "(no output)", width - 24);
  const more = lines.length > 1 ? style.dim(` … ${lines.length} lines`) : "";
  const mark = block.is_error === true ? style.red("└") : style.dim("└");
  return `  ${mark} ${whose}${block.is_error === true ? style.red(first) : style.dim(first)}${more}`;
}
