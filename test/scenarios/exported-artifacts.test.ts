import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, tool } from "@castellan/sdk";
import { type FullStore, jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { describe, expect, it } from "vitest";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

const HASH = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/g;
const kinds = {
  memory: () => memoryStore(),
  JSONL: () => jsonlStore({ home: scratch() }),
  SQLite: () => sqliteStore({ home: scratch() }),
};
type Kind = keyof typeof kinds;
const pairs = (Object.keys(kinds) as Kind[]).flatMap((from) =>
  (Object.keys(kinds) as Kind[]).filter((to) => to !== from).map((to) => [from, to] as const),
);

const every = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256);
const maker = tool("maker", "Makes things.", {}, async (_, { artifacts }) => ({
  content: [{ type: "text", text: "a long result é漢 ".repeat(8_000) }],
  artifacts: [await artifacts.put(every, "image/x-own"), await artifacts.put("", "text/plain")],
}));

/** A session with a spilled result, bytes, an empty blob, and baselines of files. */
async function written(store: FullStore): Promise<{ sessionId: string; hashes: readonly string[] }> {
  const host = createHost({ store });
  const cwd = scratch();
  writeFileSync(join(cwd, "a.bin"), every.subarray(0, 999));
  const { sessionId } = await play(
    host,
    [{ toolCalls: [{ name: "maker" }, { name: "Bash", input: { command: "rm a.bin" } }] }, "done"],
    { cwd, allowedTools: ["maker", "Bash"], tools: [maker, "Bash"], enableFileCheckpointing: true },
  );
  await host.close();
  const named = new Set(JSON.stringify(await store.read(sessionId)).match(HASH));
  const stored = await store.artifacts.list();
  const hashes = [...named].filter((hash) => stored.includes(hash)).sort();
  // All that was stored is named by the log.
  expect(hashes).toEqual([...stored].sort());
  expect(hashes.length).toBe(4);
  return { sessionId, hashes };
}

async function exported(store: FullStore, sessionId: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of createHost({ store }).sessions.export(sessionId)) lines.push(line);
  return lines;
}

const kindOf = (line: string): string => Object.keys(JSON.parse(line))[0] ?? "";

describe("the artifacts of an exported session", () => {
  it.each(pairs)("arrive byte for byte: from %s to %s", async (from, to) => {
    const source = kinds[from]();
    const { sessionId, hashes } = await written(source);
    const target = kinds[to]();
    const lines = await exported(source, sessionId);
    const taken = await createHost({ store: target }).sessions.import(lines.join(""));
    expect(taken).toMatchObject({ sessionId, artifacts: hashes.length });
    expect([...(await target.artifacts.list())].sort()).toEqual(hashes);
    for (const hash of hashes) {
      const [there, here] = [await target.artifacts.get(hash), await source.artifacts.get(hash)];
      expect(Buffer.from(there ?? [1]).equals(Buffer.from(here ?? [2]))).toBe(true);
      expect(
        createHash("sha256")
          .update(there ?? new Uint8Array())
          .digest("hex"),
      ).toBe(hash);
    }
    // What the imported session names is held there by it.
    const host = createHost({ store: target });
    expect(await host.sessions.prune({ olderThanDays: 1, artifactGraceMs: 0 })).toMatchObject({
      artifacts: { deleted: expect.any(Number) },
    });
    const left = await target.artifacts.list();
    for (const hash of new Set(JSON.stringify(await target.read(sessionId)).match(HASH))) {
      if (hashes.includes(hash)) expect(left).toContain(hash);
    }
    await Promise.all([source.close(), target.close()]);
  });

  it.each<readonly [string, (lines: string[]) => string[], RegExp]>([
    [
      "with other bytes",
      (lines) =>
        lines.map((line) =>
          kindOf(line) === "artifact" ? line.replace(/"base64":"[^"]*"/, '"base64":"AAAA"') : line,
        ),
      /its bytes have another hash/,
    ],
    [
      "without one of them",
      (lines) =>
        lines.toSpliced(
          lines.findIndex((line) => kindOf(line) === "artifact"),
          1,
        ),
      /counts \d+ events and 4 artifacts; there are others/,
    ],
    [
      "with base64 that is cut",
      (lines) =>
        lines.map((line) =>
          kindOf(line) === "artifact" && line.length > 9_000 ? line.replace(/.{8}"\}\}/, '"}}') : line,
        ),
      /its bytes have another hash/,
    ],
  ])("%s it is refused, and no session is there", async (_, change, message) => {
    const source = memoryStore();
    const { sessionId } = await written(source);
    const target = memoryStore();
    const lines = change([...(await exported(source, sessionId))]);
    const host = createHost({ store: target });
    await expect(host.sessions.import(lines.join(""))).rejects.toMatchObject({
      code: "import_refused",
      message: expect.stringMatching(message),
    });
    expect(await target.list()).toEqual([]);
  });

  it("that are gone end the export with an error that names them; without artifacts it goes", async () => {
    const store = memoryStore();
    const { sessionId, hashes } = await written(store);
    const large =
      JSON.stringify(await store.read(sessionId)).match(/"hash":"([0-9a-f]{64})","size":\d{5,}/)?.[1] ?? "";
    expect(hashes).toContain(large);
    await store.artifacts.delete(large);
    await expect(exported(store, sessionId)).rejects.toMatchObject({
      code: "artifact_invalid",
      subject: large,
      message: expect.stringContaining("not in the artifact store"),
    });
    const lines: string[] = [];
    const { sessions } = createHost({ store });
    for await (const line of sessions.export(sessionId, { artifacts: false })) lines.push(line);
    const target = createHost({ store: memoryStore() });
    expect(await target.sessions.import(lines.join(""))).toMatchObject({ sessionId, artifacts: 0 });
  });

  it("that are damaged on the disk end the export with an error that names them", async () => {
    const home = scratch();
    const store = jsonlStore({ home });
    const { sessionId, hashes } = await written(store);
    const [hash = ""] = hashes;
    const folder = join(home, "artifacts", hash.slice(0, 2));
    expect(readdirSync(folder)).toContain(hash);
    writeFileSync(join(folder, hash), "changed");
    await expect(exported(store, sessionId)).rejects.toMatchObject({
      code: "artifact_invalid",
      subject: hash,
    });
  });
});
