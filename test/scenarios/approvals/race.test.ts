import { approvalsOf } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { hostOver, STORES } from "./kit.ts";

/** 1,000 in the long lane. */
const times = Math.min(1_000, Number(process.env.CASTELLAN_RUNS ?? 200));

it.each(["memory", "JSONL", "SQLite"] as const)(
  "of two deciders one wins, and nothing is lost (%s)",
  async (kind) => {
    const home = scratch();
    const make = {
      memory: STORES.memory,
      JSONL: () => jsonlStore({ home }),
      SQLite: () => sqliteStore({ home }),
    }[kind];
    const first = make();
    hostOver(first);
    // Two stores over one folder know of each other what two processes do.
    const second = kind === "memory" ? first : make();
    if (second !== first) hostOver(second);
    const [ann, bob] = [approvalsOf(first as never), approvalsOf(second as never)];
    let annWon = 0;
    for (let i = 0; i < times; i++) {
      const id = `apr_${i}`;
      await first.approvals.put({
        id,
        sessionId: "s",
        toolUseId: `c${i}`,
        tool: "send",
        input: {},
        // SHA-256 of {}
        inputHash: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        policyVersion: "p",
        reason: { type: "undecided", detail: "" },
        suggestions: [],
        title: "send",
        requestedAt: i,
        approver: "human",
        status: "pending",
      });
      const tries =
        i % 2 === 0
          ? [() => ann.approve(id, { by: "ann" }), () => bob.reject(id, { by: "bob" })]
          : [() => bob.reject(id, { by: "bob" }), () => ann.approve(id, { by: "ann" })];
      const answers = await Promise.allSettled(tries.map((attempt) => attempt()));
      const won = answers.filter(({ status }) => status === "fulfilled");
      const lost = answers.filter(({ status }) => status === "rejected");
      expect([won.length, lost.length]).toEqual([1, 1]);
      expect(lost[0]).toMatchObject({ reason: { code: "approval_already_decided" } });
      const decision = await ann.decisionOf(id);
      const record = await bob.get(id);
      expect(record?.status).toBe(decision?.decidedBy === "ann" ? "approved" : "rejected");
      if (decision?.decidedBy === "ann") annWon += 1;
    }
    expect(await bob.list({ status: "pending" })).toEqual([]);
    expect(await ann.list()).toHaveLength(times);
    expect(annWon).toBeGreaterThan(0);
    expect(annWon).toBeLessThan(times);
  },
  300_000,
);
