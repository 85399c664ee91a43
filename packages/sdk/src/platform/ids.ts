import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Ids } from "./port.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const SHORT_LENGTH = 12;
/** Bytes from here on would make some letters likelier than others. */
const FAIR_BYTES = 256 - (256 % LETTERS.length);

/** Random ids of this machine. */
export const nodeIds: Ids = {
  uuid: () => uuidv7(),
  short: (prefix) => `${prefix}_${randomLetters(SHORT_LENGTH)}`,
};

function randomLetters(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}
