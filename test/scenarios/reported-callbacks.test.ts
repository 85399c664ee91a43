import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentClient,
  type CanUseToolContext,
  createHost,
  PermissionResultAllow,
  PermissionResultDeny,
  query,
  type SDKMessage,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, resultOf } from "../kit/client.ts";
import { gate } from "../kit/live.ts";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

// Faults that users of agent SDKs have reported, each with its number in the collection.
describe("reported faults of callbacks", () => {
  it("C072: an allow without updatedInput runs the call as it was, as a plain object and as an instance", async () => {
    for (const answer of [
      { behavior: "allow" } as const,
      { behavior: "allow", updatedInput: undefined } as const,
      new PermissionResultAllow(),
      new PermissionResultAllow({}),
    ]) {
      const cwd = scratch();
      const { users, result } = await run(once("Bash", { command: "touch here" }), {
        cwd,
        canUseTool: () => answer,
      });
      expect(existsSync(join(cwd, "here"))).toBe(true);
      expect(resultBlock(users[0]).is_error).toBeUndefined();
      expect(result.permission_denials).toEqual([]);
    }
  });

  it("C072: the classes carry edits, updates, a message and the interrupt", async () => {
    const cwd = scratch();
    const asked: unknown[] = [];
    const { texts, result } = await run(
      [
        { toolCalls: [{ name: "Bash", input: { command: "touch a" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch b" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "mkdir c" } }] },
        "never",
      ],
      {
        cwd,
        canUseTool: (_name, { command }) => {
          asked.push(command);
          if (command === "mkdir c")
            return new PermissionResultDeny({ message: "stop here", interrupt: true });
          const rules = [{ toolName: "Bash", ruleContent: "touch b" }];
          return new PermissionResultAllow({
            updatedInput: { command: "touch edited" },
            updatedPermissions: [{ type: "addRules", behavior: "allow", rules, destination: "session" }],
          });
        },
      },
    );
    expect(asked).toEqual(["touch a", "mkdir c"]);
    expect(["a", "edited", "b", "c"].map((name) => existsSync(join(cwd, name)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(texts[2]).toContain("stop here");
    expect(result.terminal_reason).toBe("denied_interrupt");
    const plain = new PermissionResultDeny({ message: "no" });
    expect({ ...plain }).toEqual({ behavior: "deny", message: "no", interrupt: false });
  });

  it("C075: each call is asked about, none is remembered unless the answer says so", async () => {
    const [u1, u2, cwd] = [scratch(), scratch(), scratch()];
    for (const folder of [u1, u2, cwd]) writeFileSync(join(folder, "a"), "text");
    const read = (folder: string) => ({ name: "Read", input: { file_path: join(folder, "a") } });
    const asked: unknown[] = [];
    await using client = clientOf({
      model: scriptedModel([
        { toolCalls: [read(u1), read(u2), read(cwd)] },
        { toolCalls: [read(u1)] },
        "one",
        { toolCalls: [read(u1)] },
        "two",
      ]),
      cwd,
      canUseTool: (_name, { file_path }) => {
        asked.push(file_path);
        return { behavior: "allow" };
      },
    });
    await ask(client, "a");
    await ask(client, "b");
    const [first, second] = [join(u1, "a"), join(u2, "a")];
    expect(asked).toEqual([first, second, first, first]);
  });

  it("C076: the callback is asked once about a Write, and its no keeps the file from being made", async () => {
    const cwd = scratch();
    for (const door of ["query", "client"]) {
      let asked = 0;
      const options = {
        model: scriptedModel(once("Write", { file_path: join(cwd, "a"), content: "x" })),
        cwd,
        permissionMode: "default",
        canUseTool: () => {
          asked += 1;
          return { behavior: "deny", message: "no" } as const;
        },
      } as const;
      const host = createHost({ store: memoryStore() });
      const messages: SDKMessage[] = [];
      if (door === "client") messages.push(...(await ask(clientOf(options, host), "go")));
      else for await (const message of host.query({ prompt: "go", options })) messages.push(message);
      expect(asked, door).toBe(1);
      expect(resultOf(messages).permission_denials).toMatchObject([{ tool_name: "Write" }]);
      expect(existsSync(join(cwd, "a")), door).toBe(false);
    }
  });

  it("C078: the callback knows the id of the call, and the message with that call was given before", async () => {
    const seen: { context: CanUseToolContext; told: string[] }[] = [];
    const told: string[] = [];
    const asked = gate();
    const client = clientOf({
      model: scriptedModel([
        {
          toolCalls: [
            { name: "Bash", input: { command: "touch a" } },
            { name: "Bash", input: { command: "touch b" } },
          ],
        },
        "done",
      ]),
      canUseTool: async (_name, _input, context) => {
        await asked.wait();
        seen.push({ context, told: [...told] });
        return { behavior: "allow" };
      },
    });
    const reading = (async () => {
      for await (const message of client.receiveMessages()) {
        if (message.type !== "assistant") continue;
        for (const block of message.message.content) if (block.type === "tool_use") told.push(block.id);
        // The question is there, and the reader has the calls already.
        void asked.reached.then(asked.open);
      }
    })();
    await client.query("go");
    await asked.reached;
    await expect.poll(() => seen.length).toBe(2);
    await client.close();
    await reading;
    expect(seen.map(({ context }) => context.toolUseID)).toEqual(told.slice(0, 2));
    for (const { context, told: before } of seen) {
      expect(before).toContain(context.toolUseID);
      expect(context.signal).toBeInstanceOf(AbortSignal);
      expect(Array.isArray(context.suggestions)).toBe(true);
      expect(context.agentID).toBeUndefined();
    }
  });
});

describe("reported faults of options", () => {
  it("C170: a misspelt list of tools is an error at both doors that names the right one", () => {
    for (const key of [
      "deniedTools",
      "disallowedTool",
      "disalowedTools",
      "disallowed_tools",
      "blockedTools",
    ]) {
      const options = { [key]: ["Bash"] } as never;
      expect(() => query({ prompt: "go", options }), key).toThrow(/disallowedTools/);
      expect(() => new AgentClient(options), key).toThrow(/disallowedTools/);
    }
  });

  it("C168: allowedTools approves and hides nothing; `tools` is what narrows", async () => {
    const seen = async (options: object) => {
      const { messages } = await run(["done"], options);
      const [init] = messages;
      return init?.type === "system" && init.subtype === "init" ? init.tools : [];
    };
    expect(await seen({ allowedTools: ["Read"] })).toEqual(await seen({}));
    expect(await seen({ allowedTools: ["Read"] })).toContain("Bash");
    expect(await seen({ tools: ["Read"] })).toEqual(["Read"]);
    expect(await seen({ tools: [] })).toEqual([]);
    const { result } = await run(once("Bash", { command: "touch a" }), { allowedTools: ["Read"] });
    expect(result.permission_denials).toMatchObject([{ tool_name: "Bash" }]);
  });
});
