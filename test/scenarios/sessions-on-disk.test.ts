import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, nodePlatform } from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

describe("what is kept on the disk", () => {
  it("names a log that cannot be read, with its reason, behind the others", async () => {
    const home = scratch();
    const store = jsonlStore({ home });
    const host = createHost({ store });
    const cwd = scratch();
    const good = await play(host, ["a"], { cwd });
    const bad = await play(host, ["b"], { cwd });
    const late = await play(host, ["c"], { cwd });
    const path = store.locate?.(bad.sessionId, cwd) ?? "";
    writeFileSync(path, readFileSync(path, "utf8").replace(/\n.*\n/, "\nnot json\n"));
    const later = store.locate?.(late.sessionId, cwd) ?? "";
    writeFileSync(
      later,
      readFileSync(later, "utf8").replace('"type":"model.requested"', '"type":"later","critical":true'),
    );
    const listed = await host.sessions.list();
    expect(listed[0]?.sessionId).toBe(good.sessionId);
    expect(new Map(listed.map(({ sessionId, problem }) => [sessionId, problem?.code]))).toEqual(
      new Map([
        [good.sessionId, undefined],
        [bad.sessionId, "log_corrupt"],
        [late.sessionId, "log_too_new"],
      ]),
    );
    expect(await host.sessions.info(bad.sessionId)).toMatchObject({ status: "unreadable" });
    // Its artifacts are not known, so none is taken away.
    const { artifacts } = await host.sessions.prune({ olderThanDays: 1_000, artifactGraceMs: 0 });
    expect(artifacts.deleted).toBe(0);
    expect(await host.sessions.delete(bad.sessionId)).toBe(true);
    await host.close();
  });

  it("is pruned by age, but for the newest; artifacts go when no session reaches them, and not while they are fresh", async () => {
    const home = scratch();
    const previous = process.env.CASTELLAN_HOME;
    process.env.CASTELLAN_HOME = home;
    try {
      const host = createHost();
      const cwd = scratch();
      const big = "x".repeat(200_000);
      writeFileSync(join(cwd, "big.txt"), big);
      mkdirSync(join(cwd, "sub"));
      const look = [{ toolCalls: [{ name: "Bash", input: { command: "cat big.txt big.txt" } }] }, "end"];
      const options = { cwd, allowedTools: ["Bash(cat *)"] };
      const first = await play(host, look, options);
      const second = await play(host, ["b"], { cwd });
      const blobs = () =>
        readdirSync(join(home, "artifacts"), { recursive: true }).filter((name) =>
          /[0-9a-f]{64}$/.test(String(name)),
        );
      expect(blobs()).toHaveLength(1);
      const dry = await host.sessions.prune({ olderThanDays: 0, keep: 1, dryRun: true, artifactGraceMs: 0 });
      expect(dry).toMatchObject({ deleted: [first.sessionId], artifacts: { deleted: 1 } });
      expect(blobs()).toHaveLength(1);
      expect(await host.sessions.prune({ olderThanDays: 0, keep: 2, artifactGraceMs: 0 })).toEqual({
        deleted: [],
        left: [],
        artifacts: { deleted: 0 },
      });
      // Another host over the same home: the blob is younger than the grace, whoever put it.
      const other = createHost();
      expect(await other.sessions.prune({ olderThanDays: 0, keep: 1 })).toMatchObject({
        deleted: [first.sessionId],
        artifacts: { deleted: 0 },
      });
      expect(blobs()).toHaveLength(1);
      expect(await other.sessions.prune({ olderThanDays: 0, keep: 1, artifactGraceMs: 0 })).toMatchObject({
        artifacts: { deleted: 1 },
      });
      expect(blobs()).toEqual([]);
      expect((await host.sessions.list()).map(({ sessionId }) => sessionId)).toEqual([second.sessionId]);
      await Promise.all([host.close(), other.close()]);
    } finally {
      if (previous === undefined) delete process.env.CASTELLAN_HOME;
      else process.env.CASTELLAN_HOME = previous;
    }
  });

  it("is no more files at once than the store was told to open", async () => {
    const own = nodePlatform();
    const openNow = new Set<number>();
    let most = 0;
    const fs: typeof own.fs = {
      ...own.fs,
      openSync: (path, ...more) => {
        const descriptor = own.fs.openSync(path, ...more);
        if (String(path).endsWith("log.jsonl")) openNow.add(descriptor);
        most = Math.max(most, openNow.size);
        return descriptor;
      },
      closeSync: (descriptor) => {
        openNow.delete(descriptor);
        own.fs.closeSync(descriptor);
      },
    };
    const store = jsonlStore({ home: scratch(), platform: { ...own, fs }, openFiles: 2 });
    const started = { v: 1, seq: 1, ts: 0, type: "session.started" } as const;
    for (const id of ["a", "b", "c", "d"]) {
      const data = { sessionId: id, cwd: "/w", release: "0.1.0" };
      const events = [{ ...started, id: `e-${id}`, data }];
      await store.append([{ sessionId: id, project: "/w", expectedSeq: 0, batchId: id, events }]);
    }
    await store.close();
    expect([most, openNow.size]).toEqual([2, 0]);
  });

  it("never has what the host's redactor takes out, and a resume works with what is left", async () => {
    const store = memoryStore();
    const host = createHost({
      store,
      redact: (given) => JSON.parse(JSON.stringify(given).replaceAll("hunter2", "[secret]")),
    });
    const { sessionId, messages } = await play(host, ["your hunter2"], {}, "hunter2 is it");
    expect(JSON.stringify(messages)).toContain("your hunter2");
    expect(JSON.stringify(await store.read(sessionId))).not.toContain("hunter2");
    const model = scriptedModel(["more"]);
    await play(host, [], { model, resume: sessionId }, "on");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("[secret] is it");
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("hunter2");
    const broken = createHost({
      store,
      redact: () => {
        throw new Error("hunter2");
      },
    });
    const failed = await play(broken, ["x"], {}, "hunter2");
    expect(failed.result).toMatchObject({ is_error: true, terminal_reason: "redaction_failed" });
    expect(JSON.stringify(failed.result)).not.toContain("hunter2");
    expect(await store.read(failed.sessionId)).toEqual([]);
  });
});
