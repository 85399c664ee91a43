import type { SDKMessage } from "@castellan/sdk";

/** What somebody who prints deltas, and takes back what is withdrawn, has on the screen at the end. */
export interface Screen {
  /** The text of each message, in order. */
  readonly texts: readonly string[];
  /** How many messages were taken back. */
  readonly withdrawn: number;
}

/**
 * Reads a run as such a consumer does.
 *
 * @throws Error when a message is taken back that was never shown, or goes on after it was taken back.
 */
export function screenOf(messages: Iterable<SDKMessage>): Screen {
  const shown = new Map<string, string>();
  const gone = new Set<string>();
  for (const message of messages) {
    if (message.type === "stream_event") {
      if (gone.has(message.uuid)) throw new Error("A withdrawn message goes on.");
      const before = shown.get(message.uuid);
      const { event } = message;
      if (event.type === "message_start") {
        if (before !== undefined) throw new Error("A message begins twice.");
        shown.set(message.uuid, "");
      } else if (before === undefined) throw new Error(`${event.type} before message_start.`);
      else if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        shown.set(message.uuid, before + event.delta.text);
      }
    } else if (message.type === "system" && message.subtype === "message_withdrawn") {
      if (!shown.delete(message.withdrawn_uuid)) throw new Error("Withdrawn, but never shown.");
      gone.add(message.withdrawn_uuid);
    }
  }
  return { texts: [...shown.values()], withdrawn: gone.size };
}

/** The text of each finished assistant message, in order. */
export function finishedTexts(messages: Iterable<SDKMessage>): string[] {
  const texts: string[] = [];
  for (const message of messages) {
    if (message.type !== "assistant") continue;
    texts.push(message.message.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
  }
  return texts;
}
