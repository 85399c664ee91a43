import type { Message } from "../../protocol/index.ts";

/** Characters of one result, and of one other text, in what a model sums up. */
const RESULT = 2_000;
const TEXT = 8_000;
const INPUT = 1_000;

/**
 * A history as text for the model that sums it up: what tools gave is cut, and where that is still too long the middle
 * is left out.
 *
 * @param room characters.
 */
export function toldHistory(messages: readonly Message[], room: number): string {
  const told = messages.map(tell);
  const whole = told.reduce((sum, text) => sum + text.length + 1, 0);
  if (whole <= room) return told.join("\n");
  const head = upTo(told, room * 0.25);
  const tail = upTo([...told.slice(head.length)].reverse(), room * 0.7).reverse();
  const left = told.length - head.length - tail.length;
  return [...head, `[${left} messages are left out here]`, ...tail].join("\n");
}

function upTo(texts: readonly string[], room: number): string[] {
  const taken: string[] = [];
  let left = room;
  for (const text of texts) {
    left -= text.length + 1;
    if (left < 0) break;
    taken.push(text);
  }
  return taken;
}

function tell(message: Message): string {
  const who = message.role === "tool" ? "results" : message.role;
  return `<${who}>\n${message.parts.map(tellPart).filter(Boolean).join("\n")}\n</${who}>`;
}

function tellPart(part: Message["parts"][number]): string {
  switch (part.type) {
    case "text":
      return cut(part.text, TEXT);
    // What a model thought is its own, and no fact.
    case "reasoning":
      return "";
    case "file":
      return `[${part.name ?? "file"}, ${part.mediaType}]`;
    case "toolCall":
      return `[calls ${part.name} ${cut(part.invalidInput ?? JSON.stringify(part.input), INPUT)}]`;
    case "toolResult": {
      const content = part.content.map((each) => (each.type === "text" ? each.text : `[${each.mediaType}]`));
      return `[${part.isError ? "error" : "result"} of ${part.name}] ${cut(content.join("\n"), RESULT)}`;
    }
  }
}

/** Head and tail, with the number of characters between them; never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.6)).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - Math.floor(most * 0.4)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters …]\n${tail}`;
}
