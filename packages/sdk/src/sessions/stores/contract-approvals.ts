import { rejects } from "node:assert";
import type { ApprovalDecision, ApprovalRecord, ApprovalStore } from "../../protocol/index.ts";
import { type ContractCase, type PortUnderTest, portCases } from "./contract-case.ts";
import { equal } from "./contract-equal.ts";

/**
 * What every approval store must do. `make` is called once a case and gives an empty store.
 *
 * @example
 * for (const { name, run } of approvalStoreContract(async () => ({ port: memoryStore().approvals }))) test(name, run);
 */
export function approvalStoreContract(make: () => Promise<PortUnderTest<ApprovalStore>>): ContractCase[] {
  return portCases<ApprovalStore, PortUnderTest<ApprovalStore>>(make, {
    "what is not there": async (store) => {
      equal(await store.get("a1"), undefined);
      equal(await store.decisionOf("a1"), undefined);
      equal(await store.list(), []);
      equal(await store.remove("a1"), false);
      equal(await store.decide("a1", decision("ann")), { ok: false, code: "approval_not_found" });
      equal(await store.decisionOf("a1"), undefined);
    },

    "a record is given as it was kept, whatever is in it": async (store, again) => {
      const full: ApprovalRecord = {
        ...record("a1", 5),
        agentId: "agent",
        input: { command: 'rm "\u2028" é🏰\u0000', nested: { list: [1, null, true], ["__proto__"]: 1 } },
        matchedRule: {
          text: "Bash(rm:*)",
          behavior: "ask",
          source: "projectSettings",
          file: "/p/x",
          position: 3,
        },
        expiresAt: 9,
        approver: "auto",
      };
      await store.put(full);
      equal(await store.get("a1"), full);
      const later = await again();
      equal(await later.get("a1"), full);
      equal(await later.list(), [full]);
    },

    "a record is kept in place of the one before": async (store) => {
      await store.put(record("a1", 5));
      await store.put({ ...record("a1", 5), status: "expired" });
      equal(
        (await store.list()).map(({ status }) => status),
        ["expired"],
      );
    },

    "what is given is a copy": async (store) => {
      const kept = record("a1", 5);
      await store.put(kept);
      kept.input.command = "other";
      const first = await store.get("a1");
      if (first !== undefined) first.input.command = "other";
      equal(await store.get("a1"), record("a1", 5));
    },

    "the first decision counts, and the next ones are told whose it is": async (store, again) => {
      await store.put(record("a1", 5));
      equal(await store.decide("a1", decision("ann")), { ok: true });
      const late = { ok: false, code: "approval_already_decided", by: "ann" };
      equal(await store.decide("a1", { ...decision("bob"), behavior: "reject" }), late);
      equal(await store.decide("a1", decision("ann")), late);
      const later = await again();
      equal(await later.decide("a1", decision("eve")), late);
      equal(await later.decisionOf("a1"), decision("ann"));
    },

    "a decision changes the status, also of a record that is kept again": async (store) => {
      await store.put(record("a1", 5));
      await store.put(record("a2", 6));
      await store.decide("a1", decision("ann"));
      await store.decide("a2", { ...decision("ann"), behavior: "reject" });
      equal((await store.get("a1"))?.status, "approved");
      await store.put(record("a1", 5));
      equal(
        (await store.list()).map(({ status }) => status),
        ["approved", "rejected"],
      );
    },

    "of many that decide at once, one wins": async (store) => {
      await store.put(record("a1", 5));
      const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
      const answers = await Promise.all(names.map((name) => store.decide("a1", decision(name))));
      const won = names.filter((_, i) => answers[i]?.ok);
      equal(won.length, 1);
      equal((await store.decisionOf("a1"))?.decidedBy, won[0]);
      for (const answer of answers) {
        if (!answer.ok) equal(answer, { ok: false, code: "approval_already_decided", by: won[0] });
      }
    },

    "many may be pending, and are listed oldest first": async (store) => {
      for (const id of ["c", "a", "d", "b"])
        await store.put(record(id, id.charCodeAt(0), id > "b" ? "s2" : "s1"));
      await store.decide("c", decision("ann"));
      const ids = async (filter?: Parameters<ApprovalStore["list"]>[0]): Promise<string[]> =>
        (await store.list(filter)).map(({ id }) => id);
      equal(await ids(), ["a", "b", "c", "d"]);
      equal(await ids({ sessionId: "s2" }), ["c", "d"]);
      equal(await ids({ status: "pending" }), ["a", "b", "d"]);
      equal(await ids({ status: "pending", sessionId: "s2" }), ["d"]);
      equal(await ids({ status: "approved" }), ["c"]);
      equal(await ids({ sessionId: "__proto__" }), []);
    },

    "the ids that it tells, where it does, are those of its records": async (store) => {
      for (const id of ["a", "b", "c"]) await store.put(record(id, 5));
      await store.decide("b", decision("ann"));
      await store.remove("c");
      const told = async (ids: ReadonlySet<string> | undefined): Promise<string[] | undefined> =>
        ids && [...ids].sort();
      if (store.ids !== undefined) equal(await told(await store.ids()), ["a", "b"]);
      if (store.openIds !== undefined) equal(await told(await store.openIds()), ["a"]);
    },

    "what is removed is gone with its decision": async (store) => {
      await store.put(record("a1", 5));
      await store.put(record("a2", 6));
      await store.decide("a1", decision("ann"));
      equal(await store.remove("a1"), true);
      equal(await store.remove("a1"), false);
      equal(await store.decisionOf("a1"), undefined);
      equal(
        (await store.list()).map(({ id }) => id),
        ["a2"],
      );
      await store.put(record("a1", 7));
      equal((await store.get("a1"))?.status, "pending");
    },

    "an id that could name another file is refused": async (store) => {
      for (const id of ["", "..", "../x", "a/b", "a.decision", "x".repeat(129)]) {
        await rejects(store.put(record(id, 5)));
        equal(await store.get(id), undefined);
        equal(await store.remove(id), false);
        equal(await store.decide(id, decision("ann")), { ok: false, code: "approval_not_found" });
      }
      equal(await store.list(), []);
    },
  });
}

function record(id: string, requestedAt: number, sessionId = "s1"): ApprovalRecord {
  return {
    id,
    sessionId,
    toolUseId: `toolu_${id}`,
    tool: "Bash",
    input: { command: "git push" },
    inputHash: "0".repeat(64),
    policyVersion: "p1",
    reason: { type: "undecided", detail: "no rule allows it" },
    suggestions: [],
    title: "Bash: git push",
    requestedAt,
    approver: "human",
    status: "pending",
  };
}

function decision(decidedBy: string): ApprovalDecision {
  return { behavior: "approve", decidedBy, decidedAt: 7, note: "looked at it" };
}
