import { describe, expect, it } from "vitest";
import { apply } from "./apply.ts";
import { fold } from "./fold.ts";
import { closedFork } from "./fork.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import { encodeState, makeSnapshot, openSnapshot } from "./snapshot.ts";
import { emptyState } from "./state.ts";

const message = (uuid: string) =>
  ({ role: "user", parts: [{ type: "text", text: `text of ${uuid}` }], uuid }) as const;

function logWith(...waiting: readonly string[]) {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/work", release: "0.1.0" });
  for (const uuid of waiting) log.add("message.queued", { message: message(uuid), priority: "later" });
  return log;
}

describe("messages that wait", () => {
  it("wait in their order, and are in no history", () => {
    const state = fold(logWith("a", "b").events);
    expect([...state.queue.keys()]).toEqual(["a", "b"]);
    expect(state.messages).toEqual([]);
  });

  it("wait no more once they are heard under their name, or dropped; others wait on", () => {
    const log = logWith("a", "b", "c");
    log.add("user.message", { message: message("b") });
    log.add("message.dropped", { uuid: "a", why: "cancelled" });
    log.add("message.dropped", { uuid: "unknown", why: "cancelled" });
    const state = fold(log.events);
    expect([...state.queue.keys()]).toEqual(["c"]);
    expect(state.messages).toEqual([message("b")]);
  });

  it("leave nothing behind in the state, nor in that of another session", () => {
    const log = logWith("a");
    log.add("user.message", { message: message("a") });
    expect(encodeState(fold(log.events))).not.toContain("queue");
    expect(emptyState().queue.size).toBe(0);
  });

  it("are in a snapshot as they are", () => {
    const { events } = logWith("a", "b");
    const state = fold(events);
    const parts = { release: "0", sha256: (text: string) => `${text.length}` };
    const opened = openSnapshot(makeSnapshot(state, events.at(-1)?.id ?? "", parts), parts);
    expect([...(opened?.state.queue ?? [])]).toEqual([...state.queue]);
    expect(opened?.state.queue.size).toBe(2);
  });

  it("stay with the original of a fork", () => {
    const { events } = logWith("a", "b");
    const parts = { sessionId: "s2", release: "0.1.0", id: () => "x", now: 1 };
    const copy = closedFork(events, fold(events), parts);
    expect(fold(copy).queue.size).toBe(0);
    const state = fold(events);
    apply(state, { ...copy.at(-1), seq: 9 } as never);
    expect(state.queue.size).toBe(1);
  });
});
