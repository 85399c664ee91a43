import {
  createHost,
  type HookJSONOutput,
  type JsonObject,
  type Options,
  type SDKResultMessage,
  tool,
} from "@castellan/sdk";
import { type CheckOptions, check } from "@castellan/sdk/permissions";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { once, run, scratch } from "../kit/session.ts";
import { otherProcess } from "../scenarios/approvals/other-process.ts";

function place(store: ReturnType<typeof memoryStore> = memoryStore()) {
  const host = createHost({ store });
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

it.each(["this process", "another process"])(
  "N10 a waiting call can be approved or denied, also later, from %s",
  async (from) => {
    const home = scratch();
    const { host, ran, play } = place(jsonlStore({ home }));
    const other =
      from === "another process" ? await otherProcess({ kind: "JSONL", home, by: "ops" }) : undefined;
    const approvals = { mode: "durable", onPending: "pause" } as const;
    const calls = ["yes", "no"].map((what) => ({ name: "act", input: { what } }));
    const paused = await play([{ toolCalls: calls }], { approvals });
    expect(paused.subtype).toBe("paused");
    for (const { id, input } of await host.approvals.list({ status: "pending" })) {
      const approves = input.what === "yes";
      if (other !== undefined) expect(await other.decide(id, approves)).toBe("won");
      else if (approves) await host.approvals.approve(id);
      else await host.approvals.reject(id, { reason: "no" });
    }
    await other?.end();
    expect(ran).toEqual([]);
    const end = await play([{ text: "done" }], { approvals, resume: paused.session_id }, "");
    expect([end.subtype, ran]).toEqual(["success", ["yes"]]);
    await host.close();
  },
  60_000,
);

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

it("c15 in part: a context that avoids prompts denies instead of asking, and changes nothing else", async () => {
  const cwd = scratch();
  const judge = (tool: string, input: JsonObject, more: CheckOptions = {}) =>
    check({ tool, input }, { cwd, home: cwd, ...more });
  const touch: [string, JsonObject] = ["Bash", { command: "touch a" }];
  const question = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
  const asks: [string, JsonObject] = ["AskUserQuestion", { questions: [question] }];
  for (const call of [touch, asks]) {
    expect(await judge(...call)).toMatchObject({ behavior: "ask" });
    const decision = await judge(...call, { avoidPrompts: true });
    expect(decision).toMatchObject({ behavior: "deny", reason: { type: "noApprover" } });
    expect(decision.message).toContain("can ask nobody, so it is refused");
  }
  expect(await judge(...asks, { mode: "bypassPermissions", avoidPrompts: true })).toMatchObject({
    behavior: "deny",
  });
  const allowedTools = ["Bash(touch:*)"];
  expect(await judge(...touch, { allowedTools, avoidPrompts: true })).toMatchObject({ behavior: "allow" });
  expect(await judge(...touch, { mode: "dontAsk", avoidPrompts: true })).toMatchObject({
    reason: { type: "mode", mode: "dontAsk" },
  });
});

it("c15 in part: canUseTool hears of a call when every hook has had its say, and of none that they settle", async () => {
  const { host, ran, play } = place();
  const order: string[] = [];
  const steps = [{ toolCalls: [{ name: "act", input: { what: "it" } }] }, { text: "done" }];
  const says = (event: "PreToolUse" | "PermissionRequest", name: string, output: object = {}) => ({
    hooks: [
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push(name);
        return { hookSpecificOutput: { hookEventName: event, ...output } } as HookJSONOutput;
      },
    ],
  });
  const options = (decision: object): Options => ({
    hooks: {
      PreToolUse: [says("PreToolUse", "before")],
      PermissionRequest: [says("PermissionRequest", "first"), says("PermissionRequest", "second", decision)],
    },
    canUseTool: () => {
      order.push("person");
      return { behavior: "allow" };
    },
  });
  expect((await play(steps, options({}))).subtype).toBe("success");
  expect(order).toEqual(["before", "first", "second", "person"]);
  order.length = 0;
  expect((await play(steps, options({ decision: { behavior: "deny", message: "no" } }))).subtype).toBe(
    "success",
  );
  expect([order, ran]).toEqual([["before", "first", "second"], ["it"]]);
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
