import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject, ToolDefinition } from "../protocol/index.ts";
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

describe("before anything is decided", () => {
  it("says that there is no such tool, and names the nearest", async () => {
    const kit = await made({ tools: [makeTool("send")], context: bypass });
    expect(await kit.ask("sned")).toMatchObject({
      kind: "refuse",
      code: "no_such_tool",
      text: "No such tool: sned. Did you mean send?",
    });
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(await kit.ask(name)).toMatchObject({ code: "no_such_tool" });
    }
    const empty = await made({ tools: [] });
    expect(await empty.ask("send")).toMatchObject({ text: "No such tool: send." });
  });

  it("names the fields of an invalid input, and asks neither hook nor person", async () => {
    const never = throwing;
    const tool = makeTool("send", {
      parseInput: () => ({
        ok: false,
        issues: [
          { path: "to", message: "is required", expected: "string", got: "nothing" },
          { path: "", message: "has an unknown key" },
        ],
      }),
    });
    const kit = await made({ tools: [tool], hooks: { PreToolUse: [{ hooks: [never] }] }, canUseTool: never });
    expect(await kit.ask("send", { too: 1 })).toMatchObject({
      kind: "refuse",
      code: "invalid_input",
      input: { too: 1 },
      text: [
        "The input of send is not valid, so it did not run:",
        "- to: is required (expected string, got nothing)",
        "- the input: has an unknown key",
      ].join("\n"),
    });
    expect(kit.notes).toEqual([]);
  });

  it.each<[string, Partial<ToolDefinition>, RegExp]>([
    ["validateInput refuses", { validateInput: () => ({ ok: false, message: "too far" }) }, /too far/],
    ["validateInput throws", { validateInput: throwing }, /could not be validated: broken/],
    ["validateInput answers nothing", { validateInput: () => undefined as never }, /gave no answer/],
    ["the schema throws", { parseInput: throwing }, /could not be validated: broken/],
  ])("does not run a call whose %s", async (_, fields, text) => {
    const kit = await made({ tools: [makeTool("send", fields)], context: bypass });
    expect(await kit.ask("send")).toMatchObject({ code: "invalid_input", text: expect.stringMatching(text) });
  });

  it("does nothing after an abort, and ends every wait with one", async () => {
    const slow: Partial<ToolDefinition>[] = [
      { parseInput: () => new Promise(() => {}) },
      { validateInput: () => new Promise(() => {}) },
      { checkPermissions: () => new Promise(() => {}) },
    ];
    for (const fields of slow) {
      const kit = await made({ tools: [makeTool("send", fields)], context: bypass });
      const controller = new AbortController();
      const pending = kit.ask("send", {}, controller.signal);
      await new Promise(setImmediate);
      controller.abort();
      expect(await pending).toEqual({ kind: "cancelled" });
      expect(await kit.ask("send", {}, controller.signal)).toEqual({ kind: "cancelled" });
    }
  });
});

describe("a tool whose facts fail", () => {
  it.each<[string, Partial<ToolDefinition>]>([
    ["targets throws", { targets: throwing }],
    ["targets gives no list", { targets: () => "x" as never }],
    ["targets gives an unknown kind", { targets: () => [{ kind: "planet", value: "x" }] as never }],
    ["targets gives a path without access", { targets: () => [{ kind: "path", path: "x" }] as never }],
    ["requiresUserInteraction throws", { requiresUserInteraction: throwing }],
  ])("is asked about in every mode when %s", async (_, fields) => {
    const kit = await made({
      tools: [makeTool("send", fields)],
      context: bypass,
      rules: { allow: ["send"] },
    });
    expect(await kit.ask("send")).toMatchObject({ kind: "refuse", decision: { hard: true } });
  });

  it("is not taken for read-only or of low risk", async () => {
    const plan = await made({
      tools: [makeTool("look", { isReadOnly: throwing })],
      context: { mode: "plan" },
    });
    expect(await plan.ask("look")).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "planCeiling" } },
    });
    const risk = await made({ tools: [makeTool("look", { riskLevel: throwing })] });
    expect(await risk.ask("look")).toMatchObject({ kind: "refuse" });
    const low = await made({ tools: [makeTool("look", { riskLevel: () => "low" })] });
    expect(await low.ask("look")).toMatchObject({ kind: "run" });
  });
});

describe("where nobody can be asked", () => {
  it("denies and says so", async () => {
    const kit = await made({ tools: [makeTool("send")] });
    const verdict = await kit.ask("send");
    expect(verdict).toMatchObject({ kind: "refuse", decision: { reason: { type: "noApprover" } } });
    expect(verdict.kind === "refuse" && verdict.text).toMatch(/[Nn]obody could be asked/);
    const trace = verdict.kind === "refuse" ? (verdict.decision?.trace ?? []) : [];
    expect(trace.at(-1)).toMatchObject({ step: 6, outcome: "deny" });
  });

  it("denies in background work and in dontAsk, callback or not", async () => {
    const allow = (): { behavior: "allow" } => ({ behavior: "allow" });
    const back = await made({
      tools: [makeTool("send")],
      canUseTool: allow,
      context: { avoidPrompts: true },
    });
    expect(await back.ask("send")).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "noApprover" } },
    });
    const quiet = await made({ tools: [makeTool("send")], canUseTool: allow, context: { mode: "dontAsk" } });
    expect(await quiet.ask("send")).toMatchObject({ kind: "refuse", decision: { reason: { type: "mode" } } });
  });
});

describe("mode and rules", () => {
  const input: JsonObject = {};

  it("are read again after the person answered: a deny wins", async () => {
    const kit: GateKit = await made({
      tools: [makeTool("send")],
      canUseTool: () => {
        kit.holder.update(
          [{ type: "addRules", behavior: "deny", rules: [{ toolName: "send" }], destination: "session" }],
          "test",
        );
        return { behavior: "allow" };
      },
    });
    expect(await kit.ask("send", input)).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule" } },
    });
  });

  it("are read after the tool's check", async () => {
    const kit: GateKit = await made({
      tools: [
        makeTool("send", {
          checkPermissions: async () => {
            kit.holder.setMode("plan", "test");
            return { behavior: "allow" };
          },
        }),
      ],
    });
    expect(await kit.ask("send", input)).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "planCeiling" } },
    });
  });

  it("are looked at once more by confirm, which asks where it must", async () => {
    let asked = 0;
    const kit = await made({
      tools: [makeTool("send")],
      rules: { allow: ["send"] },
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow" };
      },
    });
    const scope = { signal: new AbortController().signal };
    const verdict = await kit.ask("send", input);
    if (verdict.kind !== "run") return expect.unreachable("it was refused");
    expect(kit.gate.isCurrent(verdict)).toBe(true);
    expect(await kit.gate.confirm(verdict, scope)).toBe(verdict);

    const rules = [{ toolName: "send" }];
    kit.holder.update([{ type: "removeRules", behavior: "allow", rules, destination: "cliArg" }], "test");
    expect(kit.gate.isCurrent(verdict)).toBe(false);
    const again = await kit.gate.confirm(verdict, scope);
    expect(again).toMatchObject({ kind: "run", asked: true });
    expect(asked).toBe(1);

    if (again.kind !== "run") return;
    kit.holder.setMode("acceptEdits", "test");
    expect(await kit.gate.confirm(again, scope)).toMatchObject({ kind: "run", asked: true });
    expect(asked).toBe(1);
    kit.holder.setMode("dontAsk", "test");
    expect(await kit.gate.confirm(again, scope)).toMatchObject({ kind: "refuse" });
  });
});
