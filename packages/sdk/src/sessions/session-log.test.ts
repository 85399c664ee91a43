import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { AppendBatch, EventStore, SessionEvent } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { createSessionLog, type SessionLog } from "./session-log.ts";
import { memoryStore } from "./stores/memory/memory.ts";

/** Timers fire at once, and every wait is noted. */
function quick() {
  const waits: number[] = [];
  const platform = nodePlatform();
  const timer = (ms: number, fire: () => void) => {
    waits.push(ms);
    queueMicrotask(fire);
    return { cancel: () => {} };
  };
  return { waits, platform: { ids: platform.ids, clock: { ...platform.clock, now: () => 42, timer } } };
}

/** A real store that notes its appends and fails as `fault` says. */
function watched(fault: (n: number) => "before" | "after" | Error | undefined = () => undefined) {
  const inner = memoryStore();
  const appends: AppendBatch[] = [];
  const append: EventStore["append"] = async (batches) => {
    appends.push(...batches);
    const kind = fault(appends.length);
    if (kind instanceof Error) throw kind;
    if (kind === "before") throw new Error("lost on the way");
    const answer = await inner.append(batches);
    if (kind === "after") throw new Error("the reply was lost");
    return answer;
  };
  return { store: { ...inner, append }, inner, appends };
}

function open(store: EventStore, more: { onEvent?(event: SessionEvent): void } = {}) {
  const { platform, waits } = quick();
  return { waits, log: createSessionLog({ store, platform, sessionId: "s1", project: "/p", ...more }) };
}

function cd(log: SessionLog, ...paths: string[]): void {
  for (const cwd of paths) log.record("cwd.changed", { cwd });
}

describe("record", () => {
  it("gives the envelope, moves the state and tells of it, all before it returns", () => {
    const seen: SessionEvent[] = [];
    const { store, appends } = watched();
    const { log } = open(store, { onEvent: (event) => seen.push(event) });
    log.record("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    log.record("file.seen", { path: "/f", digest: "d", partial: false }, "cause-1");
    expect(log.state).toMatchObject({ sessionId: "s1", lastSeq: 2 });
    expect(seen).toEqual([
      {
        v: 1,
        seq: 1,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ts: 42,
        type: "session.started",
        critical: true,
        data: { sessionId: "s1", cwd: "/w", release: "0.1.0" },
      },
      expect.objectContaining({ seq: 2, type: "file.seen", cause: "cause-1" }),
    ]);
    expect(seen[1]).not.toHaveProperty("critical");
    expect(appends).toEqual([]);
  });

  it("goes on behind what is stored", async () => {
    const store = memoryStore();
    const first = open(store).log;
    cd(first, "/a", "/b");
    await first.close();
    const state = fold(await store.read("s1"));
    const { platform } = quick();
    const log = createSessionLog({ store, platform, sessionId: "s1", project: "/p", state });
    cd(log, "/c");
    await log.barrier();
    expect((await store.read("s1")).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(fold(await store.read("s1"))).toEqual(log.state);
  });
});

describe("barrier", () => {
  it("writes all that waits at once, and nothing when nothing waits", async () => {
    const { store, inner, appends } = watched();
    const { log } = open(store);
    await log.barrier();
    cd(log, "/a", "/b", "/c");
    await log.barrier();
    await log.barrier();
    expect(appends.map(({ expectedSeq, events }) => [expectedSeq, events.length])).toEqual([[0, 3]]);
    expect(await inner.read("s1")).toHaveLength(3);
  });

  it("shares an append among the barriers that come while one is on its way", async () => {
    const { store, inner, appends } = watched();
    const { log } = open(store);
    const stored: Promise<number>[] = [];
    for (let i = 0; i < 10; i += 1) {
      cd(log, `/${i}`);
      stored.push(log.barrier().then(async () => (await inner.read("s1")).length));
    }
    const seen = await Promise.all(stored);
    expect(seen.every((length, i) => length > i)).toBe(true);
    expect(appends.map(({ events }) => events.length)).toEqual([1, 9]);
  });

  it.each(["before", "after"] as const)("repeats an append that rejected %s it was stored", async (when) => {
    const { store, inner, appends } = watched((n) => (n <= 3 ? when : undefined));
    const { log, waits } = open(store);
    cd(log, "/a", "/b");
    await log.barrier();
    expect(new Set(appends.map(({ batchId }) => batchId)).size).toBe(1);
    expect(waits).toEqual([20, 80, 320]);
    expect((await inner.read("s1")).map(({ seq }) => seq)).toEqual([1, 2]);
    cd(log, "/c");
    await log.barrier();
    expect(await inner.read("s1")).toHaveLength(3);
  });

  it("rejects after the last try, keeps its events, and the next barrier writes them", async () => {
    const { store, inner, appends } = watched((n) => (n <= 4 ? "after" : undefined));
    const { log } = open(store);
    cd(log, "/a");
    const failure = { code: "store_failed", message: expect.stringContaining("the reply was lost") };
    await expect(log.barrier()).rejects.toMatchObject(failure);
    expect(appends).toHaveLength(4);
    cd(log, "/b");
    await log.barrier();
    expect((await inner.read("s1")).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("does not repeat what another try cannot change", async () => {
    const { store, appends } = watched(() => new CastellanError("session_busy", "in use"));
    const { log } = open(store);
    cd(log, "/a");
    await expect(log.barrier()).rejects.toMatchObject({ code: "session_busy" });
    expect(appends).toHaveLength(1);
  });

  it("rejects for ever after a conflict", async () => {
    const { store, inner, appends } = watched();
    const [one, two] = [open(store).log, open(store).log];
    cd(one, "/a");
    await one.barrier();
    cd(two, "/b");
    const both = await Promise.allSettled([two.barrier(), two.barrier()]);
    expect(both.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    const failure = { code: "store_conflict", message: expect.stringContaining("at event 1") };
    await expect(two.barrier()).rejects.toMatchObject(failure);
    cd(two, "/c");
    await expect(two.barrier()).rejects.toMatchObject(failure);
    await expect(two.close()).rejects.toMatchObject(failure);
    expect(appends).toHaveLength(2);
    expect(await inner.read("s1")).toHaveLength(1);
  });
});

describe("close", () => {
  it("writes the rest and takes nothing more", async () => {
    const { store, inner } = watched();
    const { log } = open(store);
    cd(log, "/a");
    await log.close();
    expect(await inner.read("s1")).toHaveLength(1);
    expect(() => cd(log, "/b")).toThrow(expect.objectContaining({ code: "query_closed" }));
    expect(log.state.lastSeq).toBe(1);
    await log.close();
  });
});
