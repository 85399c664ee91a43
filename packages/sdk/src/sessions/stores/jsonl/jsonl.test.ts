import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSystem, nodePlatform } from "../../../platform/index.ts";
import type { AppendBatch, EventStore, SessionEvent } from "../../../protocol/index.ts";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-jsonl-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function events(after: number, size: number): SessionEvent[] {
  return Array.from({ length: size }, (_, i) => todos(after + i + 1, 1000 + after + i, `é ${after + i + 1}`));
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

async function logPath(sessionId = "s1"): Promise<string> {
  const [project] = await readdir(join(home, "sessions"));
  return join(home, "sessions", project ?? "", sessionId, "log.jsonl");
}

async function withStore<T>(job: (store: EventStore) => Promise<T>): Promise<T> {
  const store = jsonlStore({ home });
  try {
    return await job(store);
  } finally {
    await store.close();
  }
}

describe("the files of jsonlStore", () => {
  it("hold one event a line, private to the user, below the project's folder", async () => {
    await withStore(async (store) => {
      const place = store.locate?.("s1", "/srv/My App");
      await store.append([batch(0, 2), batch(2, 1)]);
      expect(await logPath()).toBe(place);
    });
    const log = await logPath();
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      events(0, 1)[0],
      { ...events(1, 1)[0], batch: "b0" },
      { ...events(2, 1)[0], batch: "b2" },
    ]);
    expect(log).toMatch(/sessions[\\/]srv-my-app-[0-9a-f]{12}[\\/]s1[\\/]log\.jsonl$/);
    if (process.platform !== "win32") {
      expect((await stat(log)).mode & 0o777).toBe(0o600);
      expect((await stat(join(log, ".."))).mode & 0o777).toBe(0o700);
      expect((await stat(join(log, "../.."))).mode & 0o777).toBe(0o700);
    }
  });

  it("lie where CASTELLAN_HOME says, else in the home directory", async () => {
    for (const env of [{ CASTELLAN_HOME: join(home, "env") }, { CASTELLAN_HOME: "" }]) {
      const store = jsonlStore({ platform: { ...nodePlatform(), env, homedir: () => home } });
      await store.append([batch(0, 1)]);
      await store.close();
    }
    expect((await readdir(home)).sort()).toEqual([".castellan", "env"]);
    expect(await readdir(join(home, ".castellan"))).toEqual(["sessions"]);
  });

  it("never leave the store's folder, whatever a project or a session is called", async () => {
    await withStore(async (store) => {
      const strange = ["..", "../../x", "/", "con", "", "a/../../b", ".", "\u0000", "é".repeat(3000)];
      for (const [i, project] of strange.entries()) {
        await store.append([{ ...batch(0, 1, `s${i}`), project }]);
      }
      expect((await store.list()).map((summary) => summary.project).sort()).toEqual([...strange].sort());
      for (const id of ["..", "../s0", "a/b", "", "label ", "x\u0000"]) {
        expect(await store.read(id)).toEqual([]);
        expect(await store.delete(id)).toBe(false);
        await expect(store.append([batch(0, 1, id)])).rejects.toMatchObject({ code: "invalid_option" });
        expect(() => store.locate?.(id, "/p")).toThrow(expect.objectContaining({ code: "invalid_option" }));
      }
    });
    expect(await readdir(home)).toEqual(["sessions"]);
  });

  it("keep a session whose id is the word label apart from the label of its project", async () => {
    const batches = ["s1", "label"].map((id) => batch(0, 1, id));
    await withStore((store) => store.append(batches));
    await withStore(async (store) => {
      const found = await store.list({ project: "/srv/My App" });
      expect(found.map((one) => [one.sessionId, one.project]).sort()).toEqual([
        ["label", "/srv/My App"],
        ["s1", "/srv/My App"],
      ]);
      expect(await store.read("label")).toEqual(events(0, 1));
    });
  });

  it("of more sessions than may be open at once all get their batches", async () => {
    await withStore(async (store) => {
      const ids = Array.from({ length: 300 }, (_, i) => `s${i}`);
      for (const after of [0, 1]) await store.append(ids.map((id) => batch(after, 1, id)));
      for (const id of ids) expect(await store.read(id)).toEqual(events(0, 2));
      if (process.platform === "linux") {
        const open = await Promise.all((await readdir("/proc/self/fd")).map((fd) => target(fd)));
        const logs = open.filter((path) => path.startsWith(home) && path.endsWith("log.jsonl"));
        expect(logs.length).toBeGreaterThan(0);
        expect(logs.length).toBeLessThanOrEqual(256);
      }
    });
  }, 60_000);
});

