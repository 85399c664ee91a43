import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { EventStore, SessionEvent, Snapshot } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { createWriterOfLogs, randomLog } from "./random-log.cases.ts";
import { readSession } from "./read-session.ts";
import { createSessionLog } from "./session-log.ts";
import { encodeState, makeSnapshot, openSnapshot } from "./snapshot.ts";
import { memoryStore } from "./stores/memory/memory.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);
const platform = nodePlatform();
const parts = { release: "0.1.0", sha256: platform.sha256 };

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

async function stored(events: readonly SessionEvent[], snapshot?: Snapshot): Promise<EventStore> {
  const store = memoryStore();
  await store.append([{ sessionId: "s1", project: "/work", expectedSeq: 0, batchId: "b", events }]);
  // Some shells are older than a store that checks: the snapshot is believed or not by its reader.
  return { ...store, readSnapshot: async () => snapshot };
}

function snapshotAt(events: readonly SessionEvent[], seq: number): Snapshot {
  return makeSnapshot(fold(copy(events.slice(0, seq))), events[seq - 1]?.id ?? "", parts);
}

describe("a snapshot", () => {
  it("leads to the very state that the whole log folds to, byte by byte, wherever it was taken", async () => {
    await fc.assert(
      fc.asyncProperty(randomLog, fc.nat(), async (log, at) => {
        const seq = 1 + (at % log.length);
        const store = await stored(log, snapshotAt(log, seq));
        const read = await readSession(store, "s1", parts);
        expect(read?.snapshotSeq).toBe(seq);
        expect(read?.lastId).toBe(log.at(-1)?.id);
        expect(encodeState(read?.state ?? fold([]))).toBe(encodeState(fold(copy(log))));
      }),
      { numRuns: RUNS },
    );
  });

  it("tells states apart that differ in a map, and says the same for equal ones", () => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    const before = encodeState(fold(copy(log.events)));
    log.add("file.seen", { path: "/f", digest: "d", partial: false });
    const seen = fold(copy(log.events));
    expect(encodeState({ ...seen, lastSeq: 1 })).not.toBe(before);
    expect(encodeState(fold(copy(log.events)))).toBe(encodeState(seen));
  });

  it("keeps a call that is decided again after it one denial", async () => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    log.add("model.completed", {
      model: "m",
      message: {
        role: "assistant",
        id: "m1",
        parts: [{ type: "toolCall", id: "c", name: "T", input: { b: 1, a: 2 } }],
      },
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      stopReason: "tool_use",
      durationMs: 1,
    });
    const reason = { type: "mode", mode: "default" } as const;
    const deny = { callId: "c", name: "T", behavior: "deny", message: "no", reason } as const;
    log.add("tool.decided", deny);
    log.add("tool.decided", { ...deny, message: "still no" });
    const read = await readSession(await stored(log.events, snapshotAt(log.events, 3)), "s1", parts);
    expect(read?.state.denials).toHaveLength(1);
    // And what the model sent keeps its order: providers get it back byte for byte.
    expect(JSON.stringify(read?.state.messages)).toContain('{"b":1,"a":2}');
  });
});

