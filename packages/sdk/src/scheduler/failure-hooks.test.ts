import { afterEach, describe, expect, it } from "vitest";
import type { GateKit, GateKitOptions } from "../gate/test-kit.ts";
import { gateKit, makeTool } from "../gate/test-kit.ts";
import type { HookCallback, PostToolUseFailureHookInput, ToolDefinition } from "../protocol/index.ts";
import { cancelReason } from "./index.ts";
import { call, hastyPlatform, schedulerKit, textOf } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
type Failed = HookCallback<"PostToolUseFailure">;

async function ran(tool: ToolDefinition, hook: Failed, gate: GateKitOptions = {}, stop?: AbortController) {
  const fired: PostToolUseFailureHookInput[] = [];
  const watching: Failed = (input, id, options) => {
    fired.push(input);
    return hook(input, id, options);
  };
  const side = await gateKit({
    ...{ tools: [tool, makeTool("other")], context: bypass, platform: hastyPlatform() },
    hooks: {
      PostToolUseFailure: [{ hooks: [watching] }],
      PostToolUse: [{ matcher: "act", hooks: [() => ({ systemMessage: "it succeeded" })] }],
    },
    ...gate,
  });
  kits.push(side);
  const kit = schedulerKit(side);
  const signal = (stop ?? new AbortController()).signal;
  const outcome = await kit.scheduler.runRound([call("1", "act", { n: 1 }), call("2", "other")], "m", signal);
  const [first, second] = side.of("tool.finished");
  return { ...kit, side, outcome, fired, first, second };
}

const quiet: Failed = () => ({});
const text = (said: string, isError: boolean) => ({
  content: [{ type: "text" as const, text: said }],
  isError,
});
const hang = () => new Promise<never>(() => {});

describe("PostToolUseFailure hooks", () => {
  it.each<readonly [string, Partial<ToolDefinition>, RegExp]>([
    ["a throw", { call: () => Promise.reject(new Error("disk full")) }, /disk full/],
    ["an error result", { call: () => text("not found", true) }, /^not found$/],
    ["a return that is none", { call: (() => 7) as never }, /./],
    ["a time-out", { call: hang, timeoutMs: 20 }, /timed out after 20 ms/],
  ])("fire for %s, and PostToolUse does not", async (_, fields, error) => {
    const { fired, notes, first, side } = await ran(makeTool("act", fields), quiet);
    expect(fired).toMatchObject([
      {
        ...{ hook_event_name: "PostToolUseFailure", session_id: "session", permission_mode: bypass.mode },
        ...{ tool_name: "act", tool_input: { n: 1 }, tool_use_id: "1", is_interrupt: false },
        error: expect.stringMatching(error),
      },
    ]);
    expect(notes).not.toContain("it succeeded");
    expect(first).toMatchObject({ callId: "1", outcome: "failed", isError: true });
    expect(side.of("hook.ran")).toMatchObject([{ event: "PostToolUseFailure", callId: "1" }]);
  });

  it("do not fire for a success or for what never ran", async () => {
    expect((await ran(makeTool("act"), quiet)).fired).toEqual([]);
    const denied = await ran(makeTool("act"), quiet, { rules: { deny: ["act"] } });
    expect(denied.first).toMatchObject({ outcome: "denied" });
    expect(denied.fired).toEqual([]);
    const invalid = makeTool("act", { validateInput: () => ({ ok: false, message: "no" }) });
    expect((await ran(invalid, quiet)).fired).toEqual([]);
  });

  it("add context, and may end the run", async () => {
    const failing = makeTool("act", { call: () => text("not found", true) });
    const context = await ran(failing, () => ({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "try /tmp" },
    }));
    expect(context.first).toMatchObject({ context: ["try /tmp"], isError: true });
    expect(textOf(context.first)).toBe("not found");
    const ended = await ran(failing, () => ({ continue: false, stopReason: "enough" }));
    expect(ended.outcome).toEqual({ stop: { reason: "enough" } });
    expect(ended.second).toMatchObject({ callId: "2", outcome: "cancelled" });
  });

  it("change nothing when they fail or answer for another event", async () => {
    const failing = makeTool("act", { call: () => text("not found", true) });
    const hooks: Failed[] = [
      () => Promise.reject(new Error("broken")),
      () => ({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "fine" } }),
    ];
    for (const hook of hooks) {
      const { first, side } = await ran(failing, hook);
      expect(textOf(first)).toBe("not found");
      expect(side.of("hook.ran")).toMatchObject([{ outcome: "failed" }]);
    }
  });
});

describe("a run that was stopped", () => {
  const stopping = (stop: AbortController, fields: Partial<ToolDefinition> = {}): ToolDefinition =>
    makeTool("act", {
      call: () => {
        stop.abort(cancelReason("interrupt"));
        return hang();
      },
      ...fields,
    });

  it("tells the failure hooks so, and takes what they add", async () => {
    const stop = new AbortController();
    const tool = stopping(stop, {
      call: (_, context) =>
        new Promise((_resolve, reject) => {
          context.signal.addEventListener("abort", () => reject(new Error("stopped")));
          stop.abort(cancelReason("interrupt"));
        }),
    });
    const hook: Failed = async () => ({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "half done" },
    });
    const { fired, first } = await ran(tool, hook, {}, stop);
    expect(fired).toMatchObject([{ is_interrupt: true, error: expect.stringMatching(/cancelled/) }]);
    expect(first).toMatchObject({ outcome: "cancelled", context: ["half done"] });
  });

  it("waits for no hook beyond the grace", async () => {
    const stop = new AbortController();
    let told: unknown;
    const hook: Failed = (_, __, { signal }) => {
      signal.addEventListener("abort", () => {
        told = signal.reason;
      });
      return hang();
    };
    const { fired, first, side } = await ran(stopping(stop), hook, {}, stop);
    expect(fired).toMatchObject([{ is_interrupt: true }]);
    expect(first).toMatchObject({ outcome: "cancelled" });
    expect(side.of("hook.ran")).toMatchObject([{ outcome: "failed", detail: "it was cancelled" }]);
    expect(String(told)).toMatch(/cancelled/);
  });

  it("still lets PostToolUse take a secret out of what came in time", async () => {
    const stop = new AbortController();
    const tool = stopping(stop, {
      call: () => {
        stop.abort(cancelReason("interrupt"));
        return text("the secret", false);
      },
    });
    const { first } = await ran(
      tool,
      quiet,
      {
        hooks: {
          PostToolUse: [
            {
              hooks: [
                () => ({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "hidden" } }),
              ],
            },
          ],
        },
      },
      stop,
    );
    expect(textOf(first)).toBe("hidden");
  });
});
