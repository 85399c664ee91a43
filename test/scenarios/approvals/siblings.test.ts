import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, hostOver, type Read, resultsIn, STORES, sendTool } from "./kit.ts";
import { otherProcess } from "./other-process.ts";

// Five calls of one turn, of which three ask: in whatever order they are answered, and however.

const ASKING = ["c1", "c3", "c5"] as const;
const orders = permutations(ASKING);
/** Whether each of the three is approved. */
const words = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((bit) => (i & (1 << bit)) === 0));

function permutations(list: readonly string[]): string[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first) =>
    permutations(list.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}

type Decide = (id: string, approves: boolean) => Promise<unknown>;

/** One session: its three questions are answered in this order, each only when the one before has its result. */
async function play(
  store: Parameters<typeof hostOver>[0],
  readOnly: boolean,
  order: readonly string[],
  approved: readonly boolean[],
  decideWith: (host: ReturnType<typeof hostOver>) => Decide,
): Promise<void> {
  const host = hostOver(store);
  const { read, send, free } = begun(host, readOnly);
  const ids = new Map<string, string>();
  for (const id of ASKING) ids.set(id, await asked(read, id));
  // What needs nobody has run, or will, with nobody's word.
  for (const id of ["c2", "c4"]) await read.until((message) => isResult(message, id));
  expect(free.sent).toEqual(["c2", "c4"]);
  expect(send.sent).toEqual([]);
  const isApproved = (id: string): boolean => approved[ASKING.indexOf(id as "c1")] === true;
  const decide = decideWith(host);
  for (const id of order) {
    await decide(ids.get(id) ?? "", isApproved(id));
    await read.until((message) => isResult(message, id));
  }
  expect(await read.result).toMatchObject({ subtype: "success" });
  expect(send.sent).toEqual(order.filter(isApproved));
  expectResults(read, isApproved);
}

function begun(host: ReturnType<typeof hostOver>, readOnly: boolean, options = {}) {
  const send = sendTool("send", { readOnly });
  const free = sendTool("free", { readOnly });
  const calls = ["c1", "c2", "c3", "c4", "c5"].map((id) =>
    call(id, id, id === "c2" || id === "c4" ? "free" : "send"),
  );
  const read = begin(host, [{ toolCalls: calls }, { text: "done" }], {
    ...{ tools: [send.tool, free.tool], allowedTools: ["free"], approvals: "durable", ...options },
  });
  return { read, send, free };
}

/** The model reads the results in the order of its calls. */
function expectResults(read: Read, isApproved: (id: string) => boolean): void {
  const results = resultsIn(read);
  expect(Object.keys(results)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
  for (const id of ASKING) {
    if (isApproved(id)) expect(results[id]).toContain(`sent ${id}`);
    else expect(results[id]).toMatch(/rejected by .*: no|Not this/);
  }
}

const here =
  (host: ReturnType<typeof hostOver>): Decide =>
  (id, approves) =>
    approves ? host.approvals.approve(id) : host.approvals.reject(id, { reason: "no" });

describe.each([true, false])("calls that may run beside each other: %s", (readOnly) => {
  it.each(orders)("in the order %s, %s, %s, with each of the eight ways to answer", async (...order) => {
    for (const approved of words) await play(STORES.memory(), readOnly, order, approved, here);
  });

  it("decided all at once, each runs once", async () => {
    const host = hostOver();
    const { read, send } = begun(host, readOnly);
    const ids = await Promise.all(ASKING.map((id) => asked(read, id)));
    await Promise.all(ids.map((id) => host.approvals.approve(id)));
    await read.result;
    expect([...send.sent].sort()).toEqual(["c1", "c3", "c5"]);
  });

  it("by a callback, which is asked one after another, in each of the eight ways", async () => {
    for (const approved of words) {
      const isApproved = (id: string): boolean => approved[ASKING.indexOf(id as "c1")] === true;
      const { read, send, free } = begun(hostOver(), readOnly, {
        approvals: "callback",
        canUseTool: async (_: string, __: object, { toolUseID }: { toolUseID: string }) =>
          isApproved(toolUseID) ? { behavior: "allow" } : { behavior: "deny", message: "Not this" },
      });
      expect(await read.result).toMatchObject({ subtype: "success" });
      expect(free.sent).toEqual(["c2", "c4"]);
      expect(send.sent).toEqual(ASKING.filter(isApproved));
      expectResults(read, isApproved);
    }
  });
});

it.each([
  ["JSONL", jsonlStore],
  ["SQLite", sqliteStore],
] as const)(
  "decided by another process, in all orders and ways (%s)",
  async (kind, open) => {
    const home = scratch();
    const store = open({ home });
    const other = await otherProcess({ kind, home, by: "ann" });
    const there = (): Decide => async (id, approves) => {
      expect(await other.decide(id, approves, approves ? {} : { reason: "no" })).toBe("won");
    };
    for (const order of orders) {
      await Promise.all(words.map((approved) => play(store, false, order, approved, there)));
    }
    await other.end();
  },
  120_000,
);

function isResult(message: { readonly type: string; readonly message?: unknown }, id: string): boolean {
  return message.type === "user" && JSON.stringify(message.message).includes(`"tool_use_id":"${id}"`);
}
