import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform, type Platform } from "../../../platform/index.ts";
import type { AppendBatch } from "../../../protocol/index.ts";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

let root: string;
let homes = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-sync-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A store whose flushes are counted, and can be held up or made to fail. */
function counted(hold?: () => Promise<void>) {
  const real = nodePlatform();
  const flushes: number[] = [];
  const folders: string[] = [];
  const written = (): number => flushes.length;
  const fdatasync: Platform["fs"]["fdatasync"] = async (descriptor) => {
    flushes.push(real.fs.fstatSync(descriptor).size);
    await hold?.();
    await real.fs.fdatasync(descriptor);
  };
  const open: Platform["fs"]["open"] = async (path, ...more) => {
    const handle = await real.fs.open(path, ...more);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      folders.push(String(path));
    };
    return handle;
  };
  const home = join(root, String(homes++));
  const platform = { ...real, fs: { ...real.fs, fdatasync, open } };
  return { store: jsonlStore({ home, platform }), flushes, folders, written, home };
}

function batch(after: number, sync: boolean, sessionId = "s1"): AppendBatch {
  const events = [todos(after + 1, 1, "x")];
  return {
    sessionId,
    project: "/p",
    expectedSeq: after,
    batchId: `b${after}`,
    events,
    ...(sync ? { sync } : {}),
  };
}

describe("an append with sync", () => {
  it("flushes what it wrote; one without does not", async () => {
    const { store, flushes } = counted();
    await store.append([batch(0, false)]);
    expect(flushes).toEqual([]);
    await store.append([batch(1, true)]);
    expect(flushes).toHaveLength(1);
    expect(flushes[0]).toBeGreaterThan(0);
    await store.close();
  });

  it.skipIf(process.platform === "win32")(
    "flushes the folders that it may have made, up to the home, once before the first answer",
    async () => {
      const { store, folders, home } = counted();
      await store.append([batch(0, true)]);
      const session = dirname(store.locate?.("s1", "/p") ?? "");
      expect(folders).toEqual([session, dirname(session), join(home, "sessions"), home]);
      await store.append([batch(1, true)]);
      expect(folders).toHaveLength(4);
      await store.close();
    },
  );

  it("flushes again when it is repeated: the first try may not have come so far", async () => {
    const { store, flushes } = counted();
    await store.append([batch(0, false)]);
    expect(await store.append([batch(0, true)])).toEqual([{ ok: true, seq: 1 }]);
    expect(flushes).toHaveLength(1);
    await store.close();
  });

  it("that stored nothing flushes nothing", async () => {
    const { store, flushes } = counted();
    await store.append([batch(0, false)]);
    expect(await store.append([{ ...batch(0, true), batchId: "other" }])).toMatchObject([
      { code: "conflict" },
    ]);
    expect(flushes).toEqual([]);
    await store.close();
  });

  it("shares a flush with all that wait, and no append waits for one that it did not ask for", async () => {
    const gates: (() => void)[] = [];
    const { store, flushes } = counted(() => new Promise((resolve) => gates.push(resolve)));
    const first = store.append([batch(0, true)]);
    while (gates.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const sizeAtFirst = flushes[0] ?? 0;
    const others = [1, 2, 3].map((after) => store.append([batch(after, true)]));
    await store.append([batch(4, false)]);
    expect(flushes).toHaveLength(1);
    gates[0]?.();
    await first;
    while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve));
    gates[1]?.();
    await Promise.all(others);
    expect(flushes).toHaveLength(2);
    expect(flushes[1]).toBeGreaterThan(4 * sizeAtFirst);
    await store.close();
  });

  it("that could not be flushed is refused from then on, also when it is repeated, until it is opened anew", async () => {
    let fails = true;
    const { store, home } = counted(async () => {
      if (fails) throw Object.assign(new Error("input/output error"), { code: "EIO" });
    });
    const log = store.locate?.("s1", "/p");
    const failed = { code: "store_failed", message: expect.stringContaining(`Flushing ${log} failed`) };
    await expect(store.append([batch(0, true)])).rejects.toMatchObject(failed);
    fails = false;
    // The system answers such a second flush with success, and has thrown the data away.
    await expect(store.append([batch(0, true)])).rejects.toMatchObject(failed);
    await expect(store.append([batch(1, false)])).rejects.toMatchObject(failed);
    await store.release?.("s1");
    expect(await store.append([batch(0, true)])).toEqual([{ ok: true, seq: 1 }]);
    expect(home).toContain(root);
    await store.close();
  });

  it("is done before the session is released", async () => {
    const gates: (() => void)[] = [];
    const { store } = counted(() => new Promise((resolve) => gates.push(resolve)));
    const append = store.append([batch(0, true)]);
    while (gates.length < 1) await new Promise((resolve) => setImmediate(resolve));
    let released = false;
    const release = store.release?.("s1").then(() => {
      released = true;
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(released).toBe(false);
    gates[0]?.();
    expect(await append).toEqual([{ ok: true, seq: 1 }]);
    await release;
    await store.close();
  });

  it("is flushed also where the session is released in the same step", async () => {
    const { store, flushes } = counted();
    await store.append([batch(0, false)]);
    await Promise.all([store.append([batch(1, true)]), store.release?.("s1")]);
    expect(flushes).toHaveLength(1);
    await store.close();
  });
});
