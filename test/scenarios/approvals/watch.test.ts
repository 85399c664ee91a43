import type { ApprovalChange } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, hostOver, sendTool } from "./kit.ts";

it.each([
  ["JSONL", jsonlStore],
  ["SQLite", sqliteStore],
] as const)(
  "watch tells what waits, what is new, decided and over, also of other stores over the folder (%s)",
  async (_, open) => {
    const home = scratch();
    const host = hostOver(open({ home }));
    const other = hostOver(open({ home }));
    const { tool } = sendTool();
    const approvals = { mode: "durable", onPending: "pause" } as const;
    const first = begin(host, [{ toolCalls: [call("c1", "one"), call("c2", "two")] }], {
      tools: [tool],
      approvals,
    });
    const { session_id: sessionId } = await first.result;
    const seen: ApprovalChange[] = [];
    const end = new AbortController();
    const until = new Map<string, () => void>();
    const reading = (async () => {
      for await (const change of other.approvals.watch({ signal: end.signal })) {
        seen.push(change);
        until.get(`${change.type} ${change.record.toolUseId}`)?.();
      }
    })();
    const sees = (what: string): Promise<void> =>
      new Promise((resolve) => {
        if (seen.some((change) => `${change.type} ${change.record.toolUseId}` === what)) resolve();
        until.set(what, resolve);
      });
    await sees("requested c2");
    const read = begin(host, [{ toolCalls: [call("c3", "three")] }, { text: "done" }], {
      tools: [tool],
      approvals: { mode: "durable", expiresInMs: 200 },
    });
    const third = await asked(read, "c3");
    await sees("requested c3");
    const [one] = await host.approvals.list({ sessionId });
    await host.approvals.approve(one?.id ?? "", { by: "ann" });
    await sees("decided c1");
    await sees("expired c3");
    await read.result;
    end.abort();
    await reading;
    const decided = seen.find((change) => change.type === "decided");
    expect(decided).toMatchObject({
      record: { id: one?.id, status: "approved" },
      decision: { decidedBy: "ann" },
    });
    expect(seen.find((change) => change.type === "expired")?.record.id).toBe(third);
    expect(
      seen.filter((change) => change.type === "requested").map(({ record }) => record.toolUseId),
    ).toEqual(["c1", "c2", "c3"]);
  },
);

it.each([
  ["JSONL", jsonlStore],
  ["SQLite", sqliteStore],
] as const)(
  "watch tells of one that was asked about and decided between two of its looks, and of none that was over before (%s)",
  async (_, open) => {
    const home = scratch();
    const store = open({ home });
    const host = hostOver(store);
    const other = hostOver(open({ home }));
    const put = (id: string, sessionId = "s") =>
      store.approvals.put({
        ...{ id, sessionId, toolUseId: id, tool: "send", input: {}, inputHash: EMPTY, policyVersion: "p" },
        ...{ reason: { type: "undecided", detail: "" }, suggestions: [], title: id, requestedAt: 1 },
        ...{ approver: "human", status: "pending" },
      });
    await put("before");
    await host.approvals.reject("before");
    await put("open");
    const end = new AbortController();
    const told: string[] = [];
    const reading = (async () => {
      for await (const { type, record } of other.approvals.watch({ signal: end.signal, sessionId: "s" })) {
        told.push(`${type} ${record.id} ${record.status}`);
        if (told.length === 1) {
          // Both happen while nobody looks.
          await put("quick");
          await put("elsewhere", "t");
          await host.approvals.approve("quick");
          await host.approvals.reject("elsewhere");
        }
        if (record.id === "quick" && type === "decided") end.abort();
      }
    })();
    await reading;
    expect(told).toEqual(["requested open pending", "requested quick pending", "decided quick approved"]);
  },
);

/** SHA-256 of {} */
const EMPTY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
