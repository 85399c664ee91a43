import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CanUseToolContext, type Options, type PermissionUpdate, query, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

const danger = { allowDangerouslySkipPermissions: true } as const;
const bash = (command: string) => once("Bash", { command });

/** Runs one call and tells how it ended, and how often somebody was asked. */
async function ended(
  step: ReturnType<typeof once>,
  options: Options,
): Promise<{ asked: number; refused: boolean; text: string | undefined }> {
  let asked = 0;
  const { users, texts } = await run(step, {
    ...options,
    canUseTool: () => {
      asked += 1;
      return { behavior: "deny", message: "not now" };
    },
  });
  return { asked, refused: resultBlock(users[0]).is_error === true, text: texts[0] };
}

describe("bypassPermissions", () => {
  it("C11 bypass allows the rest; plan does so too when bypass was available at start, below its ceiling", async () => {
    const cwd = scratch();
    const outside = scratch();
    writeFileSync(join(outside, "notes"), "far away");
    mkdirSync(join(cwd, "src"));
    const write = once("Write", { file_path: join(outside, "w"), content: "x" });
    const read = once("Read", { file_path: join(outside, "notes") });

    // Neither of them is allowed by a rule or the default mode.
    for (const step of [bash(`touch ${outside}/made`), write, read]) {
      expect(await ended(step, { cwd, ...danger })).toMatchObject({ asked: 1, refused: true });
      expect(await ended(step, { cwd, ...danger, permissionMode: "bypassPermissions" })).toMatchObject({
        asked: 0,
        refused: false,
      });
    }
    expect(existsSync(join(outside, "made"))).toBe(true);
    expect(existsSync(join(outside, "w"))).toBe(true);

    const plan = { cwd, permissionMode: "plan" } as const;
    expect(await ended(read, { ...plan, ...danger })).toMatchObject({ asked: 0, refused: false });
    expect(await ended(read, plan)).toMatchObject({ asked: 1, refused: true });
    for (const step of [bash(`touch ${outside}/planned`), once("Write", { file_path: "p", content: "x" })]) {
      const { asked, refused, text } = await ended(step, { ...plan, ...danger });
      expect([asked, refused]).toEqual([0, true]);
      expect(text).toMatch(/plan/i);
    }
    expect(existsSync(join(outside, "planned"))).toBe(false);
  });
});

describe("what nobody decided", () => {
  it("C13 becomes an ask with suggestions, which settle this call and let the neighbouring ones ask", async () => {
    const outside = scratch();
    writeFileSync(join(outside, "notes"), "far away");
    const mark = tool("mark", "Leaves a mark.", { n: "integer?" }, async () => ({
      content: [{ type: "text", text: "marked" }],
    }));
    const rows: readonly (readonly [name: string, step: object, neighbour: object])[] = [
      ["Bash", { command: "touch once" }, { command: "rm -rf once" }],
      ["Bash", { command: "touch a && mkdir b" }, { command: "touch a && mv b c" }],
      ["Read", { file_path: join(outside, "notes") }, { file_path: "/etc/shadow" }],
      ["Write", { file_path: "new", content: "x" }, { file_path: ".git/hooks/post-merge", content: "x" }],
      ["mark", { n: 1 }, {}],
    ];
    for (const [name, input, neighbour] of rows) {
      const cwd = scratch();
      const offers: (readonly PermissionUpdate[])[] = [];
      const call = (given: object) => ({ toolCalls: [{ name, input: given }] });
      const turns =
        name === "mark" ? [call(input), call(input)] : [call(input), call(input), call(neighbour)];
      const { texts } = await run([...turns, "done"] as never, {
        cwd,
        tools: ["Bash", "Read", "Write", mark],
        canUseTool: (_name, _input, { suggestions, decision }) => {
          expect(decision.behavior).toBe("ask");
          expect(decision.reason.type).not.toBe("rule");
          offers.push(suggestions);
          if (offers.length > 1) return { behavior: "deny", message: "not now" };
          const updatedPermissions = suggestions.map((each) => ({
            ...each,
            destination: "session" as const,
          }));
          return { behavior: "allow", updatedPermissions };
        },
      });
      expect(offers[0]?.length, JSON.stringify(input)).toBeGreaterThan(0);
      expect(texts[1], JSON.stringify(input)).not.toContain("not now");
      expect(offers.length, JSON.stringify(neighbour)).toBe(name === "mark" ? 1 : 2);
    }
  });
});

describe("the context of canUseTool", () => {
  it("Q22 has tool use id, agent id, signal, title, display name, description, suggestions, blocked path, decision reason", async () => {
    const seen: CanUseToolContext[] = [];
    const cwd = scratch();
    const { assistants } = await run(
      [
        {
          toolCalls: [
            { name: "Write", input: { file_path: "/etc/castellan-probe", content: "x" } },
            { name: "Bash", input: { command: "touch made" } },
          ],
        },
        "done",
      ],
      {
        cwd,
        canUseTool: (_name, _input, context) => {
          seen.push(context);
          return { behavior: "deny", message: "no" };
        },
      },
    );
    const uses = assistants[0]?.message.content.flatMap((block) =>
      block.type === "tool_use" ? [block.id] : [],
    );
    expect(seen.map(({ toolUseID }) => toolUseID)).toEqual(uses);
    const [write, command] = seen;
    // The main agent has none; its key is absent then, so that `agentID === undefined` tells.
    expect(seen.map((context) => "agentID" in context)).toEqual([false, false]);
    expect([write?.displayName, command?.displayName]).toEqual(["Write", "Bash"]);
    expect(write?.title).toContain("/etc/castellan-probe");
    expect(command?.title).toBe("Bash: touch made");
    expect(command?.description).toMatch(/\S/);
    expect(write?.blockedPath).toBe("/etc/castellan-probe");
    expect(command?.suggestions).toContainEqual(
      expect.objectContaining({ type: "addRules", behavior: "allow" }),
    );
    expect(command?.decisionReason).toMatch(/touch made/);
    expect(command?.decision.reason.type).toMatch(/subcommand|undecided/);
    for (const context of seen) {
      expect(context.signal).toBeInstanceOf(AbortSignal);
      expect(context.signal.aborted).toBe(false);
      for (const field of ["requestId", "title", "displayName", "description", "decisionReason"] as const) {
        expect(context[field], field).toMatch(/\S/);
      }
      expect(context.decision.behavior).toBe("ask");
      expect(context.decision.trace.length).toBeGreaterThan(0);
    }
  });

  it("Q22 its signal fires when the question is moot", async () => {
    let fired: Promise<unknown> | undefined;
    const session = query({
      prompt: "go",
      options: {
        model: scriptedModel([...bash("touch made")]),
        cwd: scratch(),
        persistSession: false,
        canUseTool: (_name, _input, { signal }) => {
          fired = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          void session.interrupt();
          return new Promise(() => {});
        },
      },
    });
    for await (const _ of session);
    expect(await fired).toMatchObject({ type: "abort" });
  });
});
