import type { SDKUserMessage } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { said, storedTypes } from "../../kit/live.ts";
import { asked, begin, call, hostOver, type Read, STORES, sendTool } from "./kit.ts";

const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "one" }, { text: "two" }, { text: "three" }];

async function* list(...messages: readonly SDKUserMessage[]) {
  yield* messages;
}

/** The texts of people in a request. */
const heard = ({ model }: Read, at = model.requests.length - 1): string[] =>
  (model.requests[at]?.messages ?? []).flatMap((message) =>
    message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );

const notes = ({ messages }: Read): string[] =>
  messages.flatMap((each) =>
    each.type === "system" && each.subtype === "notification" ? [each.message] : [],
  );

describe.each(Object.entries(STORES))(
  "messages that wait behind a call in the inbox, over %s",
  (_, store) => {
    it("are written before they count as taken in, and each is heard once, by its priority", async () => {
      const host = hostOver(store());
      const { tool, sent } = sendTool();
      const read = begin(host, turns, { tools: [tool], approvals: "durable" });
      const id = await asked(read, "c1");
      const { session_id: sessionId } = read.messages[0] ?? { session_id: "" };
      await read.query.streamInput(list(said("a"), said("b", { priority: "next", uuid: "b" }), said("c")));
      expect((await storedTypes(host.store, sessionId)).slice(-3)).toEqual(Array(3).fill("message.queued"));
      await host.approvals.approve(id);
      await read.result;
      expect(sent).toEqual(["hello"]);
      const results = read.messages.flatMap((each) => (each.type === "result" ? [each.result] : []));
      expect(results).toEqual(["one", "two", "three"]);
      expect([1, 2, 3].map((at) => heard(read, at))).toEqual([
        ["go", "b"],
        ["go", "b", "a"],
        ["go", "b", "a", "c"],
      ]);
      const types = await storedTypes(host.store, sessionId);
      expect(types.filter((type) => type === "user.message")).toHaveLength(4);
      expect(types).not.toContain("message.dropped");
    });

    it("are kept by close() for whoever goes on; a fork leaves them to their own session", async () => {
      const host = hostOver(store());
      const { tool } = sendTool();
      const options = { tools: [tool], approvals: "durable" } as const;
      const read = begin(host, turns, options);
      const id = await asked(read, "c1");
      await read.query.streamInput(list(said("kept", { uuid: "k" })));
      await read.query.close();
      const { session_id: resume } = await read.result;
      expect(notes(read)).toEqual([]);
      expect(await host.sessions.info(resume)).toMatchObject({ status: "unfinished" });
      const { sessionId: copy } = await host.sessions.fork(resume);
      const forked = begin(host, [{ text: "forked" }], { ...options, resume: copy }, "hi");
      await forked.result;
      expect(heard(forked)).toEqual(["go", "hi"]);
      const live = begin(host, [{ text: "forked" }], { ...options, resume, forkSession: true }, "hi");
      await live.result;
      expect(heard(live)).toEqual(["go", "hi"]);
      await host.approvals.approve(id);
      const on = begin(host, [{ text: "done" }], { ...options, resume }, "");
      await on.result;
      expect(heard(on)).toEqual(["go", "kept"]);
    });
  },
);

