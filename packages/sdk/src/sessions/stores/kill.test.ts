import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonlStore } from "./jsonl.ts";

const EVENTS = 40;
const WRITER = `
import { jsonlStore } from "./store.js";
const store = jsonlStore({ home: process.argv[2] });
const text = "x".repeat(5000);
for (let after = (await store.read("s1")).length; ; after += ${EVENTS}) {
  const events = Array.from({ length: ${EVENTS} }, (_, i) => ({
    v: 1, seq: after + i + 1, id: "e", ts: 1, type: "todos.changed",
    data: { todos: [{ content: text, status: "pending", activeForm: "" }] },
  }));
  await store.append([{ sessionId: "s1", project: "/p", expectedSeq: after, batchId: "b" + after, events }]);
  process.stdout.write(after + ${EVENTS} + "\\n");
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "castellan-kill-"));
  const entry = fileURLToPath(new URL("./jsonl.ts", import.meta.url));
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: join(folder, "out"),
      rollupOptions: { output: { entryFileNames: "store.js" } },
    },
  });
  await writeFile(join(folder, "out/package.json"), '{"type":"module"}');
  await writeFile(join(folder, "out/writer.js"), WRITER);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a writer that is killed", () => {
  it("loses nothing that it acknowledged, and the next one goes on from there", async () => {
    const home = join(folder, "home");
    let stored = 0;
    for (const batches of [1, 2, 3, 5, 2, 4]) {
      const acknowledged = await writeAndKill(home, batches);
      expect(acknowledged).toBe(stored + batches * EVENTS);
      const reader = jsonlStore({ home });
      const events = await reader.read("s1");
      expect(events.length).toBeGreaterThanOrEqual(acknowledged);
      expect(events.length % EVENTS).toBe(0);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
      stored = events.length;
      await reader.close();
    }
    const store = jsonlStore({ home });
    const next = { ...(await store.read("s1"))[0], seq: stored + 1 } as never;
    const batch = { sessionId: "s1", project: "/p", expectedSeq: stored, batchId: "last", events: [next] };
    expect(await store.append([batch])).toEqual([{ ok: true, seq: stored + 1 }]);
    await store.close();
  }, 60_000);
});

/** Kills the writer the moment that it has reported so many batches, and gives the last `seq` of these. */
async function writeAndKill(home: string, batches: number): Promise<number> {
  const child = spawn(process.execPath, [join(folder, "out/writer.js"), home], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let left = batches;
  let seq = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (left === 0) break;
    seq = Number(line);
    left -= 1;
    if (left === 0) child.kill("SIGKILL");
  }
  expect(await ended).toEqual([null, "SIGKILL"]);
  return seq;
}
