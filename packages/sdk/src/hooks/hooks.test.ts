import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { HookCallback, HookJSONOutput, HookMatcher, HooksOption } from "../protocol/index.ts";
import type { HookCall, PreToolUseEffect } from "./index.ts";
import { compileHooks, runPostToolUse, runPreToolUse } from "./index.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const clock = nodePlatform().clock;
const live = (): AbortSignal => new AbortController().signal;

const call: HookCall = {
  subject: { name: "Bash", aliases: ["Shell"] },
  input: { command: "ls", timeout: 5 },
  toolUseId: "call_1",
  base: () => ({ session_id: "s", transcript_path: "/t", cwd: "/w", permission_mode: "default" }),
  holds: () => "whole",
};

function pre(
  entries: readonly HookMatcher<"PreToolUse">[],
  signal: AbortSignal = live(),
): Promise<PreToolUseEffect> {
  return runPreToolUse(compileHooks({ PreToolUse: entries }), call, signal, { clock });
}

function saying(output: unknown): HookMatcher {
  return { hooks: [() => output as HookJSONOutput] };
}

const decide = (permissionDecision: unknown, more: object = {}): unknown => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more },
});

describe("PreToolUse", () => {
  it("hands over what people know, as a copy of its own for each hook", async () => {
    const seen: unknown[] = [];
    const spoil: HookCallback<"PreToolUse"> = (input, id) => {
      seen.push({ ...input, tool_input: { ...input.tool_input } }, id);
      input.tool_input.command = "rm -rf /";
      return {};
    };
    const effect = await pre([{ hooks: [spoil, spoil] }]);
    const told = {
      session_id: "s",
      transcript_path: "/t",
      cwd: "/w",
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls", timeout: 5 },
      tool_use_id: "call_1",
    };
    expect(seen).toEqual([told, "call_1", told, "call_1"]);
    expect(call.input).toEqual({ command: "ls", timeout: 5 });
    expect(effect.updatedInput).toBeUndefined();
  });

  it("builds nothing when no hook matches", async () => {
    const table = compileHooks({ PreToolUse: [{ matcher: "Edit", hooks: [() => ({})] }] });
    const base = (): never => {
      throw new Error("built");
    };
    const effect = await runPreToolUse(table, { ...call, base }, live(), { clock });
    expect(effect.runs).toEqual([]);
  });

  it.each([
    ["deny over ask over allow", ["allow", "ask", "deny", "ask"], "deny"],
    ["ask over allow", ["allow", "ask", "allow"], "ask"],
    ["allow", [undefined, "allow"], "allow"],
    ["no opinion", [undefined, undefined], undefined],
  ])("merges %s", async (_, said, behavior) => {
    const effect = await pre(said.map((one) => saying(one === undefined ? { continue: true } : decide(one))));
    expect(effect.behavior).toBe(behavior);
  });

  it("joins the reasons of those who won, and names the place where there is none", async () => {
    const effect = await pre([
      saying(decide("deny", { permissionDecisionReason: "not here" })),
      saying(decide("allow", { permissionDecisionReason: "fine" })),
      saying(decide("deny")),
    ]);
    expect(effect.reason).toBe("not here; The hook hooks.PreToolUse[2].hooks[0] gave no reason");
  });

  it("understands the older spelling, and the stricter of two", async () => {
    expect((await pre([saying({ decision: "approve" })])).behavior).toBe("allow");
    expect(await pre([saying({ decision: "block", reason: "no" })])).toMatchObject({
      behavior: "deny",
      reason: "no",
    });
    const both = { decision: "block", ...(decide("allow") as object) };
    expect((await pre([saying(both)])).behavior).toBe("deny");
  });

  it("applies rewrites one after the other, each by the keys that it changed", async () => {
    const effect = await pre([
      saying(decide(undefined, { updatedInput: { command: "ls -l", timeout: 5 } })),
      saying(decide(undefined, { updatedInput: { command: "ls", cwd: "/x" } })),
    ]);
    expect(effect.updatedInput).toEqual({ command: "ls -l", cwd: "/x" });
    const later = await pre([
      saying(decide(undefined, { updatedInput: { command: "a", timeout: 5 } })),
      saying(decide(undefined, { updatedInput: { command: "b", timeout: 5 } })),
    ]);
    expect(later.updatedInput).toEqual({ command: "b", timeout: 5 });
  });

  it("takes an unchanged input for no rewrite", async () => {
    const effect = await pre([saying(decide("allow", { updatedInput: { timeout: 5, command: "ls" } }))]);
    expect(effect.updatedInput).toBeUndefined();
  });

  it("collects contexts, messages and the first stop", async () => {
    const effect = await pre([
      saying(decide(undefined, { additionalContext: "one" })),
      saying({ continue: false, stopReason: "enough", systemMessage: "told" }),
      saying({ continue: false }),
      saying(decide(undefined, { additionalContext: "two" })),
    ]);
    expect(effect).toMatchObject({
      contexts: ["one", "two"],
      systemMessages: ["told"],
      stop: { reason: "enough" },
    });
    expect(effect.runs.map((run) => run.outcome)).toEqual(["context", "block", "block", "context"]);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["undefined", undefined, /returned undefined/],
    ["null", null, /returned null/],
    ["a text", "allow", /returned "allow"/],
    ["a list", [], /returned a list/],
    [
      "another event",
      { hookSpecificOutput: { hookEventName: "PostToolUse" } },
      /"PostToolUse"; give "PreToolUse"/,
    ],
    ["no event", { hookSpecificOutput: { permissionDecision: "allow" } }, /hookEventName" is undefined/],
    ["a decision that is none", decide("yes"), /"permissionDecision" is "yes"/],
    ["a wrong type", { continue: "no" }, /"continue" is "no"; give a boolean/],
    ["a reason that is none", { decision: "block", reason: 7 }, /"reason" is a number/],
    ["an old decision that is none", { decision: "deny" }, /"decision" is "deny"/],
    ["a rewrite that is none", decide("allow", { updatedInput: ["ls"] }), /"updatedInput" is a list/],
    ["a rewrite with a function", decide("allow", { updatedInput: { a: [() => 1] } }), /"a.0" is a function/],
    ["a misplaced decision", { permissionDecision: "deny" }, /"hookSpecificOutput.permissionDecision" was/],
    ["a misspelt rewrite", decide("allow", { updated_input: {} }), /"hookSpecificOutput.updatedInput" was/],
  ];

  it.each(bad)("asks when a hook answers with %s", async (_, output, why) => {
    const effect = await pre([saying(output)]);
    expect(effect.behavior).toBe("ask");
    expect(effect.reason).toMatch(why);
    expect(effect.reason).toContain("hooks.PreToolUse[0].hooks[0]");
    expect(effect.warnings[0]).toMatch(why);
    expect(effect.runs).toMatchObject([{ outcome: "failed", callId: "call_1" }]);
    expect(effect.updatedInput).toBeUndefined();
  });

  it("asks, blocks or goes on when a hook throws, as onFailure says", async () => {
    const hooks: HookCallback[] = [
      () => {
        throw new Error("broken");
      },
      () => Promise.reject(new Error("broken later")),
    ];
    expect((await pre([{ hooks }])).reason).toMatch(/threw: broken; .*threw: broken later/);
    expect((await pre([{ hooks, onFailure: "block" }])).behavior).toBe("deny");
    const goesOn = await pre([{ hooks, onFailure: "continue" }]);
    expect(goesOn.behavior).toBeUndefined();
    expect(goesOn.warnings).toHaveLength(2);
  });

  it("ends a hook that hangs, and tells it so", async () => {
    let reason: unknown;
    const hang: HookCallback = (_, __, { signal }) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
      });
      return new Promise(() => {});
    };
    const effect = await pre([{ hooks: [hang], timeout: 0.02 }]);
    expect(effect.reason).toMatch(/did not answer within 0.02 s/);
    expect(String(reason)).toMatch(/0.02 s/);
  });

  it("shows a signal that has fired to a hook that first looks at it after its time", async () => {
    let look = (): boolean | undefined => undefined;
    const hang: HookCallback = (_, __, options) => {
      look = () => options.signal.aborted;
      return new Promise(() => {});
    };
    const ends: HookCallback = (_, __, options) => {
      const first = options.signal;
      expect(first.aborted).toBe(false);
      expect(options.signal).toBe(first);
      return {};
    };
    await pre([{ hooks: [ends] }, { hooks: [hang], timeout: 0.02 }]);
    expect(look()).toBe(true);
  });

  it("ends at once when the run is aborted", async () => {
    const controller = new AbortController();
    const pending = pre([{ hooks: [() => new Promise(() => {})] }], controller.signal);
    controller.abort();
    expect((await pending).reason).toMatch(/cancelled/);
    const never: HookCallback = () => {
      throw new Error("ran");
    };
    expect((await pre([{ hooks: [never] }], controller.signal)).reason).toMatch(/cancelled/);
  });

  it("ends at once when the hook itself aborts the run", async () => {
    const controller = new AbortController();
    const hang: HookCallback = () => {
      controller.abort();
      return new Promise(() => {});
    };
    expect((await pre([{ hooks: [hang] }], controller.signal)).reason).toMatch(/cancelled/);
  });

  it("warns of unknown keys and takes the rest", async () => {
    const effect = await pre([saying({ ...(decide("deny") as object), colour: "red" })]);
    expect(effect.behavior).toBe("deny");
    expect(effect.warnings).toEqual([expect.stringContaining('"colour"')]);
  });

  it("comes to the same outcome whatever the hooks' timing (property)", async () => {
    const output = fc.oneof(
      fc.constant({}),
      fc.constantFrom("allow", "ask", "deny", "nonsense").map((said) => decide(said)),
      fc
        .constantFrom("a", "b", "c")
        .map((key) => decide(undefined, { updatedInput: { command: key, [key]: 1 } })),
      fc.string().map((text) => decide(undefined, { additionalContext: text })),
      fc.string().map((stopReason) => ({ continue: false, stopReason })),
    );
    const one = fc.record({ output, turns: fc.nat(4), other: fc.nat(4) });
    const waiting = (said: unknown, turns: number): HookMatcher => ({
      hooks: [
        async () => {
          for (let i = 0; i < turns; i++) await Promise.resolve();
          return said as HookJSONOutput;
        },
      ],
    });
    const still = (effect: PreToolUseEffect): object => ({
      ...effect,
      runs: effect.runs.map((run) => ({ ...run, durationMs: 0 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 6 }), async (list) => {
        const first = await pre(list.map((item) => waiting(item.output, item.turns)));
        const second = await pre(list.map((item) => waiting(item.output, item.other)));
        expect(still(second)).toEqual(still(first));
      }),
      { numRuns: runs },
    );
  });
});

