/** What was worked out for the last texts, by their text alone. */
export interface Recent<V extends {}> {
  get(text: string): V | undefined;
  /** Takes the place of what has not been asked for in a while. */
  set(text: string, value: V): void;
  /** The same as `get`, and `set` where nothing was there. */
  getOrSet(text: string, value: V): V | undefined;
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
  const groupOf = (hash: number): Group<V> => {
    const index = hash & (groups - 1);
    const group = all[index] ?? emptyGroup<V>();
    all[index] = group;
    return group;
  };

  return {
    get: (text) => {
      const hash = hashOf(text);
      const group = all[hash & (groups - 1)];
      return group === undefined ? undefined : kept(group, text, hash);
    },
    set: (text, value) => {
      const hash = hashOf(text);
      const group = groupOf(hash);
      const known = placeOf(group, text, hash);
      put(group, known < 0 ? freePlace(group) : known, text, hash, value);
    },
    getOrSet: (text, value) => {
      const hash = hashOf(text);
      const group = groupOf(hash);
      const known = kept(group, text, hash);
      if (known === undefined) put(group, freePlace(group), text, hash, value);
      return known;
    },
  };
}

function kept<V>(group: Group<V>, text: string, hash: number): V | undefined {
  const at = placeOf(group, text, hash);
  if (at < 0) return undefined;
  group.used |= 1 << at;
  return group.values[at];
}

function put<V>({ hashes, texts, values }: Group<V>, at: number, text: string, hash: number, value: V): void {
  hashes[at] = hash;
  texts[at] = text;
  values[at] = value;
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

/** Who asks for a text and finds nothing sets it next: it is hashed once. */
let lastText = "";
let lastHash = freshHash(lastText);

function hashOf(text: string): number {
  if (text === lastText) return lastHash;
  lastHash = freshHash(text);
  lastText = text;
  return lastHash;
}

/** Of a long text only some characters: two that share it are told apart when they are compared. */
function freshHash(text: string): number {
  const { length } = text;
  const step = (length >> 6) + 1;
  let hash = length;
  for (let at = 0; at < length; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
