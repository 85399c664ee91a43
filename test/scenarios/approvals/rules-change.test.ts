import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, resultsIn, STORES, sendTool } from "./kit.ts";

// Rules and modes that change while calls wait: what nobody has to be asked about any more goes on by itself.

describe.each(Object.entries(STORES))("a change while calls wait (%s)", (_, store) => {
  it("a rule that an approval remembers frees those like it, and no others", async () => {
    const host = hostOver(store());
    const [send, other] = [sendTool("send"), sendTool("other")];
    const calls = [call("c1", "a"), call("c2", "a"), call("c3", "b"), call("c4", "a", "other")];
    const read = begin(host, [{ toolCalls: calls }, { text: "done" }], {
      tools: [send.tool, other.tool],
      approvals: "durable",
    });
    const ids = await Promise.all(["c1", "c2", "c3", "c4"].map((id) => asked(read, id)));
    await host.approvals.approve(ids[0] ?? "", { remember: true });
    await read.until((message) => message.type === "user" && JSON.stringify(message).includes('"c2"'));
    const left = (await host.approvals.list({ status: "pending" })).map(({ toolUseId }) => toolUseId);
    expect(left).not.toContain("c2");
    expect(left).toContain("c4");
    await expect(host.approvals.approve(ids[1] ?? "")).rejects.toMatchObject({ code: "approval_expired" });
    for (const id of left) await host.approvals.reject(ids[["c1", "c2", "c3", "c4"].indexOf(id)] ?? "");
    expect(await read.result).toMatchObject({ subtype: "success" });
    expect(send.sent.filter((text) => text === "a")).toHaveLength(2);
    expect(other.sent).toEqual([]);
  });

  it("a mode that allows frees what waits, and one that denies rejects it", async () => {
    for (const [mode, ran] of [
      ["bypassPermissions", true],
      ["dontAsk", false],
    ] as const) {
      const host = hostOver(store());
      const { tool, sent } = sendTool();
      const read = begin(host, [{ toolCalls: [call("c1", "a"), call("c2", "b")] }, { text: "done" }], {
        tools: [tool],
        approvals: "durable",
        allowDangerouslySkipPermissions: true,
      });
      const id = await asked(read, "c1");
      await asked(read, "c2");
      await read.query.setPermissionMode(mode);
      expect(await read.result).toMatchObject({ subtype: "success" });
      expect([...sent].sort()).toEqual(ran ? ["a", "b"] : []);
      expect(await host.approvals.decisionOf(id)).toMatchObject({ ended: "settled" });
      expect(await host.approvals.list({ status: "pending" })).toEqual([]);
      await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_expired" });
    }
  });

  it("a decision that somebody made before the change counts as it was made", async () => {
    const inner = store();
    const host = hostOver(inner);
    const { tool, sent } = sendTool();
    const read = begin(host, [{ toolCalls: [call("c1", "a")] }, { text: "done" }], {
      tools: [tool],
      approvals: "durable",
      allowDangerouslySkipPermissions: true,
    });
    const id = await asked(read, "c1");
    // Straight into the store: the session has not looked yet when the mode changes.
    const deciding = inner.approvals.decide(id, {
      ...{ behavior: "reject", decidedBy: "ann", decidedAt: 1, reason: "no" },
    });
    await deciding;
    await read.query.setPermissionMode("bypassPermissions");
    await read.result;
    expect(sent).toEqual([]);
    expect(resultsIn(read).c1).toMatch(/rejected by ann: no/);
  });
});

it("an ask rule keeps a call waiting whatever is remembered", async () => {
  const host = hostOver();
  const { tool, sent } = sendTool();
  const read = begin(host, [{ toolCalls: [call("c1", "a"), call("c2", "b")] }, { text: "done" }], {
    tools: [tool],
    approvals: "durable",
    permissionRules: [{ rule: "send(b)", behavior: "ask" }],
  });
  const [one, two] = [await asked(read, "c1"), await asked(read, "c2")];
  const record = await host.approvals.get(one);
  expect(record?.suggestions.length).toBeGreaterThan(0);
  await host.approvals.approve(one, { remember: true });
  await read.until((message) => message.type === "user" && JSON.stringify(message).includes('"c1"'));
  expect((await host.approvals.get(two))?.status).toBe("pending");
  await host.approvals.reject(two);
  await read.result;
  expect(sent).toEqual(["a"]);
});

it("several changes in a row settle a call once", async () => {
  const host = hostOver();
  const { tool, sent } = sendTool();
  const read = begin(host, [{ toolCalls: [call("c1", "a"), call("c2", "b")] }, { text: "done" }], {
    tools: [tool],
    approvals: "durable",
    allowDangerouslySkipPermissions: true,
  });
  await asked(read, "c1");
  await asked(read, "c2");
  const modes = ["acceptEdits", "plan", "default", "bypassPermissions"] as const;
  await Promise.all(modes.map((mode) => read.query.setPermissionMode(mode)));
  await read.result;
  expect([...sent].sort()).toEqual(["a", "b"]);
});
