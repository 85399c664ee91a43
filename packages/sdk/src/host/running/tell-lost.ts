import type { Teller } from "./teller.ts";
import { type Prompt, textOf } from "./user-message.ts";

const MOST_NAMED = 5;
const MOST_SHOWN = 60;

/** Says which messages were never heard. */
export function tellLost(lost: readonly Prompt[], teller: Teller): void {
  if (lost.length === 0) return;
  const names = lost
    .slice(0, MOST_NAMED)
    .map(({ message, uuid }) => uuid ?? JSON.stringify(textOf(message).slice(0, MOST_SHOWN)));
  const more = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more` : "";
  const what = lost.length === 1 ? "A message was" : `${lost.length} messages were`;
  teller.notify("warning", `${what} not heard before the session ended: ${names.join(", ")}${more}.`);
}
