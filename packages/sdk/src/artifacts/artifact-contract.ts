import type { ArtifactStore } from "../protocol/index.ts";

/** One requirement of the contract. `run` throws an Error that says what was expected and what came. */
export interface ContractCase {
  readonly name: string;
  /** @param store a new, empty store. */
  run(store: ArtifactStore): Promise<void>;
}

/** SHA-256 of the three bytes `abc`. */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
/** Later than any blob of these: epoch milliseconds, in the year 2255. */
const EVER = 9_000_000_000_000;
const UNKNOWN = "0".repeat(64);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const CASES: readonly ContractCase[] = [
  {
    name: "put answers with the SHA-256 of the bytes in hex",
    run: async (store) => equal(await store.put(bytesOf("abc")), ABC),
  },
  {
    name: "get gives the same bytes, every value of a byte among them",
    run: async (store) => {
      const bytes = Uint8Array.from({ length: 1024 }, (_, i) => i % 256);
      const found = await store.get(await store.put(bytes));
      equal(found === undefined ? undefined : [...found], [...bytes]);
    },
  },
  {
    name: "an empty blob is a blob",
    run: async (store) => {
      const hash = await store.put(new Uint8Array());
      equal((await store.get(hash))?.byteLength, 0);
      equal(await store.list(), [hash]);
    },
  },
  {
    name: "the same bytes twice are stored once",
    run: async (store) => {
      const hashes = [await store.put(bytesOf("abc")), await store.put(bytesOf("abc"))];
      equal(hashes, [ABC, ABC]);
      equal(await store.list(), [ABC]);
    },
  },
  {
    name: "many puts at the same time all succeed",
    run: async (store) => {
      const texts = Array.from({ length: 40 }, (_, i) => `blob ${i % 10}`);
      const hashes = await Promise.all(texts.map((text) => store.put(bytesOf(text))));
      equal((await store.list()).length, 10);
      for (const [i, hash] of hashes.entries()) {
        equal(new TextDecoder().decode(await store.get(hash)), texts[i]);
      }
    },
  },
  {
    name: "a stored blob does not change with the array that it came from, or that get gave",
    run: async (store) => {
      const bytes = bytesOf("abc");
      const hash = await store.put(bytes);
      bytes[0] = 0;
      const first = await store.get(hash);
      if (first !== undefined) first[1] = 0;
      equal(new TextDecoder().decode(await store.get(hash)), "abc");
    },
  },
  {
    name: "get of what is not there is undefined",
    run: async (store) => {
      equal(await store.get(UNKNOWN), undefined);
    },
  },
  {
    name: "a name that is no hash is not there, whatever it looks like",
    run: async (store) => {
      for (const name of [
        "",
        "..",
        "../../etc/passwd",
        "__proto__",
        "constructor",
        `${ABC}/`,
        ABC.toUpperCase(),
      ]) {
        equal(await store.get(name), undefined);
        equal(await store.delete(name), false);
      }
    },
  },
  {
    name: "has, where there is one, says whether get would find it",
    run: async (store) => {
      const hash = await store.put(bytesOf("abc"));
      const names = [hash, UNKNOWN, "..", "__proto__", ABC.toUpperCase()];
      if (store.has === undefined) return;
      const found: boolean[] = [];
      for (const name of names) found.push(await store.has(name));
      equal(found, [true, false, false, false, false]);
      await store.delete(hash);
      equal(await store.has(hash), false);
    },
  },
  {
    name: "delete says whether there was something, and other blobs stay",
    run: async (store) => {
      const [gone, kept] = [await store.put(bytesOf("gone")), await store.put(bytesOf("kept"))];
      equal(await store.delete(gone), true);
      equal(await store.delete(gone), false);
      equal(await store.get(gone), undefined);
      equal(await store.list(), [kept]);
    },
  },
  {
    name: "a deleted blob can come back",
    run: async (store) => {
      await store.delete(await store.put(bytesOf("abc")));
      await store.put(bytesOf("abc"));
      equal(new TextDecoder().decode(await store.get(ABC)), "abc");
    },
  },
  {
    name: "evict, where there is one, deletes what was put before that time, and nothing else",
    run: async (store) => {
      if (store.evict === undefined) return;
      const [old, other] = [await store.put(bytesOf("old")), await store.put(bytesOf("other"))];
      equal(await store.evict(old, 0), false);
      equal(new TextDecoder().decode(await store.get(old)), "old");
      for (const name of [UNKNOWN, "..", "__proto__", ABC.toUpperCase()]) {
        equal(await store.evict(name, EVER), false);
      }
      equal(await store.evict(old, EVER), true);
      equal(await store.get(old), undefined);
      equal(await store.evict(old, EVER), false);
      equal(await store.list(), [other]);
      equal(await store.put(bytesOf("old")), old);
      equal(new TextDecoder().decode(await store.get(old)), "old");
    },
  },
  {
    name: "evict while the same blob is put: what was put last is there",
    run: async (store) => {
      if (store.evict === undefined) return;
      const evict = (hash: string, before: number) => store.evict?.(hash, before);
      for (let round = 0; round < 20; round += 1) {
        const bytes = bytesOf(`round ${round}`);
        const hash = await store.put(bytes);
        // Nothing is as old as that: each of these evictions must leave it.
        const evictions = Array.from({ length: 4 }, () => evict(hash, 0));
        const puts = Array.from({ length: 4 }, () => store.put(bytes));
        equal(await Promise.all(evictions), [false, false, false, false]);
        await Promise.all(puts);
        equal((await store.get(hash)) !== undefined, true);
        const gone = await Promise.all([evict(hash, EVER), evict(hash, EVER), evict(hash, EVER)]);
        equal(gone.filter(Boolean).length, 1);
        equal(await store.get(hash), undefined);
      }
    },
  },
  {
    name: "touch, where there is one, says whether the blob is there, and changes none",
    run: async (store) => {
      if (store.touch === undefined) return;
      const hash = await store.put(bytesOf("abc"));
      const found: boolean[] = [];
      for (const name of [hash, UNKNOWN, "..", "__proto__", ABC.toUpperCase()])
        found.push(await store.touch(name));
      equal(found, [true, false, false, false, false]);
      equal(new TextDecoder().decode(await store.get(hash)), "abc");
      equal(await store.list(), [hash]);
      await store.delete(hash);
      equal(await store.touch(hash), false);
      equal(await store.list(), []);
    },
  },
  {
    name: "list of an empty store is empty",
    run: async (store) => equal(await store.list(), []),
  },
];

/**
 * What every ArtifactStore must do, for any test runner.
 *
 * @example
 * for (const each of artifactContract()) {
 *   test(each.name, () => each.run(makeMyStore()));
 * }
 */
export function artifactContract(): readonly ContractCase[] {
  return CASES;
}

function equal(got: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`expected ${cut(b)}, got ${cut(a)}`);
}

function cut(text: string | undefined): string {
  return (text ?? "undefined").slice(0, 200);
}
