import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../../../platform/index.ts";
import { todos } from "../contract-events.ts";
import { jsonlStore } from "./jsonl.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-behind-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const events = (sizes: readonly number[], from = 1) =>
  sizes.map((size, i) => todos(from + i, 1_000 + i, "x".repeat(size)));

/** A platform that counts what is read of files. */
function counted() {
  const platform = nodePlatform();
  const count = { bytes: 0 };
  const open = async (path: string, flags: string) => {
    const handle = await platform.fs.open(path, flags);
    const read = handle.read.bind(handle) as (...all: unknown[]) => Promise<{ bytesRead: number }>;
    const counting = async (...all: unknown[]) => {
      const done = await read(...all);
      count.bytes += done.bytesRead;
      return done;
    };
    return Object.assign(handle, { read: counting });
  };
  const readFile = async (path: string, ...how: never[]) => {
    const content = await platform.fs.readFile(path, ...how);
    count.bytes += content.length;
    return content;
  };
  return { platform: { ...platform, fs: { ...platform.fs, open, readFile } as never }, count };
}

describe("what stands behind an event", () => {
  it("is what a reading from the start has there, in logs of any shape, with or without a torn end", async () => {
    const store = jsonlStore({ home });
    let session = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.oneof(fc.nat(300), fc.constant(70_000)), { minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.nat(40),
        fc.boolean(),
        async (batches, after, isTorn) => {
          session += 1;
          const sessionId = `s${session}`;
          let seq = 0;
          for (const sizes of batches) {
            const batch = { expectedSeq: seq, batchId: `b${seq}`, events: events(sizes, seq + 1) };
            await store.append([{ sessionId, project: "/srv/app", ...batch }]);
            seq += sizes.length;
          }
          await store.release?.(sessionId);
          const log = store.locate?.(sessionId, "/srv/app") ?? "";
          // Whole lines of a batch whose last line was never written, and half a line.
          if (isTorn) await appendFile(log, `${JSON.stringify(todos(seq + 1, 6, "y".repeat(200)))}\n{"torn`);
          const all = await store.read(sessionId);
          expect(all).toHaveLength(seq);
          expect(await store.read(sessionId, after)).toEqual(all.slice(after));
        },
      ),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 60) },
    );
    await store.close();
  });

  it("costs what it is, however long the log is before it", async () => {
    const { platform, count } = counted();
    const store = jsonlStore({ home, platform });
    const batch = { batchId: "b", events: events(Array.from({ length: 20_000 }, () => 100)) };
    await store.append([{ sessionId: "s", project: "/srv/app", expectedSeq: 0, ...batch }]);
    count.bytes = 0;
    expect(await store.read("s", 19_990)).toHaveLength(10);
    expect(count.bytes).toBeLessThan(200_000);
    expect(await store.read("s")).toHaveLength(20_000);
    expect(count.bytes).toBeGreaterThan(4_000_000);
    await store.close();
  });

  it("names the line that is wrong by its number in the file", async () => {
    const store = jsonlStore({ home });
    const sizes = Array.from({ length: 2_000 }, () => 100);
    await store.append([
      { sessionId: "s", project: "/srv/app", expectedSeq: 0, batchId: "b", events: events(sizes) },
    ]);
    await store.close();
    const other = jsonlStore({ home });
    const log = other.locate?.("s", "/srv/app") ?? "";
    const lines = (await readFile(log, "utf8")).split("\n");
    lines[1_995] = "no event";
    await writeFile(log, lines.join("\n"));
    await expect(other.read("s", 1_990)).rejects.toMatchObject({
      code: "log_corrupt",
      message: expect.stringContaining("line 1996"),
    });
    expect(await other.read("s", 1_997)).toHaveLength(3);
    await other.close();
  });
});
