import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHost, createSdkMcpServer, type Options, query, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, response, resultOf } from "../kit/client.ts";
import { gate, live, said } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

describe("the multi-turn client", () => {
  it("Q16 the same servers work in it, over all its turns and beside a query", async () => {
    const seen: string[] = [];
    const look = tool(
      "look_up",
      "Finds an order.",
      { id: "string" },
      ({ id }) => {
        seen.push(id);
        return { content: [{ type: "text", text: `order ${id} was sent` }] };
      },
      { riskLevel: "low" },
    );
    const shop = createSdkMcpServer({ name: "shop", tools: [look] });
    const call = (id: string) => ({ toolCalls: [{ name: "mcp__shop__look_up", input: { id } }] });
    const model = scriptedModel([call("1"), "one", call("2"), "two"]);
    await using client = clientOf({ model, mcpServers: { shop }, tools: ["Read"] });
    const first = await ask(client, "a");
    const beside = live("go", { model: scriptedModel([call("3"), "three"]), mcpServers: { shop } });
    const second = await ask(client, "b");
    await beside.ended;
    assertComplete([...first, ...second]);
    expect(JSON.stringify(first)).toContain("order 1 was sent");
    expect(JSON.stringify(second)).toContain("order 2 was sent");
    expect(first[0]).toMatchObject({ mcp_servers: [{ name: "shop", status: "connected" }] });
    expect([resultOf(first).result, resultOf(second).result]).toEqual(["one", "two"]);
    expect(beside.results()).toMatchObject([{ result: "three" }]);
    expect([...seen].sort()).toEqual(["1", "2", "3"]);
    for (const request of model.requests) {
      expect(request.tools.map(({ name }) => name)).toEqual(["Read", "mcp__shop__look_up"]);
    }
  });
});

describe("plan mode", () => {
  const PLANS = ["EnterPlanMode", "ExitPlanMode", "Write"];

  it("C16 entering plan remembers the mode; leaving restores it", async () => {
    const cwd = scratch();
    const write = (name: string) => ({ name: "Write", input: { file_path: join(cwd, name), content: "x" } });
    const leave = { name: "ExitPlanMode", input: { plan: "1. Write it." } };
    for (const permissionMode of ["default", "acceptEdits", "dontAsk", "bypassPermissions"] as const) {
      const plans: unknown[] = [];
      const model = scriptedModel([
        { toolCalls: [{ name: "EnterPlanMode" }, write("in-plan"), leave, write(permissionMode)] },
        "done",
      ]);
      const session = live("go", {
        ...{ model, cwd, tools: PLANS, permissionMode, allowDangerouslySkipPermissions: true },
        canUseTool: (name, input) => {
          if (name !== "ExitPlanMode") return { behavior: "deny", message: "no" };
          plans.push(input);
          return { behavior: "allow" };
        },
      });
      await session.ended;
      const modes = session.messages.flatMap((each) =>
        each.type === "system" && each.subtype === "status" ? [each.permissionMode] : [],
      );
      expect(modes).toEqual(["plan", permissionMode]);
      expect(plans).toEqual([{ plan: "1. Write it." }]);
      expect(existsSync(join(cwd, "in-plan")), permissionMode).toBe(false);
      // What the restored mode says about an edit holds again.
      const runs = permissionMode === "acceptEdits" || permissionMode === "bypassPermissions";
      expect(existsSync(join(cwd, permissionMode)), permissionMode).toBe(runs);
    }
  });

  it("C16 holds when it is entered from outside, and over a resume in another run", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const canUseTool = () => ({ behavior: "allow" }) as const;
    const more: Options = { tools: PLANS, canUseTool, cwd };
    const client = clientOf({ model: scriptedModel(["one"]), permissionMode: "acceptEdits", ...more }, host);
    const sessionId = resultOf(await ask(client, "a")).session_id;
    await client.setPermissionMode("plan");
    await client.close();
    const leave = { toolCalls: [{ name: "ExitPlanMode", input: { plan: "Do it." } }] };
    await using again = clientOf({ model: scriptedModel([leave, "two"]), resume: sessionId, ...more }, host);
    const messages = await ask(again, "b");
    expect(messages[0]).toMatchObject({ permissionMode: "plan" });
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: "status", permissionMode: "acceptEdits" }),
    );
  });

  it("is not left without a person: not by a rule, a hook or bypass, and not when the plan is refused", async () => {
    const leave = { toolCalls: [{ name: "ExitPlanMode", input: { plan: "Do it." } }] };
    for (const canUseTool of [undefined, () => ({ behavior: "deny", message: "Add tests." }) as const]) {
      const session = live("go", {
        ...{ model: scriptedModel([leave, "two"]), tools: PLANS, permissionMode: "plan" },
        ...{ allowDangerouslySkipPermissions: true, allowedTools: ["ExitPlanMode"] },
        hooks: {
          PreToolUse: [
            {
              hooks: [
                () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }),
              ],
            },
          ],
        },
        ...(canUseTool === undefined ? {} : { canUseTool }),
      });
      await session.ended;
      expect(session.results()[0]?.permission_denials).toHaveLength(1);
      expect(session.messages.filter((each) => each.type === "system" && each.subtype === "status")).toEqual(
        [],
      );
    }
  });
});

describe("messages that come while tools run", () => {
  it("C24 a tool that is to be cancelled loses its content, and one that is not is waited for to its end", async () => {
    for (const [behavior, text] of [
      ["cancel", /new message/i],
      ["block", /all of it/],
    ] as const) {
      const door = gate();
      const wait = tool({
        name: "wait",
        version: "1.0.0",
        description: "Waits.",
        inputSchema: {},
        riskLevel: "low",
        interruptBehavior: () => behavior,
        execute: async (_: unknown, { signal }: { signal: AbortSignal }) => {
          const stopped = new Promise<void>((resolve) =>
            signal.addEventListener("abort", () => resolve(), { once: true }),
          );
          await Promise.race([door.wait(), stopped]);
          return { content: [{ type: "text" as const, text: signal.aborted ? "half of it" : "all of it" }] };
        },
      });
      const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "urgent"]);
      await using client = clientOf({ model, tools: [wait] });
      await client.query("a");
      await door.reached;
      await client.query(said("now this", { priority: "now" }));
      if (behavior === "block") door.open();
      const first = await response(client);
      assertComplete(first);
      const result = first.find((message) => message.type === "user");
      expect(JSON.stringify(result?.message.content)).toMatch(text);
      expect(JSON.stringify(result)).not.toContain("half of it");
      expect(resultOf(await response(client)).result).toBe("urgent");
    }
  });
});

it("the default host serves both doors", async () => {
  const session = query({ prompt: "go", options: { model: scriptedModel(["one"]), persistSession: false } });
  const results: unknown[] = [];
  for await (const message of session) if (message.type === "result") results.push(message.result);
  expect(results).toEqual(["one"]);
});
