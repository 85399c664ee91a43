import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Options, query, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

const yolo: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const write = (cwd: string, name = "a.txt") => once("Write", { file_path: join(cwd, name), content: "x" });

function marker(extras: Record<string, unknown> = {}) {
  const calls: unknown[] = [];
  const mark = tool({
    name: "mark",
    version: "1.0.0",
    description: "Leaves a mark.",
    inputSchema: { n: "integer?" },
    ...extras,
    execute: (args) => {
      calls.push(args);
      return { content: [{ type: "text" as const, text: "marked" }] };
    },
  });
  return { mark, calls };
}

describe("rules", () => {
  it("Q18 allowedTools pre-approves, disallowedTools forbids, and forbidding wins", async () => {
    const { mark, calls } = marker();
    await run(once("mark"), { tools: [mark], allowedTools: ["mark"] });
    expect(calls).toHaveLength(1);

    const both = await run(once("Bash", { command: "echo hi > out.txt" }), {
      allowedTools: ["Bash", "Bash(echo:*)"],
      disallowedTools: ["Bash(echo:*)"],
    });
    expect(resultBlock(both.users[0]).is_error).toBe(true);
    expect(both.texts[0]).toContain("Bash(echo:*)");
    expect(both.result.permission_denials).toHaveLength(1);

    const bare = await run(once("mark"), {
      tools: [mark],
      allowedTools: ["mark"],
      disallowedTools: ["mark"],
    });
    expect(bare.model.requests[0]?.tools.map((each) => each.name)).toEqual([]);
    expect(bare.texts[0]).toContain("No such tool");
    expect(calls).toHaveLength(1);
  });

  it("C04 a deny on the whole tool denies in every mode", async () => {
    const modes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
    for (const permissionMode of modes) {
      const cwd = scratch();
      const { users } = await run(write(cwd), {
        cwd,
        permissionMode,
        allowDangerouslySkipPermissions: true,
        // A rule, not a bare name: the tool stays visible and the call is decided.
        settings: { permissions: { deny: ["Write(//**)"], allow: ["Write"] } },
        canUseTool: () => ({ behavior: "allow" }),
      });
      expect(resultBlock(users[0]).is_error, permissionMode).toBe(true);
      expect(existsSync(join(cwd, "a.txt")), permissionMode).toBe(false);
      const bare = await run(write(cwd), { cwd, ...yolo, permissionMode, disallowedTools: ["Write"] });
      expect(bare.texts[0], permissionMode).toContain("No such tool");
      expect(existsSync(join(cwd, "a.txt")), permissionMode).toBe(false);
    }
  });

  it("C09 an ask rule on content asks even in bypass", async () => {
    const asked: string[] = [];
    const options: Options = {
      ...yolo,
      settings: { permissions: { ask: ["Bash(touch asked:*)"] } },
      canUseTool: (name, input) => {
        asked.push(`${name} ${input.command}`);
        return { behavior: "deny", message: "not now" };
      },
    };
    const cwd = scratch();
    const { texts } = await run(
      [
        { toolCalls: [{ name: "Bash", input: { command: "touch free; touch asked" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch free" } }] },
        "done",
      ],
      { ...options, cwd },
    );
    expect(asked).toEqual(["Bash touch free; touch asked"]);
    expect(texts[0]).toContain("not now");
    expect(existsSync(join(cwd, "free"))).toBe(true);
    expect(existsSync(join(cwd, "asked"))).toBe(false);
  });

  it("C10 safety paths ask even in bypass", async () => {
    const paths = [
      ".git/config",
      ".claude/settings.json",
      ".vscode/tasks.json",
      ".bashrc",
      "sub/.git/hooks/pre-commit",
    ];
    for (const path of paths) {
      const cwd = scratch();
      let asked = 0;
      const { users } = await run(write(cwd, path), {
        cwd,
        ...yolo,
        allowedTools: ["Write", "Edit(**)"],
        canUseTool: () => {
          asked += 1;
          return { behavior: "deny", message: "no" };
        },
      });
      expect(asked, path).toBe(1);
      expect(resultBlock(users[0]).is_error, path).toBe(true);
      expect(existsSync(join(cwd, path)), path).toBe(false);
    }
  });

  it("C12 a whole-tool allow rule allows", async () => {
    const cwd = scratch();
    const { users } = await run(write(cwd), { cwd, allowedTools: ["Write"] });
    expect(resultBlock(users[0]).is_error).toBeUndefined();
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("x");
    expect(users[0]?.permission_decision).toMatchObject({
      behavior: "allow",
      rule: { text: "Write", source: "cliArg", behavior: "allow" },
    });
  });

  it("C14 each decision carries behaviour, reason with rule and source, and message", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, ".env"), "A=1");
    const { users, messages } = await run(once("Read", { file_path: join(cwd, ".env") }), {
      cwd,
      settings: { permissions: { deny: ["Read(.env)"] } },
    });
    expect(users[0]?.permission_decision).toMatchObject({
      behavior: "deny",
      reason: { type: "rule", rule: { text: "Read(.env)", source: "flagSettings", behavior: "deny" } },
      rule: { text: "Read(.env)", source: "flagSettings" },
    });
    expect(users[0]?.permission_decision?.message).toContain("Read(.env)");
    expect(messages.some((m) => m.type === "system" && m.subtype === "permission_denied")).toBe(true);

    const edited = await run(once("Bash", { command: "echo a > one" }), {
      cwd,
      canUseTool: () => ({ behavior: "allow", updatedInput: { command: "echo b > two" } }),
    });
    expect(edited.users[0]?.permission_decision).toMatchObject({ behavior: "allow", asked: true });
    expect(readFileSync(join(cwd, "two"), "utf8")).toBe("b\n");
    expect(existsSync(join(cwd, "one"))).toBe(false);
  });

  it("Q25 narrow tools, static rules and a dynamic callback combine", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "a.txt"), "one");
    const asked: string[] = [];
    const { model, texts } = await run(
      [
        { toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch ok" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch never" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch maybe" } }] },
        { toolCalls: [{ name: "Write", input: { file_path: "b.txt", content: "b" } }] },
        "done",
      ],
      {
        cwd,
        tools: ["Read", "Bash"],
        allowedTools: ["Bash(touch ok)"],
        disallowedTools: ["Bash(touch never)"],
        canUseTool: (_, input) => {
          asked.push(String(input.command));
          return { behavior: "deny", message: "ask me later" };
        },
      },
    );
    expect(model.requests[0]?.tools.map((each) => each.name)).toEqual(["Bash", "Read"]);
    expect(texts[0]).toContain("one");
    expect(existsSync(join(cwd, "ok"))).toBe(true);
    expect(texts[2]).toContain("Bash(touch never)");
    expect(texts[3]).toContain("ask me later");
    expect(texts[4]).toContain("No such tool");
    expect(asked).toEqual(["touch maybe"]);
  });
});

