import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  createHost,
  defineHook,
  type HookMatcher,
  type Options,
  type SDKResultMessage,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

type Pre = HookMatcher<"PreToolUse">;

const says = (decision: "allow" | "deny" | "ask" | "defer", settings: Omit<Pre, "hooks"> = {}): Pre =>
  defineHook("PreToolUse", settings, ({ tool_name }) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: `the hook says ${decision} to ${tool_name}`,
    },
  }));

/** Whether one line of Bash ran under the hooks, and what the model read. */
async function bash(line: string, hooks: readonly Pre[], options: Options = {}) {
  const cwd = scratch();
  const { texts, result, users } = await run(once("Bash", { command: `${line} && touch ran` }), {
    ...{ cwd, hooks: { PreToolUse: hooks } },
    ...options,
  });
  const isError = resultBlock(users[0]).is_error === true;
  return { ran: existsSync(join(cwd, "ran")), text: texts[0] ?? "", result, isError };
}

describe("PreToolUse hooks", () => {
  it("q24 in part: with a matcher answer allow, deny or ask with a reason", async () => {
    const allowed = await bash("true", [says("allow", { matcher: "Bash" })]);
    expect([allowed.ran, allowed.isError]).toEqual([true, false]);

    const denied = await bash("true", [says("deny", { matcher: "Bash" })], { allowedTools: ["Bash"] });
    expect([denied.ran, denied.isError]).toEqual([false, true]);
    expect(denied.text).toContain("the hook says deny to Bash");
    expect(denied.result.permission_denials).toMatchObject([{ tool_name: "Bash" }]);

    const reasons: string[] = [];
    const asked = await bash("true", [says("ask", { matcher: "Bash" })], {
      allowedTools: ["Bash"],
      canUseTool: (_, __, { decisionReason }) => {
        reasons.push(decisionReason);
        return { behavior: "allow" };
      },
    });
    expect(asked.ran).toBe(true);
    expect(reasons).toEqual([expect.stringContaining("the hook says ask to Bash")]);
  });

  it.each([
    ["Bash", true],
    ["Edit|Bash", true],
    ["Edit, Bash", true],
    ["^Ba", true],
    ["as.$", true],
    ["*", true],
    ["", true],
    ["Edit|Write", false],
    ["bash", false],
    ["Bas", false],
  ])("q24 in part: matcher %j fires for Bash: %s", async (matcher, fires) => {
    const { ran } = await bash("true", [says("deny", { matcher })], { allowedTools: ["Bash"] });
    expect(ran).toBe(!fires);
  });

  it.each([
    ["Bash(git *)", "git --version", true],
    ["Bash(git *)", "true; git --version", true],
    ["Bash(git *)", "X=git; $X --version", true],
    ["Bash(git *)", "echo git", false],
    ["Edit", "true", false],
  ])("q24 in part: `if` %s under %j refuses: %s", async (rule, line, refuses) => {
    const { ran } = await bash(line, [says("deny", { if: rule })], { allowedTools: ["Bash"] });
    expect(ran).toBe(!refuses);
  });

  it("q24 in part: an allow under an `if` counts for the whole call only", async () => {
    const hook = says("allow", { if: "Bash(touch *)" });
    expect((await bash("touch a", [hook])).ran).toBe(true);
    const { ran, isError } = await bash("mkdir b", [hook]);
    expect([ran, isError]).toEqual([false, true]);
  });

  it("Q24 PreToolUse hooks with a matcher answer allow, deny, ask or defer with a reason", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const turns = [...once("Bash", { command: "touch ran" })];
    const options = {
      cwd,
      hooks: { PreToolUse: [says("defer", { matcher: "Bash" })] },
      allowedTools: ["Bash"],
    };
    const play = async (steps: Parameters<typeof scriptedModel>[0], more: Options = {}, prompt = "go") => {
      let result: SDKResultMessage | undefined;
      const query = host.query({ prompt, options: { ...options, ...more, model: scriptedModel(steps) } });
      for await (const message of query) if (message.type === "result") result = message;
      return result;
    };
    const paused = await play(turns.slice(0, 1), { canUseTool: () => ({ behavior: "allow" }) });
    expect(paused).toMatchObject({ subtype: "paused", pending_approvals: [{ tool_name: "Bash" }] });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    const [pending] = await host.approvals.list({ status: "pending" });
    expect(pending?.message).toContain("the hook says defer to Bash");
    await host.approvals.approve(pending?.id ?? "");
    const { session_id: resume = "" } = paused ?? {};
    expect(await play(turns.slice(1), { resume }, "")).toMatchObject({ subtype: "success" });
    expect(existsSync(join(cwd, "ran"))).toBe(true);

    const denied = await bash("true", [says("defer"), says("deny")], { allowedTools: ["Bash"] });
    expect([denied.ran, denied.isError]).toEqual([false, true]);
    await host.close();
  });
});
