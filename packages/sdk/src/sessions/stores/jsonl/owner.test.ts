import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../../../platform/index.ts";
import type { AppendBatch } from "../../../protocol/index.ts";
import { todos } from "../contract-events.ts";
import { processMark } from "../process-mark.ts";
import { jsonlStore } from "./jsonl.ts";
import { claim } from "./owner.ts";

const platform = nodePlatform();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "castellan-owner-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const busy = { code: "session_busy", message: expect.stringContaining(`process ${process.pid}`) };

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid as number;
}

function leave(epoch: number, record: unknown): Promise<void> {
  return writeFile(join(folder, `owner.${epoch}.json`), JSON.stringify(record));
}

describe("claim", () => {
  it("holds until it is released", async () => {
    const owner = await claim(platform, folder, { store: "one" });
    await expect(claim(platform, folder, { store: "two" })).rejects.toMatchObject(busy);
    const [file = ""] = await readdir(folder);
    expect(JSON.parse(await readFile(join(folder, file), "utf8"))).toMatchObject({
      pid: process.pid,
      store: "one",
    });
    await owner.release();
    expect(await readdir(folder)).toEqual([]);
    await (await claim(platform, folder, { store: "two" })).release();
  });

  it("takes over from a process that is gone", async () => {
    await leave(4, { pid: await deadPid(), start: "", store: "gone" });
    await claim(platform, folder, { store: "one" });
    expect(await readdir(folder)).toEqual(["owner.5.json"]);
  });

  it("takes over where another process has the number by now", async () => {
    const mark = await processMark(platform, process.pid);
    await leave(1, { pid: process.pid, start: mark === "" ? "" : `${mark}0`, store: "gone" });
    if (mark === "") await expect(claim(platform, folder, { store: "one" })).rejects.toMatchObject(busy);
    else expect(await claim(platform, folder, { store: "one" })).toBeDefined();
  });

  it("does not take over from a living process", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    const pid = child.pid as number;
    await leave(1, { pid, start: (await processMark(platform, pid)) ?? "gone", store: "other" });
    await expect(claim(platform, folder, { store: "one" })).rejects.toMatchObject({
      code: "session_busy",
      message: expect.stringContaining(`process ${pid}`),
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await claim(platform, folder, { store: "one" })).toBeDefined();
  });

  it.each(["", "{", "null", "[]", '{"pid":"1"}'])(
    "takes over a file that holds no record: %j",
    async (text) => {
      await writeFile(join(folder, "owner.2.json"), text);
      await claim(platform, folder, { store: "one" });
      expect(await readdir(folder)).toEqual(["owner.3.json"]);
    },
  );

  it("takes over from a process that has ended and is still in the process table", async () => {
    if (process.platform === "win32") return;
    // The shell becomes `cat`, which never asks how the shell's child ended.
    const parent = spawn("sh", ["-c", "sleep 100 & echo $!; exec cat"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const pid = Number(String(await once(parent.stdout, "data")));
    parent.stdin.write("cat is here");
    await once(parent.stdout, "data");
    process.kill(pid, "SIGKILL");
    while ((await processMark(platform, pid)) !== undefined) await settle();
    await leave(1, { pid, start: "", store: "gone" });
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(await claim(platform, folder, { store: "one" })).toBeDefined();
    parent.kill("SIGKILL");
    await once(parent, "exit");
  });

  it("steps back when others took over twice while it looked", async () => {
    await leave(1, { pid: await deadPid(), start: "", store: "gone" });
    const linkSync: typeof platform.fs.linkSync = (from, to) => {
      rmSync(join(folder, "owner.1.json"), { force: true });
      const other = { pid: process.pid, start: "", store: "other" };
      writeFileSync(join(folder, "owner.3.json"), JSON.stringify(other));
      platform.fs.linkSync(from, to);
    };
    const late = { ...platform, fs: { ...platform.fs, linkSync } };
    await expect(claim(late, folder, { store: "late" })).rejects.toMatchObject(busy);
    expect(await readdir(folder)).toEqual(["owner.3.json"]);
  });

  it.each(["writeFile", "linkSync", "readdirSync", "unlinkSync"] as const)(
    "of a new folder has one winner when another one claims in the moment of %s",
    async (call) => {
      await (await claim(platform, folder, { store: "warm" })).release();
      let rival: Promise<unknown> | undefined;
      const between = (...args: unknown[]): unknown => {
        rival ??= claim(platform, folder, { store: "rival", isNew: true });
        return (platform.fs[call] as (...args: unknown[]) => unknown)(...args);
      };
      const machine = { ...platform, fs: { ...platform.fs, [call]: between } };
      const own = claim(machine, folder, { store: "own", isNew: true });
      const [mine] = await Promise.allSettled([own]);
      const [other] = await Promise.allSettled([rival]);
      expect([mine?.status, other?.status].sort()).toEqual(["fulfilled", "rejected"]);
      expect(await readdir(folder)).toHaveLength(1);
    },
  );

  it("of a new folder steps back from one who took over in between", async () => {
    const record = { pid: process.pid, start: (await processMark(platform, process.pid)) ?? "", store: "x" };
    await leave(2, record);
    await expect(claim(platform, folder, { store: "one", isNew: true })).rejects.toMatchObject(busy);
    expect(await readdir(folder)).toEqual(["owner.2.json"]);
  });

  it("has one winner when many take over at once", async () => {
    await leave(7, { pid: await deadPid(), start: "", store: "gone" });
    const stores = Array.from({ length: 20 }, (_, i) => `store-${i}`);
    const outcomes = await Promise.allSettled(stores.map((store) => claim(platform, folder, { store })));
    const won = outcomes.flatMap(({ status }, i) => (status === "fulfilled" ? [stores[i]] : []));
    expect(won).toHaveLength(1);
    const files = await readdir(folder);
    expect(files).toHaveLength(1);
    expect(JSON.parse(await readFile(join(folder, files[0] ?? ""), "utf8")).store).toBe(won[0]);
  });
});

describe("two stores over the same files", () => {
  const batch = (after: number): AppendBatch => ({
    sessionId: "s1",
    project: "/p",
    expectedSeq: after,
    batchId: `b${after}`,
    events: [todos(after + 1, 1, "x")],
  });

  it("do not write the same session, but both read it", async () => {
    const [one, two] = [jsonlStore({ home: folder }), jsonlStore({ home: folder })];
    await one.append([batch(0)]);
    await expect(two.append([batch(1)])).rejects.toMatchObject(busy);
    await expect(two.delete("s1")).rejects.toMatchObject(busy);
    expect(await two.read("s1")).toEqual([todos(1, 1, "x")]);
    await two.append([{ ...batch(0), sessionId: "s2" }]);
    await one.release?.("s1");
    expect(await two.append([batch(1)])).toEqual([{ ok: true, seq: 2 }]);
    await expect(one.append([batch(2)])).rejects.toMatchObject(busy);
    await two.close();
    expect(await one.append([batch(2)])).toEqual([{ ok: true, seq: 3 }]);
    await one.close();
  });
});

function settle(): Promise<void> {
  return new Promise((resolve) => platform.clock.timer(5, resolve));
}
