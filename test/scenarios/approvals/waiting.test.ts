import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, resultsIn, STORES, sendTool } from "./kit.ts";

describe.each(Object.keys(STORES) as (keyof typeof STORES)[])("a call in the inbox (%s)", (kind) => {
  it("runs once it is approved, and its record was stored before anybody heard of it", async () => {
    const host = hostOver(STORES[kind]());
    const { tool, sent } = sendTool();
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }, { text: "done" }], {
      tools: [tool],
      approvals: "durable",
    });
    const id = await asked(read, "c1");
    expect(await host.approvals.get(id)).toMatchObject({
      toolUseId: "c1",
      tool: "send",
      input: { text: "hello" },
      status: "pending",
      approver: "human",
    });
    expect((await read.query.pendingApprovals()).map((each) => each.id)).toEqual([id]);
    expect(sent).toEqual([]);
    const record = await host.approvals.approve(id, { by: "ann", note: "fine" });
    expect(record.status).toBe("approved");
    expect(await read.result).toMatchObject({ subtype: "success", result: "done" });
    expect(sent).toEqual(["hello"]);
    expect(resultsIn(read).c1).toContain("sent hello");
    expect(read.messages).toContainEqual(
      expect.objectContaining({
        subtype: "approval_resolved",
        approval_id: id,
        behavior: "approve",
        by: "ann",
        note: "fine",
      }),
    );
    await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_already_decided" });
    await expect(host.approvals.reject(id)).rejects.toMatchObject({ code: "approval_already_decided" });
    expect(sent).toEqual(["hello"]);
  });

  it("does not run once it is rejected, and the model reads why", async () => {
    const host = hostOver(STORES[kind]());
    const { tool, sent } = sendTool();
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }, { text: "done" }], {
      tools: [tool],
      approvals: "durable",
    });
    await host.approvals.reject(await asked(read, "c1"), { by: "ann", reason: "not on a Friday" });
    const result = await read.result;
    expect(sent).toEqual([]);
    expect(resultsIn(read).c1).toContain("rejected by ann: not on a Friday");
    expect(result.permission_denials).toMatchObject([{ tool_use_id: "c1" }]);
  });

  it("pauses the turn and goes on after a decision, whoever resumes", async () => {
    const store = STORES[kind]();
    const host = hostOver(store);
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: { mode: "durable", onPending: "pause" } } as const;
    const read = begin(host, [{ toolCalls: [call("c1", "hello")] }], options);
    const result = await read.result;
    expect(result).toMatchObject({
      subtype: "paused",
      is_error: false,
      terminal_reason: "paused",
      pending_approvals: [{ tool_name: "send", tool_use_id: "c1", tool_input: { text: "hello" } }],
    });
    expect(read.messages.some((message) => message.type === "user")).toBe(false);
    const [pending] = await host.approvals.list({ status: "pending" });
    expect(pending?.id).toBe(result.subtype === "paused" && result.pending_approvals[0]?.approval_id);

    const still = begin(host, [], { ...options, resume: result.session_id }, "");
    expect(await still.result).toMatchObject({ subtype: "paused" });
    expect((await host.approvals.list()).map(({ id }) => id)).toEqual([pending?.id]);

    await host.approvals.approve(pending?.id ?? "");
    const on = begin(host, [{ text: "done" }], { ...options, resume: result.session_id }, "");
    expect(await on.result).toMatchObject({ subtype: "success", result: "done" });
    expect(sent).toEqual(["hello"]);
    expect(resultsIn(on).c1).toContain("sent hello");
  });
});
