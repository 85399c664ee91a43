import type { SessionEvent } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, type Read, STORES, sendTool } from "./kit.ts";

// What the log tells of an approval: each event once, in the order in which it happened.

async function storyOf(host: ReturnType<typeof hostOver>, read: Read, callId = "c1"): Promise<string[]> {
  const { session_id: id } = await read.result;
  const events = await host.store.read(id);
  return events.filter((event) => isAbout(event, callId)).map(lineOf);
}

function isAbout({ data }: SessionEvent, callId: string): boolean {
  return (data as { callId?: string }).callId === callId;
}

function lineOf(event: SessionEvent): string {
  switch (event.type) {
    case "tool.decided":
      return `${event.type} ${event.data.behavior} ${event.data.reason.type}`;
    case "approval.expired":
      return `${event.type} ${event.data.why}`;
    case "tool.finished":
      return `${event.type} ${event.data.outcome}`;
    default:
      return event.type;
  }
}

describe.each(Object.entries(STORES))("the log of an approval (%s)", (_, store) => {
  const start = (options = {}) => {
    const host = hostOver(store());
    const { tool, sent } = sendTool();
    const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
    return {
      host,
      tool,
      sent,
      read: begin(host, turns, { tools: [tool], approvals: "durable", ...options }),
    };
  };

  it("of a call that was approved", async () => {
    const { host, read } = start();
    await host.approvals.approve(await asked(read, "c1"));
    expect(await storyOf(host, read)).toEqual([
      "approval.requested",
      "approval.resolved",
      "tool.decided allow approval",
      "tool.started",
      "tool.finished finished",
    ]);
  });

  it("of a call that was rejected", async () => {
    const { host, read } = start();
    await host.approvals.reject(await asked(read, "c1"));
    expect(await storyOf(host, read)).toEqual([
      "approval.requested",
      "approval.resolved",
      "tool.decided deny approval",
      "tool.finished denied",
    ]);
  });

  it("of a call that was paused, approved and gone on with", async () => {
    const approvals = { mode: "durable", onPending: "pause" } as const;
    const { host, tool, read } = start({ approvals });
    const { session_id: resume } = await read.result;
    const [record] = await host.approvals.list();
    await host.approvals.approve(record?.id ?? "", { updatedInput: { text: "bye" } });
    const on = begin(host, [{ text: "done" }], { tools: [tool], approvals, resume }, "");
    expect(await storyOf(host, on)).toEqual([
      "approval.requested",
      "approval.resolved",
      "tool.decided allow approval",
      "tool.started",
      "tool.finished finished",
    ]);
  });

  it("of a call whose time passed", async () => {
    const { host, read } = start({ approvals: { mode: "durable", expiresInMs: 20 } });
    expect(await storyOf(host, read)).toEqual([
      "approval.requested",
      "approval.expired expired",
      "tool.decided deny approval",
      "tool.finished denied",
    ]);
  });

  it("of several in one turn: one decision each, also where one that ran alone came between", async () => {
    const host = hostOver(store());
    const { tool } = sendTool();
    const turns = [{ toolCalls: ["c1", "c2", "c3"].map((id) => call(id, id)) }, { text: "done" }];
    const read = begin(host, turns, { tools: [tool], approvals: "durable" });
    const ids = await Promise.all(["c1", "c2", "c3"].map((id) => asked(read, id)));
    await Promise.all(ids.map((id) => host.approvals.approve(id)));
    for (const id of ["c1", "c2", "c3"]) {
      const story = await storyOf(host, read, id);
      expect(story.filter((line) => line.startsWith("tool.decided"))).toEqual([
        "tool.decided allow approval",
      ]);
    }
  });
});

it("tells of one decision about each call that a rule allows behind one that ran alone", async () => {
  const host = hostOver();
  const { tool } = sendTool();
  const turns = [{ toolCalls: ["c1", "c2", "c3"].map((id) => call(id, id)) }, { text: "done" }];
  const read = begin(host, turns, { tools: [tool], allowedTools: ["send"] });
  for (const id of ["c1", "c2", "c3"]) {
    expect((await storyOf(host, read, id)).filter((line) => line.startsWith("tool.decided"))).toHaveLength(1);
  }
});
