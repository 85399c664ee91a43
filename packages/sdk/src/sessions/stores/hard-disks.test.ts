import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AppendBatch, SessionEvent } from "../../protocol/index.ts";
import { isCastellanError } from "../../protocol/index.ts";
import { jsonlStore } from "./jsonl/jsonl.ts";
import { sqliteStore } from "./sqlite/sqlite.ts";

const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };
const KINDS = Object.keys(STORES) as (keyof typeof STORES)[];
const IS_ROOT = process.getuid?.() === 0;
const KB = 1024;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "castellan-disk-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with little room: a small disk, or for who may not mount one, files that may not grow. */
function smallDisk(): { folder: string; why: RegExp; makeRoom(): void } {
  const folder = scratch();
  if (!IS_ROOT) {
    const limit = (bytes: string): void => {
      execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
    };
    limit(String(600 * KB));
    undo.push(() => limit("unlimited"));
    return {
      folder,
      why: /Raise the limit for the size|Look whether the disk is full|Free some space/,
      makeRoom: () => limit("unlimited"),
    };
  }
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
  undo.push(() => execFileSync("umount", ["-l", folder]));
  const ballast = join(folder, "ballast");
  writeFileSync(ballast, "x".repeat(400 * KB));
  return {
    folder,
    why: /Free some space; what was acknowledged is kept\.$/,
    makeRoom: () => rmSync(ballast),
  };
}

/** A folder, with a job to be done in it before nobody may write there. */
async function readOnly(before: (folder: string) => Promise<void>): Promise<string> {
  const folder = scratch();
  if (IS_ROOT) {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
    undo.push(() => execFileSync("umount", ["-l", folder]));
  }
  await before(folder);
  if (IS_ROOT) execFileSync("mount", ["-o", "remount,ro", folder]);
  else {
    execFileSync("chmod", ["-R", "a-w", folder]);
    undo.push(() => execFileSync("chmod", ["-R", "u+w", folder]));
  }
  return folder;
}

describe.each(KINDS)("a %s store", (kind) => {
  const open = (home: string) => STORES[kind]({ home });

  it.each([false, true])("on a full disk says so and keeps what it acknowledged (sync: %s)", async (sync) => {
    const { folder, why, makeRoom } = smallDisk();
    const store = open(folder);
    let after = 0;
    let failure: unknown;
    while (failure === undefined && after < 1000) {
      const batch = { ...batchOf(after, 5, 3 * KB), sync };
      await store.append([batch]).then(
        ([answer]) => {
          expect(answer).toEqual({ ok: true, seq: after + 5 });
          after += 5;
        },
        (error: unknown) => {
          failure = error;
        },
      );
    }
    expect(after).toBeGreaterThan(0);
    expect(failure).toSatisfy((error) => isCastellanError(error, "store_failed"));
    expect(String(failure)).toContain(folder);
    expect(String(failure)).toMatch(why);
    expect(await store.read("s1")).toEqual(eventsOf(0, after, 3 * KB));

    makeRoom();
    const batch = { ...batchOf(after, 5, 3 * KB), sync };
    for (let i = 0; i < 2; i += 1)
      expect(await store.append([batch])).toEqual([{ ok: true, seq: after + 5 }]);
    await store.close();
    const again = open(folder);
    expect(await again.read("s1")).toEqual(eventsOf(0, after + 5, 3 * KB));
    await again.close();
  });

  it("in a folder that may not be written says so and names it", async () => {
    const folder = await readOnly(async (home) => {
      const store = open(home);
      await store.append([batchOf(0, 3, 10)]);
      await store.close();
    });
    const store = open(folder);
    const failure = await store.append([batchOf(3, 1, 10)]).catch((error: unknown) => error);
    expect(failure).toSatisfy((error) => isCastellanError(error, "store_failed"));
    expect(String(failure)).toContain(folder);
    expect(String(failure)).toMatch(/Make .* writable, or set CASTELLAN_HOME to one that is\.$/);
    // A database cannot even be looked at where it may not keep its lock beside it.
    if (kind === "jsonl") expect(await store.read("s1")).toEqual(eventsOf(0, 3, 10));
    else
      await expect(store.read("s1")).rejects.toMatchObject({
        code: "store_failed",
        message: String(failure).slice(16),
      });
    await store.close();
  });

  it("in a place where it can make no folder says so", async () => {
    const folder = await readOnly(async () => {});
    const store = open(join(folder, "deep"));
    const failure = await store.append([batchOf(0, 1, 10)]).catch((error: unknown) => error);
    expect(failure).toSatisfy((error) => isCastellanError(error, "store_failed"));
    expect(String(failure)).toMatch(new RegExp(`${folder}.*writable`, "s"));
    await store.close();
  });

  it("keeps events in order whose clock jumped back", async () => {
    const store = open(scratch());
    const late = eventsOf(0, 2, 10);
    const early = eventsOf(2, 2, 10).map((event) => ({ ...event, ts: 5 }));
    await store.append([{ ...batchOf(0, 2, 10) }, { ...batchOf(2, 2, 10), events: early }]);
    expect(await store.read("s1")).toEqual([...late, ...early]);
    expect(await store.list()).toMatchObject([{ createdAt: 1000, updatedAt: 5, events: 4 }]);
    await store.close();
  });
});

