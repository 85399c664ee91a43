/** What was worked out for the last texts, by their text alone. */
export interface Recent<V extends {}> {
  get(text: string): V | undefined;
  /** Takes the place of what has not been asked for in a while. */
  set(text: string, value: V): void;
}

/** Places that one text may have. */
const WAYS = 8;

/**
 * A memory of `8 * groups` texts. Its arrays never grow and are never thrown away: a Map that is cleared or grows keeps
 * whatever it held alive until the next full collection, and the young objects with it.
 *
 * @param groups a power of two.
 */
export function createRecent<V extends {}>(groups: number): Recent<V> {
  const size = groups * WAYS;
  const hashes = new Int32Array(size);
  const texts: (string | undefined)[] = new Array(size).fill(undefined);
  const values: (V | undefined)[] = new Array(size).fill(undefined);
  const used = new Uint8Array(size);
  const hands = new Uint8Array(groups);

  function placeOf(text: string, hash: number): number {
    const start = (hash & (groups - 1)) * WAYS;
    for (let at = start; at < start + WAYS; at += 1) {
      if (hashes[at] === hash && texts[at] === text) return at;
    }
    return -1;
  }

  return {
    get: (text) => {
      const at = placeOf(text, hashOf(text));
      if (at < 0) return undefined;
      used[at] = 1;
      return values[at];
    },
    set: (text, value) => {
      const hash = hashOf(text);
      const known = placeOf(text, hash);
      const at = known < 0 ? freePlace(hash & (groups - 1)) : known;
      hashes[at] = hash;
      texts[at] = text;
      values[at] = value;
    },
  };

  function freePlace(group: number): number {
    for (;;) {
      const hand = hands[group] ?? 0;
      hands[group] = (hand + 1) % WAYS;
      const at = group * WAYS + hand;
      if (used[at] === 0) return at;
      // It gets a second chance.
      used[at] = 0;
    }
  }
}

/** Of a long text only some characters: two that share it are told apart when they are compared. */
function hashOf(text: string): number {
  const { length } = text;
  const step = (length >> 6) + 1;
  let hash = length;
  for (let at = 0; at < length; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
