import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { EventStore } from "../protocol/index.ts";
import { jsonlStore, memoryStore, type SessionStore, sqliteStore } from "../sessions/index.ts";
import { storeCases } from "../sessions/stores/store.cases.ts";
import { type FaultPlan, faultyStore } from "./index.ts";

const platform = nodePlatform();

const KINDS: Readonly<Record<string, (home: string, clock: { now(): number }) => SessionStore>> = {
  memory: (_home, clock) => memoryStore({ clock }),
  jsonl: (home, clock) =>
    jsonlStore({ home, platform: { ...platform, clock: { ...platform.clock, ...clock } } }),
  sqlite: (home, clock) =>
    sqliteStore({ home, platform: { ...platform, clock: { ...platform.clock, ...clock } } }),
};

const SLOW_AND_TWICE: FaultPlan = { seed: 3, shares: { delay: 0.3, duplicate: 0.4 } };
const UNREACHABLE: FaultPlan = {
  seed: 5,
  shares: { delay: 0.1, duplicate: 0.1, "lost-reply": 0.2, "lost-request": 0.15, partition: 0.05 },
};

describe.each(Object.entries(KINDS))("the contracts hold over a faulty %s store that", (kind, make) => {
  async function place() {
    const home = await mkdtemp(join(tmpdir(), "castellan-faulty-"));
    return {
      open: (clock: { now(): number }) => make(home, clock),
      lasts: kind !== "memory",
      clear: () => rm(home, { recursive: true, force: true }),
    };
  }

  describe("is slow and hears twice:", () => {
    const cases = storeCases(place, (store) => faultyStore(store, SLOW_AND_TWICE));
    it.each(cases.map((each) => [each.name, each] as const))("%s", (_name, { run }) => run());
  });

  describe("is often out of reach, for a caller that tries again:", () => {
    const cases = storeCases(place, (store) => patient(faultyStore(store, UNREACHABLE)));
    it.each(cases.map((each) => [each.name, each] as const))("%s", (_name, { run }) => run());
  });
});

/** Calls again while the store cannot be reached, as the writer of a session does. */
function patient<S extends EventStore>(store: S): S {
  const again =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      for (;;) {
        try {
          return await call(...args);
        } catch (error) {
          if (!String(error).includes("could not be reached")) throw error;
        }
      }
    };
  const { readSnapshot, writeSnapshot } = store;
  return {
    ...store,
    append: oneByOne(again(store.append)),
    read: again(store.read),
    list: again(store.list),
    ...(readSnapshot === undefined ? {} : { readSnapshot: again(readSnapshot) }),
    ...(writeSnapshot === undefined ? {} : { writeSnapshot: again(writeSnapshot) }),
  };
}

/** Only the last batch can be repeated, so the next append waits for the one before. */
function oneByOne(append: EventStore["append"]): EventStore["append"] {
  let line: Promise<unknown> = Promise.resolve();
  return (batches) => {
    // One batch a call: of several of one session only the last could be tried again.
    const turn = line.then(async () => {
      const answers = [];
      for (const batch of batches) answers.push(...(await append([batch])));
      return answers;
    });
    line = turn.catch(() => {});
    return turn;
  };
}
