import type { Message } from "../protocol/index.ts";
import type { ModelRequest } from "./port.ts";

const MOST = 200;

/** A line about how a request ends, for errors. */
export function requestTail(request: ModelRequest): string {
  const last = request.messages.at(-1);
  if (last === undefined) return "The request held no message.";
  return `The request ended with a ${last.role} message: ${shorten(textOf(last))}`;
}

function textOf(message: Message): string {
  return (message.parts as readonly Part[]).map(partText).join(" | ");
}

type Part = Message["parts"][number];

function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "toolCall":
      return `call of ${part.name}`;
    case "file":
      return `file (${part.mediaType})`;
    case "toolResult": {
      const content = part.content.map((item) => (item.type === "text" ? item.text : item.mediaType));
      return `${part.isError ? "error" : "result"} of ${part.name}: ${content.join(" ")}`;
    }
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MOST ? line : `${line.slice(0, MOST)}…`;
}
