import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { type EventStore, isCastellanError, type SessionEvent } from "../protocol/index.ts";
import {
  createSessionLog,
  jsonlStore,
  memoryStore,
  type SessionStore,
  sqliteStore,
} from "../sessions/index.ts";
import { faultyStore, STORE_FAULTS, type StoreFault } from "./index.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);
const platform = nodePlatform();
/** Waits between tries take no time. */
const quick = {
  ids: platform.ids,
  clock: {
    ...platform.clock,
    timer: (_ms: number, fire: () => void) => {
      queueMicrotask(fire);
      return { cancel: () => {} };
    },
  },
};

const home = await mkdtemp(join(tmpdir(), "castellan-faults-"));
afterAll(() => rm(home, { recursive: true, force: true }));
const shared: Record<string, SessionStore> = {
  memory: memoryStore(),
  jsonl: jsonlStore({ home }),
  sqlite: sqliteStore({ home }),
};
afterAll(() => Promise.all(Object.values(shared).map((store) => store.close())));

interface Step {
  readonly records: number;
  readonly barrier: boolean;
}

const STEPS = fc.array(fc.record({ records: fc.integer({ min: 0, max: 3 }), barrier: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});
const SCRIPT = fc.array(fc.constantFrom<StoreFault | "none">("none", ...STORE_FAULTS), { maxLength: 30 });
const WITHOUT_CONFLICT = fc.array(
  fc.constantFrom<StoreFault | "none">("none", ...STORE_FAULTS.filter((fault) => fault !== "conflict")),
  { maxLength: 30 },
);

interface Outcome {
  readonly recorded: readonly string[];
  /** How many of them a barrier has promised. */
  readonly promised: number;
  readonly stored: readonly SessionEvent[];
  readonly ended: unknown;
}

/** Runs a log over a faulty store, then makes the store well and closes the log. */
async function live(
  inner: EventStore,
  script: readonly (StoreFault | "none")[],
  steps: readonly Step[],
): Promise<Outcome> {
  const sessionId = platform.ids.uuid();
  const store = faultyStore(inner, { script });
  const recorded: string[] = [];
  const log = createSessionLog({
    store,
    platform: quick,
    sessionId,
    project: "/p",
    onEvent: ({ id }) => recorded.push(id),
  });
  let promised = 0;
  for (const { records, barrier } of steps) {
    for (let i = 0; i < records; i += 1) log.record("cwd.changed", { cwd: `/${recorded.length}` });
    if (!barrier) continue;
    const upTo = recorded.length;
    await log.barrier().then(() => {
      promised = upTo;
    }, expected);
  }
  await store.faults.heal();
  const ended = await log.close().then(
    () => "closed",
    (error: { code: string }) => error.code,
  );
  if (ended === "closed") promised = recorded.length;
  const stored = await inner.read(sessionId);
  await inner.delete(sessionId);
  return { recorded, promised, stored, ended };
}

function expected(error: unknown): void {
  const known = isCastellanError(error, "store_failed") || isCastellanError(error, "store_conflict");
  if (!known) throw error;
}

describe.each(Object.keys(shared))("a session log over a faulty %s store", (kind) => {
  const inner = shared[kind] as SessionStore;
  // Each run of a real store touches the disk some dozens of times.
  const numRuns = kind === "memory" ? RUNS : Math.max(20, Math.floor(RUNS / 4));

  it("loses nothing that it acknowledged and stores nothing twice", async () => {
    await fc.assert(
      fc.asyncProperty(SCRIPT, STEPS, async (script, steps) => {
        const { recorded, promised, stored } = await live(inner, script, steps);
        const ids = stored.map(({ id }) => id);
        expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1));
        expect(ids.slice(0, promised)).toEqual(recorded.slice(0, promised));
        const own = ids.filter((id) => !id.endsWith("somebody-else"));
        expect(own).toEqual(recorded.slice(0, own.length));
      }),
      { numRuns },
    );
  });

  it("has it all once the store is well, where nobody else wrote", async () => {
    await fc.assert(
      fc.asyncProperty(WITHOUT_CONFLICT, STEPS, async (script, steps) => {
        const { recorded, stored, ended } = await live(inner, script, steps);
        expect(ended).toBe("closed");
        expect(stored.map(({ id }) => id)).toEqual(recorded);
      }),
      { numRuns },
    );
  });

  it("never writes again after somebody else did", async () => {
    const steps = Array.from({ length: 4 }, () => ({ records: 2, barrier: true }));
    const { recorded, stored, ended } = await live(inner, ["none", "conflict"], steps);
    expect(ended).toBe("store_conflict");
    expect(stored.map(({ id }) => id)).toEqual([
      ...recorded.slice(0, 2),
      expect.stringMatching(/somebody-else$/),
    ]);
  });
});
