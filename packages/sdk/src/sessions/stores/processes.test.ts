import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AppendBatch } from "../../protocol/index.ts";
import { jsonlStore } from "./jsonl/jsonl.ts";
import { sqliteStore } from "./sqlite/sqlite.ts";

const EVENTS = 40;
const STORES = { jsonl: jsonlStore, sqlite: sqliteStore };

/** Goes on from what it finds, and tells the last number of each batch that was acknowledged. */
const WRITER = `
import { jsonlStore, sqliteStore } from "./stores.js";
const [kind, home, sync, most] = process.argv.slice(2);
const store = { jsonl: jsonlStore, sqlite: sqliteStore }[kind]({ home });
const text = "x".repeat(5000);
let left = Number(most);
try {
  for (let after = (await store.read("s1")).length; left > 0; after += ${EVENTS}, left -= 1) {
    const events = Array.from({ length: ${EVENTS} }, (_, i) => ({
      v: 1, seq: after + i + 1, id: process.pid + "-" + (after + i + 1), ts: 1, type: "todos.changed",
      data: { todos: [{ content: text, status: "pending", activeForm: "" }] },
    }));
    const batch = { sessionId: "s1", project: "/p", expectedSeq: after, batchId: process.pid + "-" + after, events };
    const [answer] = await store.append([sync === "sync" ? { ...batch, sync: true } : batch]);
    if (!answer.ok) throw answer;
    process.stdout.write(after + ${EVENTS} + "\\n");
  }
  // Keeps its claim, and its process, until it is killed.
  if (sync !== "leave") setInterval(() => {}, 1000);
} catch (error) {
  process.stdout.write(error.code + "\\n");
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "castellan-processes-"));
  await writeFile(
    join(folder, "stores.ts"),
    ["jsonl", "sqlite"]
      .map((kind) => [kind, fileURLToPath(new URL(`./${kind}/${kind}.ts`, import.meta.url))])
      .map(([kind, path]) => `export { ${kind}Store } from ${JSON.stringify(path)};`)
      .join("\n"),
  );
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: join(folder, "stores.ts"),
      outDir: join(folder, "out"),
      rollupOptions: { output: { entryFileNames: "stores.js" } },
    },
  });
  await writeFile(join(folder, "out/package.json"), '{"type":"module"}');
  await writeFile(join(folder, "out/writer.js"), WRITER);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Kind = keyof typeof STORES;
let homes = 0;
const newHome = (): string => join(folder, `home-${homes++}`);

describe.each(Object.keys(STORES) as Kind[])("a process that writes a %s store", (kind) => {
  it.each(["process", "sync"])(
    "and is killed loses nothing that it acknowledged (%s), and the next one goes on from there",
    async (sync) => {
      const home = newHome();
      let stored = 0;
      for (const batches of [1, 2, 3, 5, 2, 4]) {
        const acknowledged = await writeAndKill(kind, home, sync, batches);
        expect(acknowledged).toBe(stored + batches * EVENTS);
        const reader = STORES[kind]({ home });
        const events = await reader.read("s1");
        expect(events.length).toBeGreaterThanOrEqual(acknowledged);
        expect(events.length % EVENTS).toBe(0);
        expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
        stored = events.length;
        await reader.close();
      }
      const store = STORES[kind]({ home });
      expect(await store.append([await nextBatch(store, stored)])).toEqual([{ ok: true, seq: stored + 1 }]);
      await store.close();
    },
    60_000,
  );

  it("and closes nothing ends by itself, and holds up nobody", async () => {
    const home = newHome();
    const child = start(kind, home, "leave", 2);
    const ended = once(child, "exit");
    expect(await lines(child, 3)).toEqual([`${EVENTS}`, `${2 * EVENTS}`]);
    expect(await ended).toEqual([0, null]);
    const store = STORES[kind]({ home });
    expect(await store.append([await nextBatch(store, 2 * EVENTS)])).toMatchObject([{ ok: true }]);
    await store.close();
  }, 60_000);

  it("keeps others out while it lives, and not when it is dead", async () => {
    const home = newHome();
    const first = start(kind, home, "process", 2);
    expect(await lines(first, 2)).toEqual([`${EVENTS}`, `${2 * EVENTS}`]);
    const second = start(kind, home, "process", 2);
    expect(await lines(second, 1)).toEqual(["session_busy"]);
    const store = STORES[kind]({ home });
    await expect(store.append([await nextBatch(store, 2 * EVENTS)])).rejects.toMatchObject({
      code: "session_busy",
      message: expect.stringMatching(
        new RegExp(`${home}.*process ${first.pid} writes it.*End that run`, "s"),
      ),
    });
    await expect(store.delete("s1")).rejects.toMatchObject({ code: "session_busy" });
    expect(await store.read("s1")).toHaveLength(2 * EVENTS);
    expect([await store.isBusy?.("s1"), await store.isBusy?.("s2")]).toEqual([true, false]);
    const gone = once(first, "exit");
    first.kill("SIGKILL");
    await gone;
    expect(await store.isBusy?.("s1")).toBe(false);
    expect(await store.append([await nextBatch(store, 2 * EVENTS)])).toEqual([
      { ok: true, seq: 2 * EVENTS + 1 },
    ]);
    await store.close();
  }, 60_000);

  it("at the same moment as another has it for itself: each event is of one of them", async () => {
    const home = newHome();
    const children = [start(kind, home, "process", 3), start(kind, home, "process", 3)];
    const told = await Promise.all(children.map((child) => lines(child, 3)));
    for (const child of children) child.kill("SIGKILL");
    const store = STORES[kind]({ home });
    const events = await store.read("s1");
    await store.close();
    const winners = children.filter((_, i) => told[i]?.length === 3);
    expect(winners).toHaveLength(1);
    expect(told.flat()).toEqual(expect.arrayContaining([expect.stringMatching(/^(session_busy|conflict)$/)]));
    expect(events).toHaveLength(3 * EVENTS);
    for (const { id, seq } of events) expect(id).toBe(`${winners[0]?.pid}-${seq}`);
  }, 60_000);
});

async function nextBatch(
  store: { read(id: string): Promise<readonly object[]> },
  after: number,
): Promise<AppendBatch> {
  const next = { ...(await store.read("s1"))[0], seq: after + 1 } as never;
  return { sessionId: "s1", project: "/p", expectedSeq: after, batchId: `next-${after}`, events: [next] };
}

function start(kind: Kind, home: string, sync: string, most: number): ChildProcess {
  // The driver is looked for from the working directory.
  return spawn(process.execPath, [join(folder, "out/writer.js"), kind, home, sync, String(most)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** So many lines of a child, or fewer when it ends. */
async function lines(child: ChildProcess, most: number): Promise<string[]> {
  const found: string[] = [];
  if (child.stdout === null) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) {
    found.push(line);
    if (found.length === most) break;
  }
  return found;
}

/** Kills the writer the moment that it has reported so many batches, and gives the last `seq` of these. */
async function writeAndKill(kind: Kind, home: string, sync: string, batches: number): Promise<number> {
  const child = start(kind, home, sync, 1000);
  const ended = once(child, "exit");
  const told = await lines(child, batches);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  return Number(told.at(-1));
}
