import type { Message } from "../../protocol/index.ts";

const NAMES: Readonly<Record<Message["role"], string>> = {
  user: "user",
  assistant: "agent",
  tool: "results of tools",
};

/**
 * A message of the past as text.
 *
 * @param most characters, of each part and of the whole.
 */
export function showMessage({ role, parts }: Message, number: number, most: number): string {
  const texts = parts.map((part) => cut(partText(part), most)).filter((text) => text !== "");
  return cut(`#${number} ${NAMES[role]}\n${texts.join("\n")}`, most * 3);
}

function partText(part: Message["parts"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    // Thoughts go to nobody but the provider that they came from.
    case "reasoning":
      return "";
    case "file":
      return `[${part.name ?? "file"}: ${part.mediaType}]`;
    case "toolCall":
      return `[call of ${part.name}: ${part.invalidInput ?? JSON.stringify(part.input)}]`;
    case "toolResult": {
      const content = part.content.map((each) => (each.type === "text" ? each.text : `[${each.mediaType}]`));
      return `[${part.isError ? "error" : "result"} of ${part.name}]\n${content.join("\n")}`;
    }
  }
}

/** Head and tail; never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor(most * 0.7)).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - Math.floor(most * 0.25)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters are left out …]\n${tail}`;
}
