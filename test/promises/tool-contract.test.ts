import { type Options, query, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

describe("a tool's own check", () => {
  const checked = (checkPermissions: () => unknown, extras: Record<string, unknown> = {}) => {
    const calls: unknown[] = [];
    const probe = tool({
      name: "probe",
      version: "1.0.0",
      description: "Is checked.",
      inputSchema: { n: "integer" },
      ...extras,
      checkPermissions: checkPermissions as never,
      execute: (args) => {
        calls.push(args);
        return { content: [{ type: "text" as const, text: "ran" }] };
      },
    });
    return { probe, calls };
  };
  const bypass: Options = { permissionMode: "yolo", allowDangerouslySkipPermissions: true };

  it("C06 runs on validated input; a failure is an ask that no mode or allow rule lifts", async () => {
    let seen: unknown;
    const good = checked(((input: unknown) => {
      seen = input;
      return { behavior: "passthrough" };
    }) as never);
    const bad = await run(
      [
        { toolCalls: [{ name: "probe", input: { n: "seven" } }] },
        { toolCalls: [{ name: "probe", input: { n: 7 } }] },
        "done",
      ],
      { ...bypass, tools: [good.probe] },
    );
    expect(bad.texts[0]).toContain("n");
    expect(seen).toEqual({ n: 7 });
    expect(good.calls).toEqual([{ n: 7 }]);

    const failures: (() => unknown)[] = [
      () => {
        throw new Error("broken check");
      },
      () => "allow",
      () => undefined,
      () => ({ behavior: "perhaps" }),
      () => Promise.reject(new Error("later")),
    ];
    for (const [index, check] of failures.entries()) {
      let asked = 0;
      const { probe, calls } = checked(check);
      await run(once("probe", { n: 1 }), {
        ...bypass,
        tools: [probe],
        allowedTools: ["probe"],
        canUseTool: () => {
          asked += 1;
          return { behavior: "deny", message: "no" };
        },
      });
      expect([asked, calls.length], String(index)).toEqual([1, 0]);
    }
    // An AbortError is passed on: the call is cancelled, nobody is asked.
    const aborting = checked(() => {
      throw new DOMException("stopped", "AbortError");
    });
    const outcome = await run(once("probe", { n: 1 }), {
      ...bypass,
      tools: [aborting.probe],
      canUseTool: () => {
        throw new Error("must not be asked");
      },
    });
    expect(aborting.calls).toEqual([]);
    expect(resultBlock(outcome.users[0]).is_error).toBe(true);
    expect(outcome.texts[0]).not.toContain("must not be asked");
  });

  it("C07 a tool's deny denies in every mode", async () => {
    for (const permissionMode of [
      "default",
      "acceptEdits",
      "plan",
      "dontAsk",
      "bypassPermissions",
    ] as const) {
      const { probe, calls } = checked(() => ({ behavior: "deny", message: "closed on Sundays" }), {
        annotations: { readOnlyHint: true },
      });
      const { texts } = await run(once("probe", { n: 1 }), {
        permissionMode,
        allowDangerouslySkipPermissions: true,
        tools: [probe],
        allowedTools: ["probe"],
        canUseTool: () => ({ behavior: "allow" }),
      });
      expect(texts[0], permissionMode).toContain("closed on Sundays");
      expect(calls, permissionMode).toEqual([]);
    }
  });

  it("c08 in part: a tool that needs the user asks even in bypass", async () => {
    const { probe, calls } = checked(() => ({ behavior: "passthrough" }), {
      requiresUserInteraction: () => true,
    });
    let asked = 0;
    await run(once("probe", { n: 1 }), {
      ...bypass,
      tools: [probe],
      allowedTools: ["probe"],
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow" };
      },
    });
    expect([asked, calls.length]).toEqual([1, 1]);
  });

  it("C31 mode and rules are read again after every await", async () => {
    const cwd = scratch();
    const model = scriptedModel(once("probe", { n: 1 }));
    const { probe, calls } = checked(async () => {
      await session.setPermissionMode("dontAsk");
      return { behavior: "passthrough" };
    });
    let asked = 0;
    const session = query({
      prompt: "go",
      options: {
        cwd,
        model,
        persistSession: false,
        tools: [probe],
        canUseTool: () => {
          asked += 1;
          return { behavior: "allow" };
        },
      },
    });
    for await (const message of session)
      if (message.type === "result") expect(message.permission_denials).toHaveLength(1);
    expect([asked, calls.length]).toEqual([0, 0]);

    // And behind the person's answer: a deny that came meanwhile wins.
    const second = checked(() => ({ behavior: "passthrough" }));
    const later = query({
      prompt: "go",
      options: {
        cwd,
        model: scriptedModel(once("probe", { n: 1 })),
        persistSession: false,
        tools: [second.probe],
        canUseTool: async () => {
          await later.setPermissionMode("dontAsk");
          return {
            behavior: "allow",
            updatedPermissions: [
              { type: "addRules", behavior: "deny", rules: [{ toolName: "probe" }], destination: "session" },
            ],
          };
        },
      },
    });
    for await (const message of later)
      if (message.type === "result") expect(message.permission_denials).toHaveLength(1);
    expect(second.calls).toEqual([]);
  });

  it("C32 a check answers allow, deny, ask or passthrough, and may rewrite the input, which is validated and decided again", async () => {
    const answers = { allow: [0, 1], deny: [0, 0], ask: [1, 1], passthrough: [1, 1] } as const;
    for (const [behavior, [wantAsked, wantCalls]] of Object.entries(answers)) {
      let asked = 0;
      const { probe, calls } = checked(() => ({ behavior }));
      await run(once("probe", { n: 1 }), {
        tools: [probe],
        canUseTool: () => {
          asked += 1;
          return { behavior: "allow" };
        },
      });
      expect([asked, calls.length], behavior).toEqual([wantAsked, wantCalls]);
    }
    const rewriting = checked((({ n }: { n: number }) =>
      n < 5 ? { behavior: "allow", updatedInput: { n: 5 } } : { behavior: "allow" }) as never);
    await run(once("probe", { n: 1 }), { tools: [rewriting.probe] });
    expect(rewriting.calls).toEqual([{ n: 5 }]);
    const invalid = checked(() => ({ behavior: "allow", updatedInput: { n: "x" } }));
    const outcome = await run(once("probe", { n: 1 }), { tools: [invalid.probe] });
    expect(invalid.calls).toEqual([]);
    expect(resultBlock(outcome.users[0]).is_error).toBe(true);
    const denied = checked(() => ({ behavior: "allow", updatedInput: { n: 13 } }), {
      targets: ({ n }: { n: number }) => [{ kind: "name", value: `n-${n}` }],
    });
    await run(once("probe", { n: 1 }), { tools: [denied.probe], disallowedTools: ["probe(n-13)"] });
    expect(denied.calls).toEqual([]);
  });
});

