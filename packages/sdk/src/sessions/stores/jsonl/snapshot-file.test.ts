import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

it("a snapshot that is damaged is none, and the next one takes its place", async () => {
  const home = await mkdtemp(join(tmpdir(), "castellan-snapshot-"));
  const store = jsonlStore({ home });
  const events = [todos(1, 1, "x")];
  await store.append([{ sessionId: "s1", project: "/p", expectedSeq: 0, batchId: "b", events }]);
  const folder = dirname(store.locate?.("s1", "/p") ?? "");
  const file = join(folder, "snapshot.json");
  for (const text of [
    "",
    '{"v": 1, "seq": 1, "hash": "a"',
    "null",
    '{"v":1,"seq":1,"hash":"a"}',
    '{"v":"1","seq":1,"hash":"a","state":"{}"}',
  ]) {
    await writeFile(file, text);
    expect(await store.readSnapshot?.("s1")).toBeUndefined();
  }
  const snapshot = { v: 1, seq: 1, hash: "a", state: "{}" };
  await store.writeSnapshot?.("s1", snapshot);
  expect(await store.readSnapshot?.("s1")).toEqual(snapshot);
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await store.close();
  await rm(home, { recursive: true, force: true });
});
