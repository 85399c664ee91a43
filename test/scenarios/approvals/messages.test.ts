import type { SDKUserMessage } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, resultsIn, STORES, sendTool } from "./kit.ts";

const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "one" }];
const pausing = { mode: "durable", onPending: "pause" } as const;
const user = (content: string): SDKUserMessage => ({ type: "user", message: { role: "user", content } });

/** The texts of people in the last request. */
function said(read: ReturnType<typeof begin>): string[] {
  return (read.model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
}

describe("a message while a call waits", () => {
  it("on a resume is kept, and joins the history behind the results of the round", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: pausing };
    const { session_id: resume } = await begin(host, turns.slice(0, 1), options).result;
    const again = await begin(host, [], { ...options, resume }, "and then?").result;
    expect(again.subtype).toBe("paused");
    const [record] = await host.approvals.list({ status: "pending" });
    await host.approvals.approve(record?.id ?? "");
    const on = begin(host, [{ text: "done" }], { ...options, resume }, "");
    expect(await on.result).toMatchObject({ subtype: "success" });
    expect(sent).toEqual(["hello"]);
    const roles = on.model.requests[0]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "user"]);
    expect(said(on).at(-1)).toContain("and then?");
  });

  it("in a stream waits behind it", async () => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const read = begin(host, [...turns, { text: "two" }], { tools: [tool], approvals: "durable" });
    const id = await asked(read, "c1");
    await read.query.streamInput(
      (async function* () {
        yield user("more");
      })(),
    );
    expect(sent).toEqual([]);
    await host.approvals.approve(id);
    await read.result;
    expect(sent).toEqual(["hello"]);
    expect(read.messages.flatMap((each) => (each.type === "result" ? [each.result] : []))).toEqual([
      "one",
      "two",
    ]);
  });

  it("with rejectPending rejects what waits, and is heard", async () => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const approvals = { mode: "durable", rejectPending: true } as const;
    const read = begin(host, [...turns, { text: "two" }], { tools: [tool], approvals });
    const id = await asked(read, "c1");
    await read.query.streamInput(
      (async function* () {
        yield user("never mind");
      })(),
    );
    await read.result;
    expect(sent).toEqual([]);
    expect(resultsIn(read).c1).toMatch(/sent a new message/);
    expect(said(read).at(-1)).toContain("never mind");
    await expect(host.approvals.approve(id)).rejects.toMatchObject({ code: "approval_already_decided" });

    const paused = hostOver(STORES.JSONL());
    const options = { tools: [tool], approvals: { ...pausing, rejectPending: true } };
    const { session_id: resume } = await begin(paused, turns.slice(0, 1), options).result;
    const on = begin(paused, [{ text: "two" }], { ...options, resume }, "never mind");
    expect(await on.result).toMatchObject({ subtype: "success", result: "two" });
    expect(resultsIn(on).c1).toMatch(/sent a new message/);
    expect(sent).toEqual([]);
  });

  it("of close() leaves the call in the inbox for whoever goes on", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool, sent } = sendTool();
    const options = { tools: [tool], approvals: "durable" } as const;
    const read = begin(host, turns, options);
    const id = await asked(read, "c1");
    await read.query.close();
    const { session_id: resume } = await read.result;
    expect((await host.approvals.get(id))?.status).toBe("pending");
    await host.approvals.approve(id);
    const model = scriptedModel([{ text: "done" }]);
    for await (const _ of host.query({ prompt: "", options: { ...options, model, resume } }));
    expect(sent).toEqual(["hello"]);
  });

  it("is taken in by a resume without the option as well", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool, sent } = sendTool();
    const { session_id: resume } = await begin(host, turns.slice(0, 1), { tools: [tool], approvals: pausing })
      .result;
    const [record] = await host.approvals.list();
    await host.approvals.approve(record?.id ?? "");
    let times = 0;
    const canUseTool = () => {
      times += 1;
      return { behavior: "deny", message: "no" } as const;
    };
    await begin(host, [{ text: "done" }], { tools: [tool], canUseTool, resume }, "").result;
    expect([times, sent]).toEqual([0, ["hello"]]);
  });
});
