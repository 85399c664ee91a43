import { createHost, type Options } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { expect, it } from "vitest";
import { nodePlatform } from "../../../packages/sdk/src/platform/index.ts";
import { asked, begin, call, hostOver, resultsIn, sendTool } from "./kit.ts";

// A question and its call end together, however the call ends.

const both = [{ toolCalls: [call("c1", "one"), call("c2", "two")] }];
const pausing = { mode: "durable", onPending: "pause" } as const;

/** A session that has paused with two calls, and is resumed with a hook that holds up the first of them. */
async function resumed() {
  const host = hostOver();
  const { tool, sent } = sendTool();
  const options = { tools: [tool], approvals: pausing };
  const { session_id: resume } = await begin(host, both, options).result;
  let reached = (): void => {};
  const isThere = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const hold = async (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
    reached();
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return {};
  };
  const held = { ...options, resume, hooks: { PreToolUse: [{ hooks: [hold] }] } };
  const read = begin(host, [{ text: "done" }], held, "");
  await isThere;
  const ids = (await host.approvals.list()).map(({ id }) => id);
  return { host, sent, read, ids, options: { ...options, resume } };
}

it("an interrupt before the calls are asked about again ends their questions too", async () => {
  const { host, sent, read, ids } = await resumed();
  await read.query.interrupt();
  await read.result;
  expect(await host.approvals.list({ status: "pending" })).toEqual([]);
  for (const id of ids) {
    await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_expired" });
  }
  expect(sent).toEqual([]);
});

it("the end of the session before the calls are asked about again leaves calls and questions open", async () => {
  const { host, sent, read, ids, options } = await resumed();
  await host.approvals.approve(ids[1] ?? "");
  await read.query.close();
  expect(await host.approvals.list({ status: "pending" })).toMatchObject([{ id: ids[0] }]);
  await host.approvals.approve(ids[0] ?? "");
  expect(await begin(host, [{ text: "done" }], options, "").result).toMatchObject({ subtype: "success" });
  expect([...sent].sort()).toEqual(["one", "two"]);
});

it("a decision that is neither an approval nor a rejection runs nothing", async () => {
  const store = memoryStore();
  const host = hostOver(store);
  const { tool, sent } = sendTool();
  const read = begin(host, [{ toolCalls: [call("c1", "one")] }, { text: "done" }], {
    tools: [tool],
    approvals: "durable",
  });
  const id = await asked(read, "c1");
  const word = { behavior: "allow" as "approve", decidedBy: "another program", decidedAt: 1 };
  await store.approvals.decide(id, word);
  expect(await read.result).toMatchObject({ subtype: "success" });
  expect(sent).toEqual([]);
});

it.each(["a mode", "a PermissionRequest hook", "canUseTool"])(
  "a rejection holds where %s would let the call run on the resume",
  async (who) => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const one = [{ toolCalls: [call("c1", "one")] }];
    const { session_id: resume } = await begin(host, one, { tools: [tool], approvals: pausing }).result;
    const [record] = await host.approvals.list();
    const reject = () => host.approvals.reject(record?.id ?? "", { reason: "not that one" });
    const allow = { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } as const;
    const ways: Record<string, Options> = {
      "a mode": { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
      "a PermissionRequest hook": {
        hooks: { PermissionRequest: [{ hooks: [async () => ({ hookSpecificOutput: allow })] }] },
      },
      canUseTool: {
        async canUseTool() {
          await reject();
          return { behavior: "allow" };
        },
      },
    };
    if (who !== "canUseTool") await reject();
    const on = begin(host, [{ text: "done" }], { tools: [tool], resume, ...ways[who] }, "");
    expect(await on.result).toMatchObject({ subtype: "success" });
    expect(sent).toEqual([]);
    expect(resultsIn(on).c1).toContain("not that one");
  },
);

it("a Notification hook that outlasts the session breaks nothing", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const { clock } = nodePlatform();
  const hasty = { ...clock, timer: (ms: number, fire: () => void) => clock.timer(ms / 50, fire) };
  const host = createHost({ store: memoryStore(), platform: { clock: hasty } });
  const { tool } = sendTool();
  let end = (): void => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isBegun = false;
  let isOver = false;
  const hook = async () => {
    isBegun = true;
    await held;
    isOver = true;
    return { systemMessage: "told" };
  };
  const hooks = { Notification: [{ hooks: [hook] }] };
  const read = begin(host, [{ toolCalls: [call("c1", "one")] }], {
    ...{ tools: [tool], hooks, approvals: pausing },
  });
  expect(await read.result).toMatchObject({ subtype: "paused" });
  await read.query.close();
  expect([isBegun, isOver]).toEqual([true, false]);
  end();
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(isOver).toBe(true);
  expect(unhandled).toEqual([]);
  await host.close();
});
