import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Clock } from "../platform/index.ts";
import type { ApprovalDecision, ApprovalRecord, ApprovalStore, EventData } from "../protocol/index.ts";
import { createDesk } from "./desk.ts";
import type { DeskParts, Question } from "./desk-types.ts";

/** A store that fails when it is told to. */
function shakyStore() {
  const records = new Map<string, ApprovalRecord>();
  const decisions = new Map<string, ApprovalDecision>();
  const failing = { decide: false, reads: 0 };
  const store: ApprovalStore = {
    put: async (record) => void records.set(record.id, record),
    get: async (id) => records.get(id),
    list: async () => [...records.values()],
    async decide(id, decision) {
      if (failing.decide) throw new Error("no space is left");
      const first = decisions.get(id);
      if (first !== undefined) return { ok: false, code: "approval_already_decided", by: first.decidedBy };
      decisions.set(id, decision);
      return { ok: true };
    },
    async decisionOf(id) {
      if (failing.reads > 0) {
        failing.reads -= 1;
        throw new Error("too many open files");
      }
      return decisions.get(id);
    },
    stamp: async () => String(decisions.size),
    remove: async (id) => records.delete(id),
  };
  return { store, failing };
}

/** Timers fire at once, one behind the other; those that wait are counted. */
function quickClock() {
  let running = 0;
  const clock: Clock = {
    now: () => 1,
    monotonic: () => 1,
    timer(_, fire) {
      running += 1;
      let isOver = false;
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        running -= 1;
        return true;
      };
      setImmediate(() => end() && fire());
      return { cancel: () => void end() };
    },
  };
  return { clock, running: () => running };
}

const question: Question = {
  ...{ callId: "c1", name: "send", input: { text: "hi" }, message: "why", suggestions: [], title: "send" },
  ...{ approver: "human", policyVersion: "p", isDeferred: false, reason: { type: "undecided", detail: "?" } },
} as Question;

function desk(more: Partial<DeskParts> = {}) {
  const { store, failing } = shakyStore();
  const { clock, running } = quickClock();
  const approvals = new Map<string, { requested: EventData<"approval.requested"> }>();
  const made = createDesk({
    ...{ store, sessionId: "s", onPending: "pause" },
    platform: {
      clock,
      ids: { short: (prefix: string) => `${prefix}_1` } as DeskParts["platform"]["ids"],
      sha256: (text) => createHash("sha256").update(text).digest("hex"),
    },
    log: {
      state: { approvals },
      record(type, data) {
        if (type === "approval.requested") {
          approvals.set("c1", { requested: data as EventData<"approval.requested"> });
        } else approvals.delete("c1");
      },
      barrier: async () => {},
    },
    tell: () => ({ over() {} }),
    ...more,
  });
  return { desk: made, store, failing, running };
}

const scope = (signal: AbortSignal, parked: () => void = () => {}) => ({
  signal,
  isLeft: () => true,
  parked() {
    parked();
    return () => {};
  },
});

describe("a desk", () => {
  it("lets go of a call whose turn ends in the moment in which it begins to wait", async () => {
    const { desk: open, running } = desk();
    const end = new AbortController();
    const reason = Object.assign(new Error("The session was closed."), { code: "close" });
    const ruling = open.ask(
      question,
      scope(end.signal, () => end.abort(reason)),
    );
    await expect(ruling).rejects.toBe(reason);
    await open.close();
    expect(running()).toBe(0);
  });

  it("hears of a decision that could not be read at first", async () => {
    const { desk: open, store, failing } = desk();
    const ruling = open.ask(question, scope(new AbortController().signal));
    await new Promise((resolve) => setTimeout(resolve, 20));
    failing.reads = 20;
    await store.decide("apr_1", { behavior: "approve", decidedBy: "ann", decidedAt: 1 });
    expect(await ruling).toMatchObject({ kind: "approve", by: "ann" });
  });

  it("watches the store no longer once a hook has ended the run, whatever the store says to that", async () => {
    const stop = { kind: "stopped", reason: "enough" } as const;
    const told = { stopped: Promise.resolve(stop), over() {} };
    const { desk: open, failing, running } = desk({ tell: () => told });
    failing.decide = true;
    expect(await open.ask(question, scope(new AbortController().signal))).toEqual(stop);
    await open.close();
    expect(running()).toBe(0);
  });
});
