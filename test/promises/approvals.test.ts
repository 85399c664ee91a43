import { createHost, type Options, type SDKResultMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { once, run, scratch } from "../kit/session.ts";

function place() {
  const host = createHost({ store: memoryStore() });
  const ran: string[] = [];
  const act = tool({
    name: "act",
    description: "Does something.",
    version: "1.0.0",
    riskLevel: "high",
    inputSchema: { what: "string" },
    execute: async ({ what }) => {
      ran.push(String(what));
      return { success: true, output: "done" };
    },
  });
  const cwd = scratch();
  const play = async (steps: readonly ScriptStep[], options: Options, prompt = "go") => {
    let result: SDKResultMessage | undefined;
    const model = scriptedModel(steps);
    for await (const message of host.query({ prompt, options: { cwd, tools: [act], model, ...options } })) {
      if (message.type === "result") result = message;
    }
    if (result === undefined) throw new Error("no result");
    return result;
  };
  return { host, ran, act, play };
}

it("N10 a waiting call can be approved or denied, also later", async () => {
  const { host, ran, play } = place();
  const approvals = { mode: "durable", onPending: "pause" } as const;
  const calls = ["yes", "no"].map((what) => ({ name: "act", input: { what } }));
  const paused = await play([{ toolCalls: calls }], { approvals });
  expect(paused.subtype).toBe("paused");
  for (const { id, input } of await host.approvals.list({ status: "pending" })) {
    if (input.what === "yes") await host.approvals.approve(id);
    else await host.approvals.reject(id, { reason: "no" });
  }
  expect(ran).toEqual([]);
  const end = await play([{ text: "done" }], { approvals, resume: paused.session_id }, "");
  expect([end.subtype, ran]).toEqual(["success", ["yes"]]);
  await host.close();
});

it("C08 a tool that needs the user asks even in bypass", async () => {
  const { host, play } = place();
  const question = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
  const asks = once("AskUserQuestion", { questions: [question] });
  const bypass = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true } as const;
  let times = 0;
  await run(asks, {
    ...bypass,
    canUseTool: (_, input) => {
      times += 1;
      return { behavior: "allow", updatedInput: { ...input, answers: { "Which?": "A" } } };
    },
  });
  expect(times).toBe(1);
  const paused = await play(asks.slice(0, 1), {
    ...bypass,
    tools: ["AskUserQuestion"],
    approvals: { mode: "durable", onPending: "pause" },
  });
  expect(paused).toMatchObject({ subtype: "paused", pending_approvals: [{ tool_name: "AskUserQuestion" }] });
  await host.close();
});

it("c15 in part: hooks are awaited before anybody is asked, and nobody is where they settle it", async () => {
  const { host, ran, play } = place();
  let pendingMeanwhile = -1;
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    pendingMeanwhile = (await host.approvals.list()).length;
    return {
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    } as const;
  };
  const options = { approvals: "durable", hooks: { PermissionRequest: [{ hooks: [slow] }] } } as const;
  const result = await play(
    [{ toolCalls: [{ name: "act", input: { what: "it" } }] }, { text: "done" }],
    options,
  );
  expect([result.subtype, pendingMeanwhile, ran]).toEqual(["success", 0, ["it"]]);
  expect(await host.approvals.list()).toEqual([]);
  await host.close();
});