async function target(fd: string): Promise<string> {
  return nodePlatform()
    .fs.readlink(`/proc/self/fd/${fd}`)
    .catch(() => "");
}

describe("a log that was cut off", () => {
  it("at any byte of its last batch loses that batch only, and goes on", async () => {
    await withStore((store) => store.append([batch(0, 2)]));
    const log = await logPath();
    const whole = (await stat(log)).size;
    await withStore((store) => store.append([batch(2, 2)]));
    const bytes = await readFile(log);
    for (let size = whole; size < bytes.length; size += 1) {
      await writeFile(log, bytes.subarray(0, size));
      await withStore(async (store) => {
        expect(await store.read("s1")).toEqual(events(0, 2));
        expect(await store.append([batch(2, 2)])).toEqual([{ ok: true, seq: 4 }]);
        expect(await store.read("s1")).toEqual(events(0, 4));
      });
      expect(await readFile(log)).toEqual(bytes);
    }
    expect(bytes.length - whole).toBeGreaterThan(200);
  }, 60_000);

  it("in its first batch begins again", async () => {
    await withStore((store) => store.append([batch(0, 3)]));
    await truncate(await logPath(), 200);
    await withStore(async (store) => {
      expect(await store.read("s1")).toEqual([]);
      expect(await store.list()).toEqual([]);
      expect(await store.append([batch(3, 1)])).toEqual([{ ok: false, code: "conflict", actualSeq: 0 }]);
      expect(await store.append([batch(0, 3)])).toEqual([{ ok: true, seq: 3 }]);
    });
  });

  it("finds the end of a batch that is larger than the piece it looks at", async () => {
    const big = { ...batch(1, 0), batchId: "big", events: [todos(2, 5, "x".repeat(300_000))] };
    await withStore((store) => store.append([batch(0, 1), big]));
    await appendFile(await logPath(), `${JSON.stringify(todos(3, 6, "y".repeat(200_000)))}\n{"torn`);
    await withStore(async (store) => {
      expect((await store.list())[0]).toMatchObject({ events: 2, createdAt: 1000, updatedAt: 5 });
      expect(await store.append([big])).toEqual([{ ok: true, seq: 2 }]);
      expect(await store.append([{ ...batch(2, 1), batchId: "next" }])).toEqual([{ ok: true, seq: 3 }]);
      expect((await store.read("s1")).length).toBe(3);
    });
  });
});

describe("a log that is damaged", () => {
  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ["broken JSON", (l) => l.with(1, '{"v":1,'), /log\.jsonl, line 2: it is not JSON/],
    ["a line that is no event", (l) => l.with(2, "[]"), /log\.jsonl, line 3: it is not an event/],
    ["a missing line", (l) => l.toSpliced(1, 1), /log\.jsonl, line 2: the event is number 3, not 2/],
    ["an empty line", (l) => l.toSpliced(3, 0, ""), /log\.jsonl, line 4: it is not JSON/],
    ["a batch id that is no text", (l) => l.with(4, l[4]?.replace('"b3"', "7") ?? ""), /line 5: "batch"/],
  ])("by %s is refused with file and line", async (_, damage, message) => {
    await withStore((store) => store.append([batch(0, 3), batch(3, 2)]));
    const log = await logPath();
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
    await writeFile(log, `${damage(lines).join("\n")}\n`);
    await withStore(async (store) => {
      const failure = { code: "log_corrupt", message: expect.stringMatching(message), subject: log };
      await expect(store.read("s1")).rejects.toMatchObject(failure);
      expect(await store.delete("s1")).toBe(true);
    });
  });

  it("by bytes that are no UTF-8 is refused, also by the next writer", async () => {
    await withStore((store) => store.append([batch(0, 2)]));
    const log = await logPath();
    const bytes = await readFile(log);
    bytes[bytes.lastIndexOf(0xa9)] = 0xff;
    await writeFile(log, bytes);
    await withStore(async (store) => {
      const failure = { code: "log_corrupt", message: expect.stringContaining("line 2") };
      await expect(store.read("s1")).rejects.toMatchObject(failure);
      await expect(store.append([batch(2, 1)])).rejects.toMatchObject(failure);
      expect(await store.list()).toEqual([]);
    });
    expect(await readFile(log)).toEqual(bytes);
  });
});