describe("messages that wait", () => {
  it("in memory when a call begins to wait are written together with its question", async () => {
    const host = hostOver();
    const { tool } = sendTool();
    let query: Read["query"] | undefined;
    const first = async () => {
      await query?.streamInput(list(said("early", { uuid: "e" }), said("/compact")));
      return { toolCalls: [call("c1", "hello")] };
    };
    const read = begin(host, [first, ...turns.slice(1)], { tools: [tool], approvals: "durable" });
    query = read.query;
    await asked(read, "c1");
    const { session_id: sessionId } = read.messages[0] ?? { session_id: "" };
    // The order to sum up is no message: only the other one is kept.
    expect((await storedTypes(host.store, sessionId)).slice(-2)).toEqual([
      "approval.requested",
      "message.queued",
    ]);
    expect(await read.query.cancelMessage("e")).toEqual({ cancelled: true });
    await read.query.close();
    expect(notes(read)).toEqual([expect.stringMatching(/A message was not heard.*"\/compact"/)]);
  });

  it("get a name that interrupt() tells, and wait on behind it", async () => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const read = begin(host, [turns[0] ?? "", { text: "one" }], { tools: [tool], approvals: "durable" });
    await asked(read, "c1");
    await read.query.streamInput(list(said("more")));
    const receipt = await read.query.interrupt();
    expect(receipt).toEqual({
      stopped: true,
      stillQueued: [{ uuid: expect.any(String), text: "more", priority: "later" }],
    });
    await read.result;
    expect(sent).toEqual([]);
    expect(heard(read)).toEqual(["go", "more"]);
    expect(await host.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("of an earlier run meet the UserPromptSubmit hooks; a blocked one is never heard", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool } = sendTool();
    const options = { tools: [tool], approvals: "durable" } as const;
    const read = begin(host, turns, options);
    const id = await asked(read, "c1");
    await read.query.streamInput(list(said("good"), said("bad")));
    await read.query.close();
    const { session_id: resume } = await read.result;
    await host.approvals.approve(id);
    const hook = ({ prompt }: { prompt: string }) =>
      prompt === "bad" ? { decision: "block" as const, reason: "no" } : {};
    const hooks = { UserPromptSubmit: [{ hooks: [hook] }] };
    const on = begin(host, [{ text: "done" }], { ...options, hooks, resume }, "and?");
    await on.result;
    expect(heard(on)).toEqual(["go", "good", "and?"]);
    const once = begin(host, [{ text: "again" }], { ...options, resume }, "more");
    await once.result;
    expect(heard(once)).toEqual(["go", "good", "and?", "more"]);
  });

  it("of an earlier run can be cancelled before the first turn, and sent again under their name", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool } = sendTool();
    const options = { tools: [tool], approvals: "durable" } as const;
    const read = begin(host, turns, options);
    const id = await asked(read, "c1");
    await read.query.streamInput(list(said("a", { uuid: "a" }), said("b", { uuid: "b" })));
    await read.query.close();
    const { session_id: resume } = await read.result;
    await host.approvals.approve(id);
    await using client = host.client({ ...options, resume, model: scriptedModel([]) });
    expect(await client.cancelMessage("a")).toEqual({ cancelled: true });
    expect(await client.cancelMessage("a")).toEqual({ cancelled: false, reason: "unknown" });
    await client.close();
    const on = begin(host, turns.slice(1), { ...options, resume }, "" as never);
    await on.result;
    expect(heard(on)).toEqual(["go", "b"]);
    await using late = host.client({ resume, model: scriptedModel([]) });
    expect(await late.cancelMessage("b")).toEqual({ cancelled: false, reason: "heard" });
  });
});

describe("a stream of messages while a call waits", () => {
  it.each(["ends", "throws"] as const)(
    "that %s is heard to there, and the call is waited for",
    async (how) => {
      const host = hostOver();
      const { tool, sent } = sendTool();
      const model = scriptedModel(turns);
      let go = (): void => {};
      const waits = new Promise<void>((resolve) => {
        go = resolve;
      });
      async function* prompts() {
        yield said("go");
        await waits;
        yield said("more");
        if (how === "throws") throw new Error("the microphone broke");
      }
      const query = host.query({
        prompt: prompts(),
        options: { model, tools: [tool], approvals: "durable" },
      });
      const results = [];
      for await (const message of query) {
        if (message.type === "result") results.push(message);
        if (message.type !== "system" || message.subtype !== "approval_requested") continue;
        go();
        await new Promise(setImmediate);
        await host.approvals.approve(message.approval_id);
      }
      expect(sent).toEqual(["hello"]);
      expect(results.map(({ subtype }) => subtype)).toEqual(
        how === "ends" ? ["success", "success"] : ["success", "success", "error_during_execution"],
      );
      if (how === "throws") expect(results[2]?.errors?.join()).toMatch(/the microphone broke/);
    },
  );

  it("is read no further than a thousand messages, and all of these are kept", async () => {
    const host = hostOver();
    const { tool } = sendTool();
    const read = begin(host, turns, { tools: [tool], approvals: "durable" });
    await asked(read, "c1");
    let given = 0;
    async function* endless() {
      for (;;) yield said(`${given++}`);
    }
    const fed = read.query.streamInput(endless());
    const count = async () => {
      const { session_id: sessionId } = read.messages[0] ?? { session_id: "" };
      return (await storedTypes(host.store, sessionId)).filter((type) => type === "message.queued").length;
    };
    while ((await count()) < 1_000) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([given, await count()]).toEqual([1_000, 1_000]);
    await read.query.close();
    await fed;
    expect(given).toBe(1_000);
  });
});
