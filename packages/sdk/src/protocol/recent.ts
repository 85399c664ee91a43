/** What was worked out for the last texts, by their text alone. */
export interface Recent<V extends {}> {
  get(text: string): V | undefined;
  /** Takes the place of what has not been asked for in a while. */
  set(text: string, value: V): void;
}

/** Places that one text may have. */
const WAYS = 8;

/** The texts whose hashes end alike. */
interface Group<V> {
  readonly hashes: number[];
  readonly texts: (string | undefined)[];
  readonly values: (V | undefined)[];
  /** A bit for each place that was asked for. */
  used: number;
  hand: number;
}

/**
 * A memory of `8 * groups` texts. Its arrays never grow and are never thrown away: a Map that is cleared or grows keeps
 * whatever it held alive until the next full collection, and the young objects with it. A group is made with its first
 * text: most sessions see a few lines, and there are many sessions.
 *
 * @param groups a power of two.
 */
export function createRecent<V extends {}>(groups: number): Recent<V> {
  const all: (Group<V> | undefined)[] = new Array(groups).fill(undefined);

  return {
    get: (text) => {
      const hash = hashOf(text);
      const group = all[hash & (groups - 1)];
      const at = group === undefined ? -1 : placeOf(group, text, hash);
      if (group === undefined || at < 0) return undefined;
      group.used |= 1 << at;
      return group.values[at];
    },
    set: (text, value) => {
      const hash = hashOf(text);
      const index = hash & (groups - 1);
      const group = all[index] ?? emptyGroup<V>();
      all[index] = group;
      const known = placeOf(group, text, hash);
      const at = known < 0 ? freePlace(group) : known;
      group.hashes[at] = hash;
      group.texts[at] = text;
      group.values[at] = value;
    },
  };
}

function emptyGroup<V>(): Group<V> {
  const [hashes, texts, values] = [
    new Array(WAYS).fill(0),
    new Array(WAYS).fill(undefined),
    new Array(WAYS).fill(undefined),
  ];
  return { hashes, texts, values, used: 0, hand: 0 };
}

function placeOf({ hashes, texts }: Group<unknown>, text: string, hash: number): number {
  for (let at = 0; at < WAYS; at += 1) {
    if (hashes[at] === hash && texts[at] === text) return at;
  }
  return -1;
}

function freePlace(group: Group<unknown>): number {
  for (;;) {
    const at = group.hand;
    group.hand = (at + 1) % WAYS;
    if ((group.used & (1 << at)) === 0) return at;
    // It gets a second chance.
    group.used &= ~(1 << at);
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
