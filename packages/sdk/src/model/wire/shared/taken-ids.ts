import type { Message } from "../../../protocol/index.ts";

interface Known {
  readonly ids: Set<string>;
  seen: number;
}

const known = new WeakMap<readonly Message[], Known>();

/** The ids of the calls in a history. Nothing is looked at before the first question, and each message once. */
export function takenIds(messages: readonly Message[]): (id: string) => boolean {
  return (id) => {
    let found = known.get(messages);
    if (found === undefined) {
      found = { ids: new Set(), seen: 0 };
      known.set(messages, found);
    }
    for (; found.seen < messages.length; found.seen += 1) {
      for (const part of messages[found.seen]?.parts ?? []) {
        if (part.type === "toolCall") found.ids.add(part.id);
      }
    }
    return found.ids.has(id);
  };
}
