import { afterEach, describe, expect, it } from "vitest";
import type { Platform } from "../platform/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type { HookCallback, ToolDefinition } from "../protocol/index.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

async function made(options: GateKitOptions): Promise<GateKit> {
  const kit = await gateKit(options);
  kits.push(kit);
  return kit;
}

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const throwing = (): never => {
  throw new Error("broken");
};

describe("PreToolUse hooks", () => {
  const hooks = (callback: HookCallback<"PreToolUse">): NonNullable<GateKitOptions["hooks"]> => ({
    PreToolUse: [{ matcher: "send", hooks: [callback] }],
  });
  const says =
    (permissionDecision: "allow" | "deny" | "ask"): HookCallback =>
    () => ({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision,
        permissionDecisionReason: "the hook's reason",
        additionalContext: "by the way",
      },
    });

  it("fire with the call, and their runs are recorded", async () => {
    const seen: unknown[] = [];
    const kit = await made({
      tools: [makeTool("send")],
      hooks: hooks((input, id) => {
        seen.push(input.hook_event_name, input.tool_name, input.tool_input, input.permission_mode, id);
        return {};
      }),
    });
    await kit.ask("send", { a: 1 });
    expect(seen).toEqual(["PreToolUse", "send", { a: 1 }, "default", "call_1"]);
    expect(kit.of("hook.ran")).toMatchObject([{ callId: "call_1", outcome: "no_opinion" }]);
  });

  it("fire for an alias that the matcher names", async () => {
    const kit = await made({
      tools: [makeTool("post", { aliases: ["send"] })],
      context: bypass,
      hooks: hooks(says("deny")),
    });
    expect(await kit.ask("post")).toMatchObject({ kind: "refuse" });
  });

  it("allow what is open, and hand their context on", async () => {
    const kit = await made({ tools: [makeTool("send")], hooks: hooks(says("allow")) });
    expect(await kit.ask("send")).toMatchObject({ kind: "run", hookContexts: ["by the way"] });
  });

  it("do not lift a deny or an ask rule", async () => {
    const denied = await made({
      tools: [makeTool("send")],
      hooks: hooks(says("allow")),
      rules: { deny: ["send"] },
    });
    expect(await denied.ask("send")).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule" } },
    });
    const asked = await made({
      tools: [makeTool("send")],
      hooks: hooks(says("allow")),
      rules: { ask: ["send"] },
    });
    expect(await asked.ask("send")).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "noApprover" } },
    });
  });

  it("deny and ask in every mode", async () => {
    const denied = await made({ tools: [makeTool("send")], hooks: hooks(says("deny")), context: bypass });
    expect(await denied.ask("send")).toMatchObject({
      kind: "refuse",
      text: expect.stringContaining("the hook's reason"),
      hookContexts: ["by the way"],
    });
    const asked = await made({ tools: [makeTool("send")], hooks: hooks(says("ask")), context: bypass });
    expect(await asked.ask("send")).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "noApprover" } },
    });
  });

  it("that fail make it a question, also in bypass", async () => {
    const kit = await made({ tools: [makeTool("send")], hooks: hooks(throwing), context: bypass });
    expect(await kit.ask("send")).toMatchObject({ kind: "refuse" });
    expect(kit.notes.join()).toMatch(/hooks.PreToolUse\[0\].hooks\[0\] failed: it threw: broken/);
  });

  it("end the run without the call", async () => {
    const kit = await made({
      tools: [makeTool("send")],
      context: bypass,
      hooks: hooks(() => ({ continue: false, stopReason: "enough" })),
    });
    expect(await kit.ask("send")).toMatchObject({
      kind: "refuse",
      code: "denied",
      stop: { reason: "enough" },
    });
  });
});

describe("the tool's check", () => {
  const checked = (checkPermissions: ToolDefinition["checkPermissions"]): ToolDefinition =>
    makeTool("send", { checkPermissions });

  it.each<[string, ToolDefinition["checkPermissions"], RegExp]>([
    ["throws", throwing, /threw: broken/],
    ["rejects", () => Promise.reject(new Error("later")), /threw: later/],
    ["answers nothing", () => undefined as never, /no object/],
    ["answers nonsense", () => ({ behavior: "yes" }) as never, /none of allow, deny/],
    [
      "gives a message that is none",
      () => ({ behavior: "allow", message: 1 }) as never,
      /message is no text/,
    ],
    ["gives an input that is none", () => ({ behavior: "allow", updatedInput: [] }) as never, /no object/],
    ["marks nonsense", () => ({ behavior: "ask", kept: "yes" }) as never, /kept/],
    ["suggests nonsense", () => ({ behavior: "ask", suggestions: [1] }) as never, /suggestions\[0\]/],
  ])("that %s is a question in every mode and under every allow", async (_, check, why) => {
    const kit = await made({ tools: [checked(check)], context: bypass, rules: { allow: ["send"] } });
    const verdict = await kit.ask("send");
    expect(verdict).toMatchObject({
      kind: "refuse",
      decision: { hard: true, reason: { type: "noApprover" } },
    });
    expect(verdict.kind === "refuse" && verdict.text).toMatch(why);
  });

  it("that is slow is a question after ten seconds", async () => {
    const plain = nodePlatform();
    const limits: number[] = [];
    const platform: Platform = {
      ...plain,
      clock: {
        ...plain.clock,
        timer: (ms, fire, idle) => {
          limits.push(ms);
          return plain.clock.timer(0, fire, idle);
        },
      },
    };
    const kit = await made({ tools: [checked(() => new Promise(() => {}))], context: bypass, platform });
    expect(await kit.ask("send")).toMatchObject({
      kind: "refuse",
      text: expect.stringMatching(/within 10 s/),
    });
    expect(limits).toEqual([10_000]);
  });

  it("that throws an AbortError cancels the call", async () => {
    const kit = await made({
      tools: [
        checked(() => {
          throw Object.assign(new Error("gone"), { name: "AbortError" });
        }),
      ],
      context: bypass,
    });
    expect(await kit.ask("send")).toEqual({ kind: "cancelled" });
  });

  it("denies in every mode, and its kept ask asks in every mode", async () => {
    const deny = await made({
      tools: [checked(() => ({ behavior: "deny", message: "no" }))],
      context: bypass,
    });
    expect(await deny.ask("send")).toMatchObject({ kind: "refuse", decision: { reason: { type: "tool" } } });
    const kept = await made({ tools: [checked(() => ({ behavior: "ask", kept: true }))], context: bypass });
    expect(await kept.ask("send")).toMatchObject({ kind: "refuse" });
    const plain = await made({ tools: [checked(() => ({ behavior: "ask" }))], context: bypass });
    expect(await plain.ask("send")).toMatchObject({ kind: "run" });
  });
});