describe("the contract's defaults", () => {
  const bare = { name: "probe", version: "1.0.0", description: "Says nothing of itself.", inputSchema: {} };
  const ok = { content: [{ type: "text" as const, text: "ok" }] };

  it("C30 buildTool fills safe defaults: not read-only, not concurrent, permission left to the general system", async () => {
    let running = 0;
    let most = 0;
    const probe = tool({
      ...bare,
      execute: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return ok;
      },
    });
    const pair = [{ toolCalls: [{ name: "probe" }, { name: "probe" }] }, "done"];
    let asked = 0;
    await run(pair, {
      tools: [probe],
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow" };
      },
    });
    expect([asked, most]).toEqual([2, 1]);
    const planned = await run(pair, { tools: [probe], permissionMode: "plan", allowedTools: ["probe"] });
    expect(planned.result.permission_denials).toHaveLength(2);
  });

  it("C33 a field given as undefined never wipes a safe default", async () => {
    const fields = [
      "riskLevel",
      "isReadOnly",
      "isConcurrencySafe",
      "checkPermissions",
      "validateInput",
      "targets",
      "timeoutMs",
      "annotations",
      "permissionPolicy",
      "maxResultSizeChars",
      "aliases",
      "isEnabled",
      "isDestructive",
    ];
    const probe = tool({
      ...bare,
      ...Object.fromEntries(fields.map((field) => [field, undefined])),
      execute: () => ok,
    });
    let asked = 0;
    const { texts } = await run(once("probe"), {
      tools: [probe],
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow" };
      },
    });
    expect([asked, texts[0]]).toEqual([1, "ok"]);
    expect(probe.riskLevel).toBe("high");
  });

  it("C22 call is async and reports progress", async () => {
    const probe = tool({
      ...bare,
      riskLevel: "low",
      execute: async (_args, context) => {
        context.progress("half way");
        await Promise.resolve();
        context.progress({ done: 2, of: 2 });
        return ok;
      },
    });
    const { messages } = await run(once("probe"), { tools: [probe] });
    const progress = messages.filter((message) => message.type === "tool_progress");
    expect(progress.map((message) => message.progress)).toEqual(["half way", { done: 2, of: 2 }]);
    expect(progress[0]).toMatchObject({ tool_name: "probe", parent_tool_use_id: null });
    const places = messages.map((message) => message.type);
    expect(places.indexOf("tool_progress")).toBeLessThan(places.indexOf("user"));
  });

  it("c20 in part: a tool answers to its name and its old names", async () => {
    const probe = tool({ ...bare, aliases: ["old_probe"], riskLevel: "low", execute: () => ok });
    const { texts } = await run(once("old_probe"), { tools: [probe] });
    expect(texts[0]).toBe("ok");
    const denied = await run(once("probe"), { tools: [probe], disallowedTools: ["old_probe"] });
    expect(denied.texts[0]).not.toBe("ok");
  });
});
