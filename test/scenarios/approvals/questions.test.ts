import type { JsonObject, Options } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { resultBlock, run } from "../../kit/session.ts";
import { asked, begin, call, hostOver, resultsIn, sendTool } from "./kit.ts";

const question = (text: string, options: readonly string[], multiSelect = false) => ({
  question: text,
  header: "H",
  options: options.map((label) => ({ label, description: "" })),
  multiSelect,
});
const ask = (...questions: JsonObject[]) => ({
  toolCalls: [{ id: "q1", name: "AskUserQuestion", input: { questions } }],
});
const single = [ask(question("Q?", ["A", "B"])), { text: "done" }];
const bypass: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const later = (answers: object) => async (_: string, input: object) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { behavior: "allow", updatedInput: { ...input, answers } } as const;
};

describe("AskUserQuestion waits for its answer", () => {
  it("C079 by callback: however long it takes; without one it is an error that nobody could be asked", async () => {
    const { texts } = await run(single, { canUseTool: later({ "Q?": "B" }) as never });
    expect(texts[0]).toContain('"Q?": "B"');
    const alone = await run(single);
    expect(resultBlock(alone.users[0]).is_error).toBe(true);
    expect(alone.texts[0]).toMatch(/[Nn]obody could be asked/);
  });

  it("C079 in the inbox: the answer of whoever decides; without answers it is an error", async () => {
    const host = hostOver();
    const read = begin(host, single, { approvals: "durable" });
    const id = await asked(read, "q1");
    const { input } = (await host.approvals.get(id)) ?? {};
    await host.approvals.approve(id, { updatedInput: { ...input, answers: { "Q?": "B" } } });
    await read.result;
    expect(resultsIn(read).q1).toContain('"Q?": "B"');
    const empty = begin(host, single, { approvals: "durable" });
    await host.approvals.approve(await asked(empty, "q1"));
    await empty.result;
    expect(resultsIn(empty).q1).toMatch(/nobody answered it/);
  });

  it.each(["callback", "inbox"] as const)(
    "C278 in bypassPermissions too; only dontAsk refuses it (%s)",
    async (how) => {
      const host = hostOver();
      if (how === "callback") {
        const { texts } = await run(single, { ...bypass, canUseTool: later({ "Q?": "A" }) as never });
        expect(texts[0]).toContain('"Q?": "A"');
        const { texts: refused } = await run(single, {
          permissionMode: "dontAsk",
          canUseTool: later({}) as never,
        });
        expect(refused[0]).not.toContain("answered:");
        return;
      }
      const read = begin(host, single, { ...bypass, approvals: "durable" });
      const id = await asked(read, "q1");
      const { input } = (await host.approvals.get(id)) ?? {};
      await host.approvals.approve(id, { updatedInput: { ...input, answers: { "Q?": "A" } } });
      await read.result;
      expect(resultsIn(read).q1).toContain('"Q?": "A"');
      const never = begin(host, single, { permissionMode: "dontAsk", approvals: "durable" });
      await never.result;
      expect(await host.approvals.list({ status: "pending" })).toEqual([]);
    },
  );

  it.each([{ Q1: "A, B", Q2: "other text" }, { Q1: ["A", "B"], Q2: "other text" }, { Q1: "A, B" }])(
    "C279 every answer stands in the result, by question: %j",
    async (answers) => {
      const asks = [ask(question("Q1", ["A", "B"], true), question("Q2", ["C", "D"])), { text: "done" }];
      const { texts } = await run(asks, { canUseTool: later(answers) as never });
      const host = hostOver();
      const read = begin(host, asks, { approvals: "durable" });
      const id = await asked(read, "q1");
      const { input } = (await host.approvals.get(id)) ?? {};
      await host.approvals.approve(id, { updatedInput: { ...input, answers } });
      await read.result;
      for (const text of [texts[0], resultsIn(read).q1]) {
        expect(text).toContain('"Q1": "A, B"');
        expect(text).toContain("Q2" in answers ? '"Q2": "other text"' : '"Q2": (not answered)');
      }
    },
  );
});