describe("a snapshot that does not fit is left out, and the log is folded from its start:", () => {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
  log.add("cwd.changed", { cwd: "/w/a" });
  log.add("cwd.changed", { cwd: "/w/b" });
  const good = snapshotAt(log.events, 2);
  const forged = makeSnapshot(
    { ...fold(copy(log.events.slice(0, 2))), mode: "bypassPermissions" },
    "e2",
    parts,
  );

  it.each<[string, Snapshot]>([
    ["of another version", { ...good, v: good.v + 1 }],
    ["whose text was changed", { ...good, state: good.state.replace("/w/a", "/w/x") }],
    ["with another hash", { ...good, hash: "0".repeat(64) }],
    [
      "of another release",
      makeSnapshot(fold(copy(log.events.slice(0, 2))), "e2", { ...parts, release: "0.2.0" }),
    ],
    ["of a log that was another", makeSnapshot(fold(copy(log.events.slice(0, 2))), "other", parts)],
    ["that is longer than its log", makeSnapshot({ ...fold(copy(log.events)), lastSeq: 9 }, "e9", parts)],
    ["that says another seq", { ...good, seq: 1 }],
    ["whose state is none", { ...good, state: "null", hash: platform.sha256("null") }],
  ])("%s", async (_, snapshot) => {
    const read = await readSession(await stored(log.events, snapshot), "s1", parts);
    expect(read).toMatchObject({
      snapshotSeq: 0,
      lastId: "e3",
      state: { shellCwd: "/w/b", mode: "default" },
    });
  });

  it("while one that fits is used", async () => {
    expect(await readSession(await stored(log.events, good), "s1", parts)).toMatchObject({ snapshotSeq: 2 });
    // Its own hash fits: it is the reader's user who could write it, and the log as well.
    expect(openSnapshot(forged, parts)?.state.mode).toBe("bypassPermissions");
  });

  it("one that cannot be read", async () => {
    const store = { ...(await stored(log.events)), readSnapshot: () => Promise.reject(new Error("disk")) };
    expect(await readSession(store, "s1", parts)).toMatchObject({ snapshotSeq: 0, state: { lastSeq: 3 } });
  });

  it("and a session that is not there is undefined", async () => {
    expect(await readSession(memoryStore(), "s1", parts)).toBeUndefined();
  });
});

describe("a session log keeps snapshots", () => {
  function open(more: object = {}) {
    const store = memoryStore();
    const written: Snapshot[] = [];
    const writeSnapshot = async (_: string, snapshot: Snapshot) => void written.push(snapshot);
    const noted = { ...store, writeSnapshot };
    const snapshots = { ...parts, seq: 0 };
    const log = createSessionLog({
      store: noted,
      platform,
      sessionId: "s1",
      project: "/w",
      snapshots,
      ...more,
    });
    log.record("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    const walk = (n: number) => {
      for (let i = 0; i < n; i += 1) log.record("cwd.changed", { cwd: `/w/${i}` });
    };
    return { log, store, written, walk };
  }

  it("when the log has grown by half and by 2,000 events, and all of it is stored", async () => {
    const { log, store, written, walk } = open();
    walk(1_000);
    await log.barrier();
    log.snapshot();
    walk(1_000);
    log.snapshot();
    expect(written).toEqual([]);
    await log.barrier();
    log.snapshot();
    log.snapshot();
    expect(written.map(({ seq }) => seq)).toEqual([2_001]);
    const read = await readSession({ ...store, readSnapshot: async () => written[0] }, "s1", parts);
    expect(read?.snapshotSeq).toBe(2_001);
    expect(encodeState(read?.state ?? fold([]))).toBe(encodeState(log.state));
    walk(1_999);
    await log.close();
    expect(written).toHaveLength(1);
  });

  it("at the end, and none where what was recorded is less than the state", async () => {
    const first = open();
    first.walk(2_000);
    await first.log.close();
    expect(first.written.map(({ seq }) => seq)).toEqual([2_001]);
    const second = open({ redact: (event: SessionEvent) => mask(event) });
    second.log.record("user.message", {
      message: { role: "user", parts: [{ type: "text", text: "key-1" }] },
    });
    second.walk(2_000);
    await second.log.close();
    expect(second.written).toEqual([]);
  });

  it("and none while the history is let go of: it would lead to a session without it", async () => {
    const { log, store, written, walk } = open();
    log.record("user.message", { message: { role: "user", parts: [{ type: "text", text: "hello" }] } });
    walk(2_000);
    await log.rest(() => true);
    expect(log.state.messages).toEqual([]);
    await log.close();
    expect(written).toEqual([]);
    expect((await readSession(store, "s1", parts))?.state.messages).toHaveLength(1);
  });

  it("and goes on where one cannot be written", async () => {
    const store = { ...memoryStore(), writeSnapshot: () => Promise.reject(new Error("full")) };
    const { log, walk } = open({ store });
    walk(2_500);
    await log.close();
    expect(await store.read("s1")).toHaveLength(2_501);
  });
});

function mask(event: SessionEvent): SessionEvent {
  return JSON.parse(JSON.stringify(event).replaceAll(/key-\d/g, "***")) as SessionEvent;
}