describe("PostToolUse", () => {
  const post = (hooks: HooksOption["PostToolUse"]): ReturnType<typeof runPostToolUse> =>
    runPostToolUse(compileHooks({ PostToolUse: hooks ?? [] }), { ...call, response: () => "out" }, live(), {
      clock,
    });
  const said = (more: object): unknown => ({ hookSpecificOutput: { hookEventName: "PostToolUse", ...more } });

  it("gives the response, and takes context, output, block and stop", async () => {
    let told: unknown;
    const effect = await post([
      {
        hooks: [
          (input) => {
            told = input.hook_event_name === "PostToolUse" ? input.tool_response : undefined;
            return { decision: "block", reason: "look again" };
          },
        ],
      },
      saying(said({ additionalContext: "more", updatedToolOutput: { a: 1 } })),
      saying(said({ updatedToolOutput: null })),
      saying({ continue: false, stopReason: "halt" }),
    ]);
    expect(told).toBe("out");
    expect(effect).toMatchObject({
      contexts: ["more"],
      blocks: ["look again"],
      updatedOutput: { value: null },
      stop: { reason: "halt" },
    });
  });

  it("goes on after a failure unless told to block", async () => {
    const goesOn = await post([saying(7)]);
    expect(goesOn).toMatchObject({ blocks: [], warnings: [expect.stringMatching(/a number/)] });
    const blocks = await post([{ ...saying(7), onFailure: "block" }]);
    expect(blocks.blocks[0]).toMatch(/hooks.PostToolUse\[0\].hooks\[0\] failed/);
  });
});
