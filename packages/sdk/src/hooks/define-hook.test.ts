import { describe, expect, expectTypeOf, it } from "vitest";
import type { HookCallback, HookInput, HooksOption, PreToolUseHookInput } from "../protocol/index.ts";
import { compileHooks, defineHook } from "./index.ts";

describe("defineHook", () => {
  it("makes an entry with its settings, and the input of its event", () => {
    const hook = defineHook("PreToolUse", { matcher: "Bash", timeout: 5 }, (input) => {
      expectTypeOf(input).toEqualTypeOf<PreToolUseHookInput>();
      return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } };
    });
    expect(hook).toEqual({ matcher: "Bash", timeout: 5, hooks: [expect.any(Function)] });
    const bare = defineHook("Stop", ({ stop_hook_active }) =>
      stop_hook_active ? {} : { decision: "block" },
    );
    expect(compileHooks({ PreToolUse: [hook], Stop: [bare] }).has("Stop")).toBe(true);
  });

  it("finds what is wrong at once", () => {
    const callback = () => ({});
    expect(() => defineHook("PreTool" as never, callback)).toThrow(/hooks.PreTool is no hook event/);
    expect(() => defineHook("SessionStart" as never, callback)).toThrow(/does not fire/);
    expect(() => defineHook("PreToolUse", { matcher: "(a" }, callback)).toThrow(/matcher/);
    expect(() => defineHook("PreToolUse", {}, undefined as never)).toThrow(/hooks\[0\] is undefined/);
    expect(() => defineHook("PreToolUse", null as never, callback)).toThrow(/settings/);
  });

  it("types: outputs and places of other events are errors, plain callbacks go everywhere", () => {
    // @ts-expect-error the output of another event
    defineHook("Stop", () => ({ hookSpecificOutput: { hookEventName: "PreToolUse" } }));
    const stop = defineHook("Stop", () => ({}));
    // @ts-expect-error a Stop hook would be told of calls
    const wrong: HooksOption = { PreToolUse: [stop] };
    const plain: HookCallback = (input) => {
      expectTypeOf(input).toEqualTypeOf<HookInput>();
      return {};
    };
    const right: HooksOption = { Stop: [stop, { hooks: [plain] }], PostToolUse: [{ hooks: [plain] }] };
    const inline: HooksOption = {
      PreToolUse: [{ hooks: [async (input) => (input.tool_name === "Bash" ? { decision: "block" } : {})] }],
    };
    expect([wrong, right, inline]).toHaveLength(3);
  });
});
