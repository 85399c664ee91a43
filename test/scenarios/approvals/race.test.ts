import { approvalsOf } from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { hostOver } from "./kit.ts";
import { otherProcess } from "./other-process.ts";

/** 1,000 in the long lane. */
const times = Math.min(1_000, Number(process.env.CASTELLAN_RUNS ?? 200));
const PATIENCE_MS = 300_000;

type Decide = (id: string, approves: boolean) => Promise<string>;

/** Two decide about each approval at the same moment, in turns who is told first. */
async function race(store: ReturnType<typeof memoryStore>, ann: Decide, bob: Decide): Promise<void> {
  const inbox = approvalsOf(store);
  const wins = { ann: 0, bob: 0 };
  for (let i = 0; i < times; i++) {
    const id = `apr_${i}`;
    await store.approvals.put({
      ...{
        id,
        sessionId: "s",
        toolUseId: `c${i}`,
        tool: "send",
        input: {},
        inputHash: EMPTY,
        policyVersion: "p",
      },
      ...{ reason: { type: "undecided", detail: "" }, suggestions: [], title: "send", requestedAt: i },
      ...{ approver: "human", status: "pending" },
    });
    const [first, second] = i % 2 === 0 ? [ann, bob] : [bob, ann];
    const came = await Promise.all([first(id, first === ann), second(id, second === ann)]);
    expect([...came].sort()).toEqual(["approval_already_decided", "won"]);
    const winner = (came[0] === "won") === (first === ann) ? "ann" : "bob";
    wins[winner] += 1;
    const decision = await inbox.decisionOf(id);
    expect(decision).toMatchObject({ decidedBy: winner, behavior: winner === "ann" ? "approve" : "reject" });
    expect((await inbox.get(id))?.status).toBe(winner === "ann" ? "approved" : "rejected");
  }
  expect(await inbox.list({ status: "pending" })).toEqual([]);
  expect(await inbox.list()).toHaveLength(times);
  const [approved, rejected] = [
    await inbox.list({ status: "approved" }),
    await inbox.list({ status: "rejected" }),
  ];
  expect([approved.length, rejected.length]).toEqual([wins.ann, wins.bob]);
  // Neither of them always was the first.
  expect(Math.min(wins.ann, wins.bob)).toBeGreaterThan(0);
}

/** SHA-256 of {} */
const EMPTY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

function decider(store: object, by: string): Decide {
  const inbox = approvalsOf(store as ReturnType<typeof memoryStore>);
  return (id, approves) =>
    (approves ? inbox.approve(id, { by }) : inbox.reject(id, { by })).then(
      () => "won",
      (error: { code: string }) => error.code,
    );
}

describe("of two deciders one wins, and nothing is lost", () => {
  it(
    "in one process (memory)",
    async () => {
      const store = memoryStore();
      hostOver(store);
      await race(store, decider(store, "ann"), decider(store, "bob"));
    },
    PATIENCE_MS,
  );

  it.each([
    ["JSONL", jsonlStore],
    ["SQLite", sqliteStore],
  ] as const)(
    "two stores of one process (%s)",
    async (_, open) => {
      const home = scratch();
      const [one, two] = [open({ home }), open({ home })];
      for (const store of [one, two]) hostOver(store);
      await race(one, decider(one, "ann"), decider(two, "bob"));
    },
    PATIENCE_MS,
  );

  it.each([
    ["JSONL", jsonlStore],
    ["SQLite", sqliteStore],
  ] as const)(
    "two processes (%s)",
    async (kind, open) => {
      const home = scratch();
      const store = open({ home });
      hostOver(store);
      const [ann, bob] = await Promise.all(["ann", "bob"].map((by) => otherProcess({ kind, home, by })));
      if (ann === undefined || bob === undefined) throw new Error("unreachable");
      await race(store, ann.decide, bob.decide);
      await Promise.all([ann.end(), bob.end()]);
    },
    PATIENCE_MS,
  );
});
