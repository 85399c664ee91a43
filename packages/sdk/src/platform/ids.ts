import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";
import type { Ids } from "./port.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const SHORT_LENGTH = 12;
/** Bytes from here on would make some letters likelier than others. */
const FAIR_BYTES = 256 - (256 % LETTERS.length);

/** Asking the system for a few bytes costs as much as asking for many. */
const POOL_BYTES = 2_048;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

function randomByte(): number {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] as number;
  pool[used] = 0;
  used += 1;
  return byte;
}

const generator = new V7Generator({
  nextUint32: () => ((randomByte() << 24) | (randomByte() << 16) | (randomByte() << 8) | randomByte()) >>> 0,
});

/** Random ids of this machine. */
export const nodeIds: Ids = {
  uuid: () => flat(generator.generate().toString()),
  short: (prefix) => `${prefix}_${randomLetters(SHORT_LENGTH)}`,
};

/**
 * A text that was put together piece by piece keeps all its pieces; as the name of a property it becomes one. An object
 * without prototype is a table and has no shape: after 1,536 names that nobody uses again, the engine gives each object
 * that begins as an empty one a shape of its own.
 */
function flat(text: string): string {
  return Object.keys({ __proto__: null, [text]: 0 })[0] ?? text;
}

function randomLetters(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTES) text += LETTERS[byte % LETTERS.length];
  }
  return text;
}
