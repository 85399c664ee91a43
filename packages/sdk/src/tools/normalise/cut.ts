import { cutAt } from "../cut-text.ts";

/** The first `max` characters, with a mark when there are more. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${cutAt(text, max)}…`;
}
