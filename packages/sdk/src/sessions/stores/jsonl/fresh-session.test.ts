import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSystem, nodePlatform } from "../../../platform/index.ts";
import type { AppendBatch, EventStore, SessionEvent } from "../../../protocol/index.ts";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-fresh-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function events(after: number, size: number): SessionEvent[] {
  return Array.from({ length: size }, (_, i) => todos(after + i + 1, 1, "x"));
}

function batch(after: number, size: number, sessionId = "s1"): AppendBatch {
  return {
    sessionId,
    project: "/srv/My App",
    expectedSeq: after,
    batchId: `b${after}`,
    events: events(after, size),
  };
}

async function withStore<T>(job: (store: EventStore) => Promise<T>): Promise<T> {
  const store = jsonlStore({ home });
  try {
    return await job(store);
  } finally {
    await store.close();
  }
}

describe("a session whose id was just made", () => {
  const fresh = (sessionId: string): AppendBatch => ({ ...batch(0, 2, sessionId), fresh: true });

  it("costs a fixed number of calls on files, whatever lies beside it; the thread pool only makes what is new", async () => {
    for (let i = 0; i < 5; i += 1) {
      await withStore((store) => store.append([{ ...batch(0, 1, `old${i}`), project: `/p/${i}` }]));
    }
    const { fs, calls } = countingFiles();
    const store = jsonlStore({ home, platform: { ...nodePlatform(), fs } });
    await store.append([fresh("first")]);
    calls.length = 0;
    await store.append([fresh("s1")]);
    expect(calls.filter((name) => !name.endsWith("Sync"))).toEqual(["mkdir", "writeFile", "open"]);
    expect(calls.length).toBeLessThanOrEqual(10);
    calls.length = 0;
    await store.append([batch(2, 1)]);
    expect(calls).toEqual(["fstatSync", "writeSync"]);
    calls.length = 0;
    await store.release?.("s1");
    expect(calls).toEqual(["closeSync", "unlinkSync"]);
    expect(await store.read("s1")).toEqual(events(0, 3));
    await store.close();
  });

  it("is written whole also when the folder of its project was deleted meanwhile", async () => {
    await withStore(async (store) => {
      await store.append([fresh("s1")]);
      await store.release?.("s1");
      await rm(join(home, "sessions"), { recursive: true });
      expect(await store.append([fresh("s2")])).toEqual([{ ok: true, seq: 2 }]);
      expect(await store.list()).toMatchObject([{ sessionId: "s2", project: "/srv/My App" }]);
    });
  });

  it("is met all the same where the id was used before", async () => {
    await withStore((store) => store.append([batch(0, 3)]));
    await withStore(async (store) => {
      expect(await store.append([{ ...fresh("s1"), batchId: "other" }])).toEqual([
        { ok: false, code: "conflict", actualSeq: 3 },
      ]);
      expect(await store.read("s1")).toEqual(events(0, 3));
    });
  });
});

/** The real file system, which notes the names of its calls. */
function countingFiles(): { fs: FileSystem; calls: string[] } {
  const calls: string[] = [];
  const noted = Object.entries(nodePlatform().fs).map(([name, call]) => [
    name,
    typeof call === "function"
      ? (...args: unknown[]) => {
          calls.push(name);
          return (call as (...args: unknown[]) => unknown)(...args);
        }
      : call,
  ]);
  return { fs: Object.fromEntries(noted), calls };
}
