import { MAX_WALKED_TEXT } from "../limits.ts";

/** The parser goes no deeper into `${…}` of one word. */
const DEEPEST = 256;
/** Shorter words stay below the cap however they nest. */
const HARMLESS: number = MAX_WALKED_TEXT / DEEPEST;

/**
 * A word with so many `${…}` inside each other that its parts must not be asked for: the parser reads the rest of the word
 * once a level. Whoever finds one says that there was too much, and takes the word for unknown.
 */
export function isTooDeep(text: string): boolean {
  if (text.length <= HARMLESS) return false;
  let depth = 0;
  let deepest = 0;
  for (let at = text.indexOf("${"); at >= 0 && at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === CLOSE) depth = Math.max(0, depth - 1);
    else if (unit === OPEN && text.charCodeAt(at - 1) === DOLLAR) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return Math.min(deepest, DEEPEST) * text.length > MAX_WALKED_TEXT;
}

const DOLLAR = 36;
const OPEN = 123;
const CLOSE = 125;
