import { type JsonValue, type Options, type ToolExtras, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { run } from "../kit/session.ts";

function inner(extras: ToolExtras<{ n: number }> = {}) {
  const calls: unknown[] = [];
  const made = tool(
    "inner",
    "Is called by another tool.",
    { n: "integer" },
    (args, context) => {
      calls.push([args, context.toolUseId]);
      return { content: [{ type: "text", text: `inner ${args.n}` }], structuredContent: { n: args.n } };
    },
    extras,
  );
  return { made, calls };
}

const outer = (name: string, input: unknown) =>
  tool(
    "outer",
    "Calls another tool.",
    {},
    async (_args, context) => {
      const result = await context.callTool(name, input as never);
      const first = result.content[0];
      const text = first?.type === "text" ? first.text : "";
      return {
        success: true,
        output: { text, isError: result.isError, more: (result.structuredContent ?? null) as JsonValue },
      };
    },
    { riskLevel: "low" },
  );

async function calls(name: string, input: unknown, options: Options, made = inner()) {
  const outcome = await run([{ toolCalls: [{ name: "outer" }] }, "done"], {
    ...options,
    tools: [outer(name, input), made.made],
  });
  expect(outcome.users).toHaveLength(1);
  return {
    ...outcome,
    ...made,
    said: JSON.parse(outcome.texts[0] ?? "") as { text: string; isError: boolean },
  };
}

describe("tools that call tools", () => {
  it("C34 do so under decide(): rules, questions, hooks and validation are the same", async () => {
    const allowed = await calls("inner", { n: 1 }, { allowedTools: ["inner"] });
    expect(allowed.said).toEqual({ text: "inner 1", isError: false, more: { n: 1 } });
    expect(allowed.calls).toEqual([[{ n: 1 }, expect.stringMatching(/\.1$/)]]);

    const nobody = await calls("inner", { n: 1 }, {});
    expect(nobody.said).toMatchObject({
      isError: true,
      text: expect.stringContaining("Nobody could be asked"),
    });
    expect(nobody.calls).toEqual([]);
    expect(nobody.result.permission_denials).toEqual([
      { tool_name: "inner", tool_use_id: expect.stringMatching(/\.1$/), tool_input: { n: 1 } },
    ]);

    const asked: unknown[] = [];
    const edited = await calls(
      "inner",
      { n: 1 },
      {
        canUseTool: (name, input) => {
          asked.push([name, input]);
          return { behavior: "allow", updatedInput: { n: 5 } };
        },
      },
    );
    expect([asked, edited.said.text]).toEqual([[["inner", { n: 1 }]], "inner 5"]);

    const denied = await calls(
      "inner",
      { n: 1 },
      {
        settings: { permissions: { deny: ["inner(inner)"], allow: ["inner"] } },
      },
    );
    expect(denied.said.text).toContain("inner(inner)");
    expect(denied.calls).toEqual([]);

    const hooked: unknown[] = [];
    await calls(
      "inner",
      { n: 1 },
      {
        allowedTools: ["inner"],
        hooks: {
          PreToolUse: [
            {
              matcher: "inner",
              hooks: [
                (input) => {
                  hooked.push((input as { tool_input?: unknown }).tool_input);
                  return {};
                },
              ],
            },
          ],
        },
      },
    );
    expect(hooked).toEqual([{ n: 1 }]);

    const invalid = await calls("inner", { n: "x" }, { allowedTools: ["inner"] });
    expect(invalid.said).toMatchObject({ isError: true, text: expect.stringContaining("- n:") });
    const unknown = await calls("inne", { n: 1 }, {});
    expect(unknown.said.text).toContain("Did you mean inner?");
    const hidden = await calls("Read", { file_path: "/etc/hosts" }, {});
    expect(hidden.said.text).toContain("No such tool");
  });

  it("plan mode and a deny with interrupt reach through", async () => {
    const planned = await run([{ toolCalls: [{ name: "outer" }] }, "done"], {
      permissionMode: "plan",
      allowedTools: ["inner"],
      tools: [
        tool("outer", "Reads.", {}, async (_args, { callTool }) => callTool("inner", { n: 1 }), {
          riskLevel: "low",
          annotations: { readOnlyHint: true },
        }),
        inner().made,
      ],
    });
    expect(planned.texts[0]).toMatch(/[Pp]lan mode/);
    const stopped = await run([{ toolCalls: [{ name: "outer" }] }, "never said"], {
      tools: [outer("inner", { n: 1 }), inner().made],
      canUseTool: () => ({ behavior: "deny", message: "enough", interrupt: true }),
    });
    expect(stopped.result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "denied_interrupt",
    });
  });
});
