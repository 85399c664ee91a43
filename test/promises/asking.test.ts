import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

const bash = (command: string) => once("Bash", { command });

describe("a read-only audit", () => {
  it("Q01 audits a repository with three tools; no other tool is visible", async () => {
    const cwd = scratch();
    mkdirSync(join(cwd, "src"));
    writeFileSync(join(cwd, "src/a.ts"), "// TODO one\nconst a = 1;\n");
    const tools = ["Read", "Grep", "Glob"];
    const { model, texts, result } = await run(
      [
        {
          toolCalls: [
            { name: "Glob", input: { pattern: "**/*.ts" } },
            { name: "Grep", input: { pattern: "TODO" } },
          ],
        },
        { toolCalls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "rm -rf src" } }] },
        "audited",
      ],
      { cwd, tools, allowedTools: tools },
    );
    for (const request of model.requests) {
      expect(request.tools.map((each) => each.name)).toEqual(["Glob", "Grep", "Read"]);
    }
    expect(texts[0]).toContain("src/a.ts");
    expect(texts[1]).toContain("src/a.ts");
    expect(texts[2]).toContain("TODO one");
    expect(texts[3]).toContain("No such tool");
    expect(existsSync(join(cwd, "src/a.ts"))).toBe(true);
    expect(result).toMatchObject({ subtype: "success", result: "audited", permission_denials: [] });
  });

  it("q17 in part: tools narrows what is visible, and [] leaves none", async () => {
    const none = await run([{ toolCalls: [{ name: "Read", input: { file_path: "x" } }] }, "done"], {
      tools: [],
    });
    expect(none.model.requests[0]?.tools).toEqual([]);
    expect(none.texts[0]).toContain("No such tool");
    const all = await run(["done"]);
    expect(all.model.requests[0]?.tools.map((each) => each.name)).toEqual(
      expect.arrayContaining(["Bash", "Edit", "Glob", "Grep", "Read", "TodoWrite", "Write"]),
    );
    expect(() => query({ prompt: "go", options: { tools: [7 as never] } })).toThrow(/tools\[0\]/);
  });
});

describe("canUseTool", () => {
  it("Q21 is asked about what the rules left open; it may allow, edit, deny with a message, deny and interrupt", async () => {
    const cwd = scratch();
    const asked: string[] = [];
    const { texts, result } = await run(
      [
        { toolCalls: [{ name: "Bash", input: { command: "echo read-only" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch allowed" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch edit-me" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch denied" } }] },
        {
          toolCalls: [
            { name: "Bash", input: { command: "touch stop" } },
            { name: "Bash", input: { command: "touch behind" } },
          ],
        },
        "never said",
      ],
      {
        cwd,
        canUseTool: (name, { command }) => {
          asked.push(String(command));
          expect(name).toBe("Bash");
          if (command === "touch allowed") return { behavior: "allow" };
          if (command === "touch edit-me")
            return { behavior: "allow", updatedInput: { command: "touch edited" } };
          if (command === "touch stop")
            return { behavior: "deny", message: "that is enough", interrupt: true };
          return { behavior: "deny", message: "use another name" };
        },
      },
    );
    expect(asked).toEqual(["touch allowed", "touch edit-me", "touch denied", "touch stop"]);
    expect(existsSync(join(cwd, "allowed"))).toBe(true);
    expect(existsSync(join(cwd, "edited"))).toBe(true);
    for (const name of ["edit-me", "denied", "stop", "behind"])
      expect(existsSync(join(cwd, name)), name).toBe(false);
    expect(texts[3]).toContain("use another name");
    expect(texts[4]).toContain("that is enough");
    expect(result).toMatchObject({ subtype: "error_during_execution", terminal_reason: "denied_interrupt" });

    // every-call: asked about allowed calls too, where an allow lifts nothing that rules deny.
    const every: string[] = [];
    const second = await run(
      [
        { toolCalls: [{ name: "Bash", input: { command: "echo one" } }] },
        { toolCalls: [{ name: "Bash", input: { command: "touch no" } }] },
        "done",
      ],
      {
        cwd,
        canUseToolScope: "every-call",
        disallowedTools: ["Bash(touch:*)"],
        canUseTool: (_, { command }) => {
          every.push(String(command));
          return { behavior: "deny", message: "tightened" };
        },
      },
    );
    expect(every).toEqual(["echo one"]);
    expect(second.texts[0]).toContain("tightened");
    expect(second.texts[1]).toContain("Bash(touch:*)");
  });

  it("an edit is decided again: a deny rule wins over the person's edit", async () => {
    const cwd = scratch();
    const { users, texts } = await run(bash("touch a"), {
      cwd,
      disallowedTools: ["Bash(rm:*)"],
      canUseTool: () => ({ behavior: "allow", updatedInput: { command: "rm -rf ." } }),
    });
    expect(resultBlock(users[0]).is_error).toBe(true);
    expect(texts[0]).toContain("Bash(rm:*)");
    expect(existsSync(cwd)).toBe(true);
  });

  it("nobody there: an ask is denied, and the text says that nobody could be asked", async () => {
    const { texts, result } = await run(bash("touch a"));
    expect(texts[0]).toMatch(/nobody|no one/i);
    expect(result.permission_denials).toHaveLength(1);
  });
});
