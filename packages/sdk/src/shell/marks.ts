import { MAX_EXPANSIONS, MAX_HERE_DOCUMENTS } from "./limits.ts";

/**
 * Whether a text has so many here-documents, expansions and substitutions that it is not parsed at all: the parser
 * takes longer for each the more there are. Counted without a look at quotes, so that no way to write them hides one.
 */
export function holdsTooManyMarks(text: string): boolean {
  if (text.length < 2 * MAX_HERE_DOCUMENTS) return false;
  let documents = 0;
  let expansions = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === LESS && before === LESS) documents += 1;
    else if (unit === TICK) expansions += 0.5;
    else if (unit === DOLLAR) expansions += 0.5;
    else if (unit === OPEN && (before === LESS || before === GREATER)) expansions += 1;
    else if ((unit === OPEN || unit === BRACE) && before === DOLLAR) expansions += 0.5;
    before = unit;
  }
  return documents > MAX_HERE_DOCUMENTS || expansions > MAX_EXPANSIONS;
}

const DOLLAR = 36;
const OPEN = 40;
const LESS = 60;
const GREATER = 62;
const TICK = 96;
const BRACE = 123;
