import { deleteSession, forkSession, tool as makeTool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, resultsIn, STORES, sendTool } from "./kit.ts";

const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
const pausing = { mode: "durable", onPending: "pause" } as const;

describe("a session whose process ended", () => {
  it.each(["approval.requested", "approval.resolved", "tool.decided"] as const)(
    "right behind %s goes on with the same approval, and runs the call once",
    async (type) => {
      const store = memoryStore();
      const host = hostOver(store);
      const { tool, sent } = sendTool();
      const read = begin(host, turns, { tools: [tool], approvals: "durable" });
      await host.approvals.approve(await asked(read, "c1"));
      const { session_id: sessionId } = await read.result;
      sent.length = 0;

      const events = await store.read(sessionId);
      const cut = events.slice(0, events.findIndex((event) => event.type === type) + 1);
      const left = memoryStore();
      const [batchId, project] = ["b", "/"];
      await left.append([{ sessionId, project, expectedSeq: 0, batchId, events: cut }]);
      // The record came to the store behind the first of them only.
      if (type !== "approval.requested") {
        for (const record of await store.approvals.list()) {
          await left.approvals.put({ ...record, status: "pending" });
          const decision = await store.approvals.decisionOf(record.id);
          if (decision !== undefined) await left.approvals.decide(record.id, decision);
        }
      }
      const other = hostOver(left);
      const on = begin(
        other,
        [{ text: "done" }],
        { tools: [tool], approvals: "durable", resume: sessionId },
        "",
      );
      if (type === "approval.requested") {
        const id = await asked(on, "c1");
        expect(id).toBe((await store.approvals.list())[0]?.id);
        await other.approvals.approve(id);
      }
      expect(await on.result).toMatchObject({ subtype: "success" });
      expect(sent).toEqual(["hello"]);
      expect(await other.approvals.list()).toHaveLength(1);
    },
  );

  it("after the call had begun does not run it again by the same approval", async () => {
    const store = memoryStore();
    const host = hostOver(store);
    const { tool, sent } = sendTool();
    const read = begin(host, turns, { tools: [tool], approvals: "durable" });
    await host.approvals.approve(await asked(read, "c1"));
    const { session_id: sessionId } = await read.result;
    const events = await store.read(sessionId);
    const cut = events.slice(0, events.findIndex((event) => event.type === "tool.started") + 1);
    const left = memoryStore();
    await left.append([{ sessionId, project: "/", expectedSeq: 0, batchId: "b", events: cut }]);
    const on = begin(
      hostOver(left),
      [{ text: "done" }],
      { tools: [tool], approvals: "durable", resume: sessionId },
      "",
    );
    await on.result;
    expect(sent).toEqual(["hello"]);
    expect(resultsIn(on).c1).toMatch(/Outcome unknown/);
  });
});

describe("a call that waits", () => {
  it("is asked about anew where its input is another one on the resume", async () => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const { session_id: resume } = await begin(host, turns.slice(0, 1), options).result;
    const [first] = await host.approvals.list();
    await host.approvals.approve(first?.id ?? "");
    const rewrite = () =>
      ({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { text: "bye" } } }) as const;
    const changed = { ...options, resume, hooks: { PreToolUse: [{ hooks: [rewrite] }] } };
    expect(await begin(host, [], changed, "").result).toMatchObject({ subtype: "paused" });
    expect(sent).toEqual([]);
    const [second] = await host.approvals.list({ status: "pending" });
    expect(second?.input).toEqual({ text: "bye" });
    await host.approvals.approve(second?.id ?? "");
    await begin(host, [{ text: "done" }], changed, "").result;
    expect(sent).toEqual(["bye"]);
  });

  it("of a handler waits with its handler, and is over when that is gone", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool, sent } = sendTool();
    const outer = makeTool({
      name: "outer",
      description: "Calls another tool.",
      version: "1.0.0",
      riskLevel: "low",
      inputSchema: {},
      execute: async (_, context) => {
        const { text } = (await context.callTool("send", { text: "inner" })) as { text?: string };
        return { success: true, output: text ?? "called" };
      },
    });
    const options = { tools: [tool, outer], approvals: "durable" } as const;
    const read = begin(
      host,
      [{ toolCalls: [{ id: "o1", name: "outer", input: {} }] }, { text: "done" }],
      options,
    );
    const id = await asked(read, "o1.1");
    await host.approvals.approve(id);
    await read.result;
    expect(sent).toEqual(["inner"]);

    const closed = begin(host, [{ toolCalls: [{ id: "o1", name: "outer", input: {} }] }], options);
    const other = await asked(closed, "o1.1");
    await closed.query.close();
    await expect(host.approvals.approve(other)).rejects.toMatchObject({ code: "approval_expired" });
    expect(sent).toEqual(["inner"]);
  });

  it("stays its session's own in a fork, and goes with its session", async () => {
    const store = memoryStore();
    const host = hostOver(store);
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const { session_id: sessionId } = await begin(host, turns.slice(0, 1), options).result;
    const [record] = await host.approvals.list();
    const fork = await forkSession(sessionId, { store });
    const on = begin(host, [{ text: "done" }], { ...options, resume: fork.sessionId }, "go on");
    expect(await on.result).toMatchObject({ subtype: "success" });
    expect(sent).toEqual([]);
    expect(await host.approvals.list({ status: "pending" })).toHaveLength(1);
    await deleteSession(sessionId, { store });
    expect(await host.approvals.list()).toEqual([]);
    await expect(host.approvals.approve(record?.id ?? "")).rejects.toMatchObject({
      code: "approval_not_found",
    });
  });

  it("survives a snapshot of the state", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const long = Array.from({ length: 700 }, (_, i) => ({ toolCalls: [call(`f${i}`, "x", "free")] }));
    const free = sendTool("free");
    const all = { ...options, tools: [tool, free.tool], allowedTools: ["free"] };
    const { session_id: resume } = await begin(host, [...long, ...turns.slice(0, 1)], all).result;
    const [record] = await host.approvals.list();
    await host.approvals.approve(record?.id ?? "");
    await begin(host, [{ text: "done" }], { ...all, resume }, "").result;
    expect(sent).toEqual(["hello"]);
  });
});
