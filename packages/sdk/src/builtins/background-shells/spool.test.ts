import { truncate } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import { scratchWorkspace } from "../../workspace/test-kit.ts";
import { createSpool, readSpool } from "./spool.ts";

const platform = nodePlatform();
let cwd: string;
let remove: () => Promise<void>;
let count = 0;
beforeEach(async () => {
  ({ cwd, remove } = await scratchWorkspace(platform, () => []));
});
afterEach(() => remove());

const place = () => join(cwd, `spool-${count++}`);

describe("a spool", () => {
  it("gives the newest of what came, from any position, whole characters only", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 12 }),
        fc.nat(),
        async (texts, seed) => {
          const path = place();
          const spool = await createSpool(platform, path, 64);
          for (const text of texts) spool.append(text);
          const all = Buffer.from(texts.join(""), "utf8");
          expect(spool.total()).toBe(all.length);
          const from =
            all.length === 0 ? 0 : Buffer.byteLength([...texts.join("")].slice(0, seed % 9).join(""));
          const { text, dropped } = spool.read(from);
          const start = Math.max(from, all.length - 64);
          expect(dropped).toBe(start - from);
          const kept = all
            .subarray(start)
            .toString("utf8")
            .replace(/^\ufffd+/, dropped > 0 ? "" : "$&");
          expect(text.replace(/^\ufffd+/, dropped > 0 ? "" : "$&")).toBe(kept);
          spool.close();
          // The same file, as another process finds it.
          expect((await readSpool(platform, path, 64))?.text).toBe(spool.read(0).text);
        },
      ),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 200) / 4 },
    );
  });

  it("keeps the end in memory where the disk is full, and says so", async () => {
    let room = 100;
    const full: Platform = {
      ...platform,
      fs: {
        ...platform.fs,
        writeSync: ((fd: number, bytes: Uint8Array, at: number, length: number, position: number) => {
          room -= length;
          if (room < 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
          return platform.fs.writeSync(fd, bytes, at, length, position);
        }) as Platform["fs"]["writeSync"],
      },
    };
    const spool = await createSpool(full, place());
    spool.append("first");
    spool.append("x".repeat(200_000));
    spool.append("last");
    expect(spool.fault()).toContain("ENOSPC");
    expect(spool.total()).toBe(200_009);
    const { text, dropped } = spool.read(0);
    expect(text.startsWith("first")).toBe(true);
    expect(text.endsWith("xlast")).toBe(true);
    expect(text.length + dropped).toBe(200_009);
    expect(spool.read(200_005)).toEqual({ text: "last", dropped: 0 });
    expect(spool.read(200_009)).toEqual({ text: "", dropped: 0 });
    spool.close();
  });

  it("says what is gone where its file was cut or is none", async () => {
    const spool = await createSpool(platform, place());
    spool.append("hello");
    await truncate(spool.path, 34);
    expect(spool.read(0)).toEqual({ text: "", dropped: 5 });
    spool.close();
    expect(await readSpool(platform, spool.path)).toBeUndefined();
    await truncate(spool.path, 0);
    expect(await readSpool(platform, spool.path)).toBeUndefined();
    expect(await readSpool(platform, "/dev/zero")).toBeUndefined();
    await expect(createSpool(platform, spool.path)).rejects.toMatchObject({ code: "EEXIST" });
  });
});