describe("closing", () => {
  it("waits for the appends that were called before", async () => {
    const store = jsonlStore({ home });
    const appends = [store.append([batch(0, 1)]), store.append([batch(1, 1)])];
    await store.close();
    expect((await Promise.all(appends)).flat()).toEqual([
      { ok: true, seq: 1 },
      { ok: true, seq: 2 },
    ]);
    expect(await withStore((next) => next.append([batch(2, 1)]))).toEqual([{ ok: true, seq: 3 }]);
  });
});

describe("a disk that refuses", () => {
  it("names the path and the cause", async () => {
    await writeFile(join(home, "sessions"), "a file where the folder belongs");
    await withStore(async (store) => {
      await expect(store.append([batch(0, 1)])).rejects.toMatchObject({
        code: "store_failed",
        message: expect.stringMatching(/sessions.*(ENOTDIR|EEXIST)/),
      });
    });
    await rm(join(home, "sessions"));
    await withStore(async (store) => {
      await store.append([batch(0, 1)]);
    });
    const log = await logPath();
    await rm(log);
    await mkdir(log);
    await withStore(async (store) => {
      await expect(store.append([batch(0, 1)])).rejects.toMatchObject({ code: "store_failed" });
      await expect(store.read("s1")).rejects.toMatchObject({ code: "store_failed", subject: log });
    });
    // A failed start holds nobody up.
    expect((await readdir(join(log, ".."))).sort()).toEqual(["log.jsonl"]);
  });

  it("in the middle of an append keeps what was acknowledged, and the retry is whole", async () => {
    let room = Number.POSITIVE_INFINITY;
    const store = jsonlStore({ home, platform: { ...nodePlatform(), fs: diskWith(() => room) } });
    await store.append([batch(0, 2)]);
    const log = await logPath();
    const before = await readFile(log);
    for (room of [100, 0, 1, 250]) {
      await expect(store.append([batch(2, 3)])).rejects.toMatchObject({
        code: "store_failed",
        subject: log,
        message: expect.stringContaining("ENOSPC"),
      });
      expect((await readFile(log)).subarray(0, before.length)).toEqual(before);
      expect(await store.read("s1")).toEqual(events(0, 2));
    }
    room = Number.POSITIVE_INFINITY;
    // A shorter batch than the one that failed: nothing of that may show behind it.
    expect(await store.append([batch(2, 1)])).toEqual([{ ok: true, seq: 3 }]);
    const line = { ...events(2, 1)[0], batch: "b2" };
    expect(await readFile(log, "utf8")).toBe(`${before}${JSON.stringify(line)}\n`);
    await store.close();
    expect(await withStore((again) => again.read("s1"))).toEqual(events(0, 3));
  });
});

/** The real file system, whose files take only so many bytes an append. */
function diskWith(room: () => number): FileSystem {
  const { fs } = nodePlatform();
  const limited = (to: number, bytes: Buffer, from: number, length: number, position: number): number => {
    const rest = Math.min(length, room() - from);
    if (rest <= 0)
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    return fs.writeSync(to, bytes, from, rest, position);
  };
  return { ...fs, writeSync: limited as FileSystem["writeSync"] };
}

describe("a log that changes under its writer", () => {
  it.each([
    [
      "another one wrote",
      async (log: string) => appendFile(log, "{}\n"),
      "session_busy",
      /changed by somebody else/,
    ],
    [
      "another one cut it",
      async (log: string) => truncate(log, 5),
      "session_busy",
      /changed by somebody else/,
    ],
    ["it was deleted", async (log: string) => rm(log), "store_failed", /deleted while its session ran/],
  ])("is not written any more: %s", async (_, change, code, message) => {
    await withStore(async (store) => {
      await store.append([batch(0, 2)]);
      const log = await logPath();
      await change(log);
      const before = await readFile(log, "utf8").catch(() => undefined);
      await expect(store.append([batch(2, 1)])).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
      expect(await readFile(log, "utf8").catch(() => undefined)).toBe(before);
    });
  });
});

describe("the label of a project", () => {
  it("is mended where a full disk left it empty", async () => {
    await withStore((store) => store.append([batch(0, 1)]));
    const label = join(await logPath(), "../../label.txt");
    await writeFile(label, "");
    await withStore(async (store) => {
      await store.append([batch(0, 1, "s2")]);
      expect((await store.list()).map(({ project }) => project)).toEqual(["/srv/My App", "/srv/My App"]);
    });
    expect(await readFile(label, "utf8")).toBe("/srv/My App");
    expect((await readdir(join(label, ".."))).sort()).toEqual(["label.txt", "s1", "s2"]);
  });
});
