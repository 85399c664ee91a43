import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import type { AppendBatch, Lease } from "../../protocol/index.ts";
import { todos } from "./contract-events.ts";
import { jsonlStore } from "./jsonl/jsonl.ts";
import type { SessionStore } from "./session-store.ts";
import { sqliteStore } from "./sqlite/sqlite.ts";

const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };
const LOST = [{ ok: false, code: "lease_lost" }];

let root: string;
let homes = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-leases-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Two stores over the same data, as two workers have them, and the clock of both. */
function two(kind: keyof typeof STORES) {
  const real = nodePlatform();
  const home = join(root, String(homes++));
  let now = 1_000_000;
  const platform = { ...real, clock: { ...real.clock, now: () => now } };
  const move = (ms: number): void => {
    now += ms;
  };
  return { one: STORES[kind]({ home, platform }), other: STORES[kind]({ home, platform }), move, home };
}

function batch(after: number, { epoch }: Lease, id = ""): AppendBatch {
  const events = [todos(after + 1, 1, "x")];
  return { sessionId: "s1", project: "/p", expectedSeq: after, batchId: `b${after}${id}`, events, epoch };
}

async function leaseOf(store: SessionStore, worker: string): Promise<Lease> {
  const lease = await store.leases.acquire(worker, 1000);
  if (lease === undefined) throw new Error("no lease");
  return lease;
}

describe.each(Object.keys(STORES) as (keyof typeof STORES)[])(
  "a session of a %s store under a lease",
  (kind) => {
    it("is out of reach for another worker while the lease counts, and free when it has run out", async () => {
      const { one, other, move } = two(kind);
      const first = await leaseOf(one, "w1");
      await one.append([batch(0, first)]);
      move(900);
      const second = await leaseOf(other, "w2");
      await expect(other.append([batch(1, second)])).rejects.toMatchObject({ code: "session_busy" });
      move(100);
      // The first worker lives, and its store still holds the session: only the lease is over.
      expect(await other.append([batch(1, second)])).toEqual([{ ok: true, seq: 2 }]);
      expect(await one.append([batch(1, first, "late")])).toEqual(LOST);
      expect(await one.append([batch(2, first)])).toEqual(LOST);
      expect(await one.read("s1")).toHaveLength(2);
      await one.close();
      // What the first one let go of was not the other's.
      expect(await other.append([batch(2, second)])).toEqual([{ ok: true, seq: 3 }]);
      await other.close();
    });

    it("stays with a worker that renews in time", async () => {
      const { one, other, move } = two(kind);
      const first = await leaseOf(one, "w1");
      await one.append([batch(0, first)]);
      move(900);
      await one.leases.renew(first, 1000);
      move(900);
      const second = await leaseOf(other, "w2");
      await expect(other.append([batch(1, second)])).rejects.toMatchObject({ code: "session_busy" });
      expect(await one.append([batch(1, first)])).toEqual([{ ok: true, seq: 2 }]);
      await Promise.all([one.close(), other.close()]);
    });

    it("goes over to the next lease of the same worker, and back from another", async () => {
      const { one, other, move } = two(kind);
      const first = await leaseOf(one, "w1");
      await one.append([batch(0, first)]);
      move(1000);
      const again = await leaseOf(one, "w1");
      expect(await one.append([batch(1, first)])).toEqual(LOST);
      expect(await one.append([batch(1, again)])).toEqual([{ ok: true, seq: 2 }]);
      move(1000);
      const second = await leaseOf(other, "w2");
      expect(await other.append([batch(2, second)])).toEqual([{ ok: true, seq: 3 }]);
      await other.release?.("s1");
      const third = await leaseOf(one, "w1");
      expect(await one.append([batch(3, third)])).toEqual([{ ok: true, seq: 4 }]);
      await Promise.all([one.close(), other.close()]);
    });

    it("is lost with the lease, although the clock jumps back and nobody has written since", async () => {
      const { one, other, move } = two(kind);
      const first = await leaseOf(one, "w1");
      await one.append([batch(0, first)]);
      move(1000);
      const second = await leaseOf(other, "w1");
      move(-1000);
      expect(await one.append([batch(1, first)])).toEqual(LOST);
      expect(await other.append([batch(1, second)])).toEqual([{ ok: true, seq: 2 }]);
      await Promise.all([one.close(), other.close()]);
    });

    it("is not given to a worker whose clock jumped back", async () => {
      const { one, other, move } = two(kind);
      const first = await leaseOf(one, "w1");
      await one.append([batch(0, first)]);
      move(1000);
      const second = await leaseOf(other, "w1");
      await other.append([batch(1, second)]);
      move(-1000);
      expect(await one.append([batch(2, first)])).toEqual(LOST);
      expect(await one.leases.renew(first, 1000)).toBeUndefined();
      expect(await other.append([batch(2, second)])).toEqual([{ ok: true, seq: 3 }]);
      await Promise.all([one.close(), other.close()]);
    });
  },
);

it("the owner file of a session names its lease", async () => {
  const { one } = two("jsonl");
  const lease = await leaseOf(one, "w1");
  await one.append([batch(0, lease)]);
  const folder = dirname(one.locate?.("s1", "/p") ?? "");
  const owner = (await readdir(folder)).find((name) => name.startsWith("owner."));
  expect(JSON.parse(await readFile(join(folder, owner ?? ""), "utf8"))).toMatchObject({
    pid: process.pid,
    lease: lease.epoch,
  });
  await one.close();
});

it("a log whose owner file was taken is not written, although the lease still counts", async () => {
  const { one } = two("jsonl");
  const lease = await leaseOf(one, "w1");
  await one.append([batch(0, lease)]);
  const folder = dirname(one.locate?.("s1", "/p") ?? "");
  await rename(join(folder, "owner.1.json"), join(folder, "owner.2.json"));
  expect(await one.append([batch(1, lease)])).toEqual(LOST);
  expect(await one.read("s1")).toHaveLength(1);
  await one.close();
});