describe("several calls that ask", () => {
  it("C092 are answered independently, and no answer is no refusal", async () => {
    const turns = [{ toolCalls: [call("c1", "one"), call("c2", "two")] }, { text: "done" }];
    const host = hostOver();
    const { tool, sent } = sendTool();
    const read = begin(host, turns, { tools: [tool], approvals: { mode: "durable", expiresInMs: 400 } });
    const [, second] = await Promise.all([asked(read, "c1"), asked(read, "c2")]);
    await host.approvals.approve(second);
    await read.result;
    expect(sent).toEqual(["two"]);
    expect(resultsIn(read).c1).toMatch(/Nobody answered in time.*Nobody has refused it/);
    expect(resultsIn(read).c1).not.toMatch(/rejected|denied by/);

    const slow = await run(turns, {
      tools: [tool],
      canUseTool: () => new Promise(() => {}),
      canUseToolTimeoutMs: 20,
    });
    expect(slow.texts[0]).toMatch(/no answer within 20 ms/);
    expect(slow.texts[0]).not.toMatch(/user (refused|said)/i);
  });

  it("C094 a read inside the folder and the structured answer never ask", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const;
    const host = hostOver();
    const read = begin(
      host,
      [
        { toolCalls: [{ id: "r1", name: "Read", input: { file_path: "x.txt" } }] },
        { toolCalls: [{ id: "s1", name: "StructuredOutput", input: { a: "b" } }] },
      ],
      { approvals: "durable", outputFormat: { type: "json_schema", schema } },
    );
    expect(await read.result).toMatchObject({ subtype: "success", structured_output: { a: "b" } });
    expect(await host.approvals.list()).toEqual([]);
    const never = await run(
      [{ toolCalls: [{ name: "Read", input: { file_path: "x.txt" } }] }, { text: "done" }],
      {
        canUseTool: () => new Promise(() => {}),
      },
    );
    expect(never.result.subtype).toBe("success");
  });

  it.each([true, false])(
    "C233 nothing runs before its answer, with deltas (%s) or without",
    async (includePartialMessages) => {
      const host = hostOver();
      const { tool, sent } = sendTool();
      const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
      const read = begin(host, turns, { tools: [tool], approvals: "durable", includePartialMessages });
      const id = await asked(read, "c1");
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(sent).toEqual([]);
      await host.approvals.reject(id);
      await read.result;
      const order = read.messages
        .filter((each) => each.type !== "stream_event")
        .map((each) => ("subtype" in each ? each.subtype : each.type));
      expect(order).toEqual(
        [
          "init",
          "assistant",
          "approval_requested",
          "session_state_changed",
          "session_state_changed",
          "approval_resolved",
          "permission_denied",
          "user",
          "assistant",
          "success",
        ].filter(Boolean),
      );
      const denied = await run(turns, {
        tools: [tool],
        includePartialMessages,
        canUseTool: () => ({ behavior: "deny", message: "no" }),
      });
      expect([sent, denied.users.length]).toEqual([[], 1]);
    },
  );

  it("C234 three denied calls are three denials, and each result is in the next request once", async () => {
    const host = hostOver();
    const { tool } = sendTool();
    const turns = [{ toolCalls: [call("c1", "1"), call("c2", "2"), call("c3", "3")] }, { text: "done" }];
    const read = begin(host, turns, { tools: [tool], approvals: "durable" });
    for (const id of ["c3", "c1", "c2"]) await host.approvals.reject(await asked(read, id));
    const result = await read.result;
    const quiet = await run(turns, { tools: [tool], permissionMode: "dontAsk" });
    for (const each of [result, quiet.result]) {
      expect(each.permission_denials.map((denial) => denial.tool_use_id).sort()).toEqual(["c1", "c2", "c3"]);
    }
    for (const { requests } of [read.model, quiet.model]) {
      const parts = (requests.at(-1)?.messages ?? []).flatMap((each) =>
        each.role === "tool" ? each.parts : [],
      );
      expect(parts.map((part) => part.callId)).toEqual(["c1", "c2", "c3"]);
    }
  });

  it("C235 a denied and an allowed call both have their result, in the order of the calls", async () => {
    const turns = [{ toolCalls: [call("c1", "1"), call("c2", "2")] }, { text: "done" }];
    const host = hostOver();
    const { tool, sent } = sendTool();
    const read = begin(host, turns, { tools: [tool], approvals: "durable" });
    await host.approvals.approve(await asked(read, "c2"));
    await host.approvals.reject(await asked(read, "c1"));
    await read.result;
    expect(sent).toEqual(["2"]);
    const called = await run(turns, {
      tools: [tool],
      canUseTool: (_, { text }) =>
        text === "1" ? { behavior: "deny", message: "no" } : { behavior: "allow" },
    });
    for (const { requests } of [read.model, called.model]) {
      const parts = (requests.at(-1)?.messages ?? []).flatMap((each) =>
        each.role === "tool" ? each.parts : [],
      );
      expect(parts.map((part) => [part.callId, part.isError])).toEqual([
        ["c1", true],
        ["c2", false],
      ]);
    }
  });
});