describe("a database whose log was torn", () => {
  it("at any place keeps whole batches from the start, and goes on", async () => {
    const home = scratch();
    const store = sqliteStore({ home });
    for (let after = 0; after < 40; after += 4) await store.append([batchOf(after, 4, 500)]);
    const file = join(home, "castellan.db");
    const size = statSync(`${file}-wal`).size;
    expect(size).toBeGreaterThan(10 * KB);
    const found = new Set<number>();
    for (let cut = 0; cut <= size; cut += Math.ceil(size / 23)) {
      const copy = scratch();
      copyFileSync(file, join(copy, "castellan.db"));
      copyFileSync(`${file}-wal`, join(copy, "castellan.db-wal"));
      truncateSync(join(copy, "castellan.db-wal"), size - cut);
      const torn = sqliteStore({ home: copy });
      const events = await torn.read("s1");
      expect(events).toEqual(eventsOf(0, events.length, 500));
      expect(events.length % 4).toBe(0);
      found.add(events.length);
      await torn.close();
    }
    expect(found.size).toBeGreaterThan(5);
    await store.close();
  });

  it("and that is no database any more is refused, with its name", async () => {
    const home = scratch();
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "castellan.db"), "this is no database, and never was one. ".repeat(200));
    const store = sqliteStore({ home });
    const failure = await store.read("s1").catch((error: unknown) => error);
    expect(failure).toSatisfy((error) => isCastellanError(error, "log_corrupt"));
    expect(String(failure)).toMatch(/castellan\.db is damaged.*Restore it from a copy/);
    await store.close();
  });
});

describe("files of approvals, leases and wakes", () => {
  it("are private, and a full disk leaves none of them half written", async () => {
    const { folder, makeRoom } = smallDisk();
    const store = jsonlStore({ home: folder });
    const wake = { id: "w1", sessionId: "s1", at: 5, kind: "timer", data: "short" };
    await store.wakes.put(wake);
    expect((statSync(join(folder, "wakes")).mode & 0o777).toString(8)).toBe("700");
    const name = "0000000000000005.w1.json";
    expect((statSync(join(folder, "wakes", name)).mode & 0o777).toString(8)).toBe("600");
    const failure = await store.wakes
      .put({ ...wake, data: "x".repeat(900 * KB) })
      .catch((error: unknown) => error);
    expect(failure).toSatisfy((error) => isCastellanError(error, "store_failed"));
    expect(String(failure)).toContain(join(folder, "wakes", name));
    expect(await store.wakes.due(9, 9)).toEqual([wake]);
    makeRoom();
    await store.wakes.put({ ...wake, data: "other" });
    expect(await store.wakes.due(9, 9)).toEqual([{ ...wake, data: "other" }]);
  });

  it("that are damaged are named, and hide no others where the caller says so", async () => {
    const home = scratch();
    const store = jsonlStore({ home });
    mkdirSync(join(home, "approvals"), { recursive: true });
    writeFileSync(join(home, "approvals", "a1.json"), '{"id": "a1", ');
    const failure = await store.approvals.list().catch((error: unknown) => error);
    expect(String(failure)).toMatch(/approvals\/a1\.json is damaged.*delete it/);
    const told: string[] = [];
    expect(await store.approvals.list({ skipped: (problem) => told.push(problem) })).toEqual([]);
    expect(told).toEqual([expect.stringContaining("a1.json is damaged")]);
  });
});

function eventsOf(after: number, size: number, bytes: number): SessionEvent[] {
  return Array.from({ length: size }, (_, i) => {
    const todo = { content: "x".repeat(bytes), status: "pending", activeForm: "" } as const;
    const seq = after + i + 1;
    return { v: 1, seq, id: `e${seq}`, ts: 1000, type: "todos.changed", data: { todos: [todo] } };
  });
}

function batchOf(after: number, size: number, bytes: number): AppendBatch {
  const events = eventsOf(after, size, bytes);
  return { sessionId: "s1", project: "/p", expectedSeq: after, batchId: `b${after}`, events };
}
