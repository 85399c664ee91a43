import { describe, expect, it, vi } from "vitest";
import { memoryArtifacts } from "../../artifacts/index.ts";
import { nodePlatform } from "../../platform/index.ts";
import type { EventStore, SessionEvent } from "../../protocol/index.ts";
import { memoryStore } from "../../sessions/index.ts";
import { claimSession } from "../claims.ts";
import { type LoadParts, loadSession } from "./load-session.ts";

const NEW = "0199a0b0-0000-7000-8000-000000000009";

function event(seq: number, type: string, data: unknown, ts = seq): SessionEvent {
  return { v: 1, seq, id: `e${seq}`, ts, type, critical: true, data } as unknown as SessionEvent;
}

async function storeWith(
  sessions: Record<string, readonly SessionEvent[]>,
  project = "/w",
): Promise<EventStore> {
  const store = memoryStore();
  for (const [sessionId, events] of Object.entries(sessions)) {
    await store.append([{ sessionId, project, expectedSeq: 0, batchId: sessionId, events }]);
  }
  return store;
}

const started = (sessionId: string, cwd = "/w", ts = 1) =>
  event(1, "session.started", { sessionId, cwd, release: "0.1.0" }, ts);

const load = (store: EventStore, options: LoadParts["options"], more: Partial<LoadParts> = {}) =>
  loadSession({
    options,
    store,
    artifacts: memoryArtifacts(),
    platform: nodePlatform(),
    newId: NEW,
    cwd: "/w",
    claim: () => {},
    notify: () => {},
    ...more,
  });

describe("finding a session", () => {
  it("begins a new one", async () => {
    const claim = vi.fn();
    const loaded = await load(memoryStore(), {}, { claim });
    expect(loaded).toMatchObject({ sessionId: NEW, fresh: true, state: { lastSeq: 0 } });
    expect(claim).toHaveBeenCalledExactlyOnceWith(NEW);
  });

  it("folds the one that is resumed, and claims it before it is read", async () => {
    const store = await storeWith({ one: [started("one")] });
    const order: string[] = [];
    const read: EventStore["read"] = (id) => {
      order.push("read");
      return store.read(id);
    };
    const claim = () => void order.push("claim");
    const loaded = await load({ ...store, read }, { resume: "one" }, { claim });
    expect(loaded).toMatchObject({ sessionId: "one", fresh: false, state: { cwd: "/w", lastSeq: 1 } });
    expect(order).toEqual(["claim", "read"]);
  });

  it("continues the newest session of the directory, and begins one where there is none", async () => {
    const store = await storeWith({
      a: [started("a", "/w", 1)],
      b: [started("b", "/w", 7)],
      c: [started("c", "/w", 3)],
    });
    expect(await load(store, { continue: true })).toMatchObject({ sessionId: "b", fresh: false });
    expect(await load(store, { continue: true }, { cwd: "/elsewhere" })).toMatchObject({
      sessionId: NEW,
      fresh: true,
    });
    expect(await load(store, { continue: false })).toMatchObject({ fresh: true });
    const notify = vi.fn();
    const list: EventStore["list"] = (filter) => {
      filter?.skipped?.("session c cannot be read");
      return store.list(filter);
    };
    expect(await load({ ...store, list }, { continue: true }, { notify })).toMatchObject({ sessionId: "b" });
    expect(notify.mock.calls).toEqual([["warning", "session c cannot be read"]]);
  });

  it.each<readonly [string, readonly SessionEvent[], LoadParts["options"], string]>([
    ["an id that is not there", [], { resume: "gone" }, "session_not_found"],
    ["a log of another session", [started("other")], { resume: "one" }, "log_corrupt"],
    [
      "a log without its beginning",
      [event(1, "todos.changed", { todos: [] })],
      { resume: "one" },
      "log_corrupt",
    ],
    [
      "a log with a gap",
      [started("one"), event(3, "cwd.changed", { cwd: "/w" })],
      { resume: "one" },
      "log_corrupt",
    ],
    [
      "a critical event that is not known",
      [started("one"), event(2, "oath.sworn", {})],
      { resume: "one" },
      "log_too_new",
    ],
    ["an id for a new session that is taken", [started("one")], { sessionId: "one" }, "invalid_option"],
  ])("refuses %s", async (_, events, options, code) => {
    const parts = { read: async () => events };
    const store = { ...memoryStore(), ...parts };
    await expect(load(store, options, { newId: "one" })).rejects.toMatchObject({ code });
  });
});

describe("a claim", () => {
  it("keeps a second run of the same session away, until it is given back; by store", () => {
    const [one, two] = [memoryStore(), memoryStore()];
    const free = claimSession(one, "s");
    expect(() => claimSession(one, "s")).toThrow(expect.objectContaining({ code: "session_busy" }));
    claimSession(one, "t");
    claimSession(two, "s");
    free();
    expect(() => claimSession(one, "s")).not.toThrow();
  });
});
