import { momentText, spanText } from "../../builtins/index.ts";
import type { EventData, UserMessage } from "../../protocol/index.ts";

/** What the model reads of a timer that has fired: never to be taken for words of a person. */
export function timerMessage(set: EventData<"timer.set">, fired: EventData<"timer.fired">): UserMessage {
  const { timerId, cron, zone, prompt = "" } = set;
  const { due, late, next } = fired;
  const kind = cron === undefined ? "wake-up" : `cron ${cron}, ${zone};`;
  const lines = [
    `[From a timer of this session, not from the user: ${kind} ${timerId}, due at ${momentText(due)}.`,
  ];
  if (late !== undefined) {
    const others = cron === undefined ? "" : " What else it missed since then does not come any more.";
    lines.push(`It comes ${spanText(late)} late.${others}`);
  }
  if (next !== undefined) lines.push(`It comes again at ${momentText(next)}.`);
  return { role: "user", parts: [{ type: "text", text: `${lines.join(" ")}]\n\n${prompt}` }] };
}
