import { mkdtemp, rm, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../../../platform/index.ts";
import type { AppendBatch } from "../../../protocol/index.ts";
import { todos } from "../contract-events.ts";
import { findDriver } from "./drivers.ts";
import { sqliteStore } from "./sqlite.ts";
import { type SqlThread, sqlThread } from "./thread.ts";

let root: string;
let homes = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "castellan-sqlite-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const newHome = (): string => join(root, String(homes++));

async function withThread<T>(job: (thread: SqlThread, file: string) => Promise<T>): Promise<T> {
  const file = join(newHome(), "x.db");
  const thread = sqlThread(nodePlatform(), file, undefined);
  try {
    return await job(thread, file);
  } finally {
    await thread.close();
  }
}

describe("a database", () => {
  it("is private to its user, and lies where CASTELLAN_HOME says", async () => {
    const home = newHome();
    const store = sqliteStore({ platform: { ...nodePlatform(), env: { CASTELLAN_HOME: home } } });
    await store.append([batch("s1", 0)]);
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(home)).toBe("700");
    for (const name of ["castellan.db", "castellan.db-wal", "castellan.db-shm"]) {
      expect(await mode(join(home, name))).toBe("600");
    }
    await store.close();
  });

  it("opens nothing before it is used", async () => {
    const home = newHome();
    const store = sqliteStore({ home });
    await store.close();
    await expect(stat(home)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("with an event that is no JSON names it", async () => {
    await withThread(async (thread, file) => {
      const store = sqliteStore({ file });
      for (let after = 0; after < 5; after += 1) await store.append([batch("s1", after)]);
      await thread.run({ sql: "UPDATE events SET data = ? WHERE seq = ?", params: [["{", 4]] });
      const damaged = {
        code: "log_corrupt",
        message: expect.stringContaining("x.db, session s1, event 4: "),
      };
      await expect(store.read("s1")).rejects.toMatchObject(damaged);
      await expect(store.read("s1", 2)).rejects.toMatchObject(damaged);
      expect(await store.read("s1", 4)).toHaveLength(1);
      await store.close();
    });
  });

  it("gives a long log whole, whatever its texts hold", async () => {
    const store = sqliteStore({ home: newHome() });
    const text = 'a",\n{"b": 1},\\n'.repeat(30_000);
    const events = [1, 2, 3, 4, 5].map((seq) => todos(seq, 1, `${seq}${text}`));
    await store.append([{ ...batch("s1", 0), events }]);
    expect(await store.read("s1")).toEqual(events);
    await store.close();
  });

  it("gives the events of many pages in order, from any of them on, and of one session alone", async () => {
    const store = sqliteStore({ home: newHome() });
    const events = Array.from({ length: 2_500 }, (_, at) => todos(at + 1, 1, ""));
    await store.append([
      { ...batch("s1", 0), events },
      { ...batch("s2", 0), events: events.slice(0, 3) },
    ]);
    for (const after of [0, 1, 999, 1_000, 1_001, 2_499, 2_500]) {
      expect(await store.read("s1", after)).toEqual(events.slice(after));
    }
    await store.close();
  });

  it("of a newer release is refused, with what to do", async () => {
    await withThread(async (thread, file) => {
      await thread.run({ sql: "PRAGMA user_version = 99", params: [[]] });
      const store = sqliteStore({ file });
      await expect(store.read("s1")).rejects.toMatchObject({
        code: "log_too_new",
        message: expect.stringMatching(/x\.db cannot be used: .*newer release.*Use that release/),
      });
      await store.close();
    });
  });

  it("keeps the log in front of it, and commits without waiting for the disk unless told to", async () => {
    await withThread(async (thread) => {
      const [mode] = await thread.read("PRAGMA journal_mode");
      const [level] = await thread.read("PRAGMA synchronous");
      expect([mode?.journal_mode, level?.synchronous]).toEqual(["wal", 1]);
    });
  });

  it("flushes once for each transaction that asks for it, also where nothing else changes", async () => {
    await withThread(async (thread) => {
      const flushes = async (): Promise<unknown> => (await thread.read("SELECT n FROM flushes"))[0]?.n;
      const nothing = { steps: [{ sql: "DELETE FROM wakes WHERE id = ?", params: [["x"]] }] };
      await thread.write([nothing]);
      expect(await flushes()).toBe(0);
      await Promise.all([
        thread.write([nothing], true),
        thread.write([nothing], true),
        thread.write([nothing]),
      ]);
      // The first went alone; the others came while it ran, and shared the next.
      expect(await flushes()).toBe(2);
    });
  });

  it("waits for the disk at the end of such a transaction, and of no other", async () => {
    await withThread(async (thread) => {
      const level = async (flush: boolean): Promise<unknown> => {
        const look = { sql: "PRAGMA synchronous", params: [] };
        const nothing = { sql: "DELETE FROM wakes WHERE id = ?", params: [["x"]], must: true };
        return (await thread.write([{ steps: [nothing], otherwise: look }], flush))[0]?.row?.synchronous;
      };
      expect([await level(false), await level(true), await level(false)]).toEqual([1, 2, 1]);
    });
  });

  it("commits what comes meanwhile in one transaction, and each call gets its own answers", async () => {
    await withThread(async (thread) => {
      const insert = (id: string) => ({
        steps: [
          {
            sql: "INSERT INTO decisions (id, data) VALUES (?, '') ON CONFLICT DO NOTHING",
            params: [[id]],
            must: true,
          },
        ],
        otherwise: { sql: "SELECT id, data FROM decisions WHERE id = ?", params: [id] },
      });
      const results = await Promise.all(["a", "b", "a", "c"].map((id) => thread.write([insert(id)])));
      expect(results.map(([result]) => [result?.done, result?.row?.id])).toEqual([
        [true, undefined],
        [true, undefined],
        [false, "a"],
        [true, undefined],
      ]);
    });
  });

  it("takes nothing of a transaction that fails, and goes on", async () => {
    await withThread(async (thread, file) => {
      const sql = "INSERT INTO decisions (id, data) VALUES (?, '')";
      const failing = thread.write([{ steps: [{ sql, params: [["a"], ["b"], ["a"]] }] }]);
      await expect(failing).rejects.toMatchObject({
        code: "store_failed",
        message: expect.stringContaining(`The database ${file} failed: `),
      });
      expect(await thread.read("SELECT id FROM decisions")).toEqual([]);
      expect(await thread.run({ sql, params: [["a"]] })).toMatchObject({ changes: 1 });
    });
  });

  it("has several sessions' batches of one call in it, each with its answer", async () => {
    const store = sqliteStore({ home: newHome() });
    const batches = Array.from({ length: 20 }, (_, i) => batch(`s${i}`, i === 7 ? 3 : 0));
    const answers = await store.append(batches);
    expect(answers.map(({ ok }) => ok)).toEqual(batches.map((_, i) => i !== 7));
    expect(await store.list()).toHaveLength(19);
    await store.close();
  });

  it("refuses a session id that could name a file elsewhere", async () => {
    const store = sqliteStore({ home: newHome() });
    await expect(store.append([batch("../x", 0)])).rejects.toMatchObject({ code: "invalid_option" });
    await store.close();
  });
});

describe("the driver", () => {
  it("is the one that was installed", () => {
    expect(findDriver(undefined, "/")).toMatchObject({
      name: "libsql",
      module: expect.stringMatching(/libsql/),
    });
  });

  it("that is missing is named, with how to get it", async () => {
    const store = sqliteStore({ home: newHome(), driver: "better-sqlite3" });
    await expect(store.append([batch("s1", 0)])).rejects.toMatchObject({
      code: "store_failed",
      message: 'The SQLite driver "better-sqlite3" is not there. Install it: npm install better-sqlite3',
    });
    await store.close();
  });

  it("of Node is used where Node has one", async () => {
    const store = sqliteStore({ home: newHome(), driver: "node:sqlite" });
    const append = store.append([batch("s1", 0)]);
    if (isBuiltin("node:sqlite")) expect(await append).toEqual([{ ok: true, seq: 1 }]);
    else {
      await expect(append).rejects.toMatchObject({
        message: expect.stringMatching(
          /node:sqlite" is not there\. Use Node 22\.13 or newer.*npm install libsql/,
        ),
      });
    }
    await store.close();
  });
});

function batch(sessionId: string, after: number): AppendBatch {
  const events = [todos(after + 1, 1, "x")];
  return { sessionId, project: "/p", expectedSeq: after, batchId: `b${after}`, events };
}