describe("modes", () => {
  it("Q20 bypassPermissions and yolo need allowDangerouslySkipPermissions", async () => {
    for (const permissionMode of ["bypassPermissions", "yolo"] as const) {
      expect(() => query({ prompt: "go", options: { permissionMode } })).toThrow(
        /allowDangerouslySkipPermissions/,
      );
      const cwd = scratch();
      await run(write(cwd), { cwd, permissionMode, allowDangerouslySkipPermissions: true });
      expect(existsSync(join(cwd, "a.txt")), permissionMode).toBe(true);
    }
    const cwd = scratch();
    const { users } = await run(write(cwd), {
      cwd,
      canUseTool: () => ({
        behavior: "allow",
        updatedPermissions: [{ type: "setMode", mode: "bypassPermissions", destination: "session" }],
      }),
    });
    expect(resultBlock(users[0]).is_error).toBe(true);
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
  });

  it("c01 in part: a session grant stands in a new context, the old one is untouched", async () => {
    const cwd = scratch();
    let asked = 0;
    const command = (n: number) => ({ toolCalls: [{ name: "Bash", input: { command: `touch f${n}` } }] });
    await run([command(1), command(2), "done"], {
      cwd,
      canUseTool: (_name, _input, context) => {
        asked += 1;
        return {
          behavior: "allow",
          updatedPermissions: [
            {
              type: "addRules",
              behavior: "allow",
              rules: [{ toolName: "Bash", ruleContent: "touch:*" }],
              destination: "session",
            },
          ],
          suggestions: context.suggestions,
        };
      },
    });
    expect(asked).toBe(1);
    expect(existsSync(join(cwd, "f2"))).toBe(true);
  });
});
