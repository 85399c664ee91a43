import type { CanUseTool, Options } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run } from "../kit/session.ts";

const input = {
  questions: [
    {
      question: "Which database?",
      header: "Database",
      options: [{ label: "Postgres" }, { label: "SQLite" }],
    },
    {
      question: "Which parts?",
      options: [{ label: "API" }, { label: "UI" }, { label: "CLI" }],
      multiSelect: true,
    },
  ],
};
const asks = (more: object = {}) => once("AskUserQuestion", { ...input, ...more });
const answers = { "Which database?": "SQLite", "Which parts?": "API, CLI" };
const answering: CanUseTool = (_name, given) => ({ behavior: "allow", updatedInput: { ...given, answers } });
const bypass: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
const allowHook: Options["hooks"] = {
  PreToolUse: [
    {
      hooks: [
        () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }) as const,
      ],
    },
  ],
};

describe("AskUserQuestion", () => {
  it("is in the default set, and its answers come through updatedInput in every mode that asks", async () => {
    for (const permissionMode of ["default", "acceptEdits", "plan", "bypassPermissions"] as const) {
      let asked = 0;
      const { texts, users, model } = await run(asks(), {
        permissionMode,
        allowDangerouslySkipPermissions: true,
        allowedTools: ["AskUserQuestion"],
        canUseTool: (name, given, context) => {
          asked += 1;
          expect([name, given, context.suggestions]).toEqual(["AskUserQuestion", input, []]);
          return answering(name, given, context);
        },
      });
      expect(asked, permissionMode).toBe(1);
      expect(model.requests[0]?.tools.map((each) => each.name)).toContain("AskUserQuestion");
      expect(texts[0]).toBe(
        'The user answered:\n- "Which database?": "SQLite"\n- "Which parts?": "API, CLI"',
      );
      expect(users[0]?.tool_use_result).toMatchObject({ answers });
    }
  });

  it("an allow without answers is an error result, whoever gives it", async () => {
    const allows: Options[] = [
      { canUseTool: () => ({ behavior: "allow" }) },
      { canUseTool: () => ({ behavior: "allow", updatedInput: { ...input, answers: {} } }) },
      { ...bypass, hooks: allowHook, canUseTool: () => ({ behavior: "allow" }) },
    ];
    for (const options of allows) {
      const { texts, users } = await run(asks(), options);
      expect(resultBlock(users[0]).is_error).toBe(true);
      expect(texts[0]).toContain("nobody answered it");
    }
  });

  it("what the model writes as its own answers is taken out", async () => {
    let shown: unknown;
    const { texts } = await run(asks({ answers: { "Which database?": "Postgres" } }), {
      canUseTool: (_name, given) => {
        shown = given;
        return { behavior: "allow" };
      },
    });
    expect(shown).toEqual(input);
    expect(texts[0]).toContain("nobody answered it");
  });

  it("so is what a PreToolUse hook writes there", async () => {
    const hooks: Options["hooks"] = {
      PreToolUse: [
        {
          hooks: [
            () =>
              ({
                hookSpecificOutput: {
                  hookEventName: "PreToolUse",
                  permissionDecision: "allow",
                  updatedInput: { ...input, answers } as never,
                },
              }) as const,
          ],
        },
      ],
    };
    const { texts } = await run(asks(), { hooks, canUseTool: () => ({ behavior: "allow" }) });
    expect(texts[0]).toContain("nobody answered it");
  });

  it("a deny gives the model the message", async () => {
    const { texts } = await run(asks(), {
      canUseTool: () => ({ behavior: "deny", message: "Decide yourself." }),
    });
    expect(texts[0]).toContain("Decide yourself.");
  });

  it("nobody there is a clear denial: no mode, rule or hook stands in", async () => {
    for (const options of [{}, bypass, { allowedTools: ["AskUserQuestion"] }, { hooks: allowHook }]) {
      const { texts, users, result } = await run(asks(), options as Options);
      expect(resultBlock(users[0]).is_error).toBe(true);
      expect(texts[0]).toMatch(/AskUserQuestion needs a person in every mode\. Nobody could be asked/);
      expect(result.permission_denials).toHaveLength(1);
    }
    const quiet = await run(asks(), { permissionMode: "dontAsk", canUseTool: answering });
    expect(quiet.texts[0]).toContain("dontAsk");
  });

  it("answers that fit no question deny the call and say why", async () => {
    const { texts } = await run(asks(), {
      canUseTool: () => ({
        behavior: "allow",
        updatedInput: { ...input, answers: { "Which databse?": "SQLite" } },
      }),
    });
    expect(texts[0]).toContain("answers no question of this call");
  });
});
