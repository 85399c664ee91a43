import { afterEach, describe, expect, it } from "vitest";
import type {
  CanUseTool,
  HookCallback,
  HookMatcher,
  JsonObject,
  PermissionUpdate,
} from "../protocol/index.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

interface Asked {
  readonly kit: GateKit;
  /** The inputs that the hooks and the person were shown. */
  readonly shown: JsonObject[];
  readonly persons: JsonObject[];
}

type Answer = object | (() => unknown);

/** A gate with one PermissionRequest hook, and by default nobody else to ask. */
async function asked(answer: Answer, options: GateKitOptions = {}): Promise<Asked> {
  const shown: JsonObject[] = [];
  const persons: JsonObject[] = [];
  const entry: HookMatcher<"PermissionRequest"> = {
    hooks: [
      (input) => {
        shown.push(input.tool_input);
        return (typeof answer === "function" ? answer() : says(answer)) as object;
      },
    ],
  };
  const { canUseTool } = options;
  const watched: CanUseTool | undefined =
    canUseTool &&
    ((name, input, context) => {
      persons.push(input);
      return canUseTool(name, input, context);
    });
  const kit = await gateKit({
    tools: [makeTool("send")],
    hooks: { PermissionRequest: [entry] },
    ...options,
    ...(watched === undefined ? {} : { canUseTool: watched }),
  });
  kits.push(kit);
  return { kit, shown, persons };
}

const says = (decision: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
const allow = { behavior: "allow" };
const yes: CanUseTool = () => ({ behavior: "allow" });
const no: CanUseTool = () => ({ behavior: "deny", message: "the person says no" });
const writer = (path: (input: JsonObject) => string) =>
  makeTool("send", {
    targets: (input) => [{ kind: "path", access: "write", path: path(input) }],
  });

describe("a PermissionRequest hook", () => {
  it("allows in the person's stead, where nobody else could be asked too", async () => {
    const alone = await asked(allow);
    expect(await alone.kit.ask("send", { a: 1 })).toMatchObject({
      ...{ kind: "run", asked: false, hookAnswered: true, input: { a: 1 } },
      decision: { behavior: "allow", reason: { type: "hook", detail: expect.stringMatching(/hooks\[0\]/) } },
    });
    expect(alone.shown).toEqual([{ a: 1 }]);
    expect(alone.kit.of("hook.ran")).toMatchObject([
      { event: "PermissionRequest", callId: "call_1", outcome: "allow" },
    ]);
    const before = await asked(allow, { canUseTool: no });
    expect(await before.kit.ask("send")).toMatchObject({ kind: "run" });
    expect(before.persons).toEqual([]);
  });

  it("answers the question of an ask rule, and of a PreToolUse hook", async () => {
    const rule = await asked(allow, { rules: { ask: ["send"] } });
    expect(await rule.kit.ask("send")).toMatchObject({ kind: "run" });
    const hook = await asked(allow, {
      hooks: {
        PreToolUse: [{ hooks: [() => ({ decision: "approve" }), () => 7 as never] }],
        PermissionRequest: [{ hooks: [() => says(allow) as never] }],
      },
    });
    expect(await hook.kit.ask("send")).toMatchObject({ kind: "run" });
  });

  it("denies with its message, and may end the turn", async () => {
    const plain = await asked({ behavior: "deny", message: "no way" }, { canUseTool: yes });
    const verdict = await plain.kit.ask("send");
    expect(verdict).toMatchObject({
      ...{ kind: "refuse", code: "denied", text: "no way", asked: true },
      decision: { behavior: "deny", reason: { type: "hook" } },
    });
    expect(verdict).not.toHaveProperty("interrupt");
    expect(plain.persons).toEqual([]);
    const ending = await asked({ behavior: "deny", message: "m", interrupt: true });
    expect(await ending.kit.ask("send")).toMatchObject({ kind: "refuse", interrupt: true });
  });

  it("may end the run", async () => {
    const { kit } = await asked(() => ({ continue: false, stopReason: "enough" }), { canUseTool: yes });
    expect(await kit.ask("send")).toMatchObject({
      kind: "refuse",
      stop: { reason: "enough" },
      decision: { behavior: "deny", reason: { type: "hook" } },
    });
  });

  it.each<readonly [string, Answer]>([
    ["has no opinion", () => ({})],
    ["throws", () => Promise.reject(new Error("broken"))],
    ["answers garbage", () => "allow"],
    ["answers for another event", () => ({ hookSpecificOutput: { hookEventName: "PreToolUse" } })],
    ["allows with an input that does not fit", { behavior: "allow", updatedInput: { a: "bad" } }],
    [
      "allows with updates that cannot be applied",
      {
        behavior: "allow",
        updatedPermissions: [{ type: "setMode", mode: "yolo", destination: "session" }],
      },
    ],
  ])("that %s leaves the question to the person", async (_, answer) => {
    const tools = [
      makeTool("send", {
        parseInput: (value) => {
          const input = value as JsonObject;
          return input.a === "bad"
            ? { ok: false, issues: [{ path: "a", message: "is bad" }] }
            : { ok: true, input };
        },
      }),
    ];
    const denied = await asked(answer, { tools, canUseTool: no });
    expect(await denied.kit.ask("send", { a: 1 })).toMatchObject({
      kind: "refuse",
      text: "the person says no",
    });
    expect(denied.persons).toEqual([{ a: 1 }]);
    const nobody = await asked(answer, { tools });
    expect(await nobody.kit.ask("send", { a: 1 })).toMatchObject({
      decision: { reason: { type: "noApprover" } },
    });
  });

  it("is not asked about what is settled: deny rules, allow rules, mode dontAsk", async () => {
    const cases: readonly (readonly [GateKitOptions, string])[] = [
      [{ rules: { deny: ["send"] } }, "refuse"],
      [{ rules: { allow: ["send"] } }, "run"],
      [{ context: { mode: "dontAsk" } }, "refuse"],
      [{ context: { mode: "plan" } }, "refuse"],
    ];
    for (const [options, kind] of cases) {
      const { kit, shown } = await asked(allow, options);
      expect([options, (await kit.ask("send")).kind]).toEqual([options, kind]);
      expect(shown).toEqual([]);
    }
  });

  it("comes before background work is refused", async () => {
    const context = { avoidPrompts: true };
    expect(await (await asked(allow, { context })).kit.ask("send")).toMatchObject({ kind: "run" });
    const open = await asked(() => ({}), { context, canUseTool: yes });
    expect(await open.kit.ask("send")).toMatchObject({ decision: { reason: { type: "noApprover" } } });
    expect(open.persons).toEqual([]);
  });

  it("does not answer a safety check, also one behind another question; the person does", async () => {
    const rows: readonly GateKitOptions[] = [
      {},
      { rules: { ask: ["send"] } },
      { rules: { ask: ["Edit(.git/**)"] } },
      { context: { brokenSettings: "/x/settings.json" } },
    ];
    for (const row of rows) {
      const options = { ...row, tools: [writer(() => ".git/config")] };
      const alone = await asked(allow, options);
      expect(await alone.kit.ask("send")).toMatchObject({ kind: "refuse" });
      expect(alone.shown).toHaveLength(1);
      expect(alone.kit.notes.join()).toMatch(/safety check/);
      const person = await asked(allow, { ...options, canUseTool: yes });
      expect(await person.kit.ask("send")).toMatchObject({ kind: "run", asked: true });
      const denying = await asked({ behavior: "deny", message: "no" }, { ...options, canUseTool: yes });
      expect(await denying.kit.ask("send")).toMatchObject({ kind: "refuse", text: "no" });
    }
  });

  it("has its rewrite validated and decided again", async () => {
    const rewrite = (to: string) => ({ behavior: "allow", updatedInput: { to } });
    const tools = [writer((input) => String(input.to))];
    const fine = await asked(rewrite("b.txt"), { tools });
    expect(await fine.kit.ask("send", { to: "a.txt" })).toMatchObject({
      kind: "run",
      input: { to: "b.txt" },
      decision: { updatedInput: { to: "b.txt" } },
    });
    const denied = await asked(rewrite("b.txt"), {
      tools,
      rules: { deny: ["Edit(b.txt)"] },
      canUseTool: yes,
    });
    expect(await denied.kit.ask("send", { to: "a.txt" })).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule" } },
    });
    // A question that the rewrite raises is for the person, who sees the rewrite.
    for (const [to, rules] of [
      ["b.txt", { ask: ["Edit(b.txt)"] }],
      [".git/config", {}],
    ] as const) {
      const raised = await asked(rewrite(to), { tools, rules, canUseTool: yes });
      expect(await raised.kit.ask("send", { to: "a.txt" })).toMatchObject({ kind: "run", asked: true });
      expect(raised.persons).toEqual([{ to }]);
      const alone = await asked(rewrite(to), { tools, rules });
      expect(await alone.kit.ask("send", { to: "a.txt" })).toMatchObject({ kind: "refuse", input: { to } });
    }
  });

  it("remembers what it says, for the calls behind it", async () => {
    const rules = [{ toolName: "send" }];
    const updatedPermissions = [{ type: "addRules", rules, behavior: "allow", destination: "session" }];
    const { kit, shown } = await asked({ behavior: "allow", updatedPermissions });
    expect(await kit.ask("send")).toMatchObject({ kind: "run" });
    expect(await kit.ask("send")).toMatchObject({ kind: "run", decision: { reason: { type: "rule" } } });
    expect(shown).toHaveLength(1);
    expect(kit.of("rules.changed")).toMatchObject([{ by: "PermissionRequest hook" }]);
  });

  it("is shown what may be remembered, in a copy; nothing where the call cannot be undone", async () => {
    const offer = [expect.objectContaining({ type: "addRules", behavior: "allow" })];
    for (const [isDestructive, shown] of [
      [false, offer],
      [true, []],
    ] as const) {
      const seen: unknown[] = [];
      const take = (suggestions: readonly PermissionUpdate[]): void => {
        seen.push([...suggestions]);
        (suggestions as PermissionUpdate[]).length = 0;
      };
      const hook: HookCallback<"PermissionRequest"> = async (input) => {
        take(input.permission_suggestions);
        return {};
      };
      const kit = await gateKit({
        tools: [makeTool("send", { isDestructive: () => isDestructive })],
        hooks: { PermissionRequest: [{ hooks: [hook, hook] }] },
        canUseTool(_name, _input, context) {
          take(context.suggestions);
          return { behavior: "deny", message: "no" };
        },
      });
      kits.push(kit);
      const verdict = await kit.ask("send");
      expect(seen).toEqual([shown, shown, shown]);
      expect(verdict.kind === "refuse" && verdict.decision?.suggestions).toEqual(shown);
    }
  });

  it("in scope every-call the person hears of its allow too", async () => {
    const deps = { canUseToolScope: "every-call" } as const;
    const { kit, persons } = await asked(allow, { deps, canUseTool: no });
    expect(await kit.ask("send")).toMatchObject({ kind: "refuse", text: "the person says no" });
    expect(persons).toHaveLength(1);
  });

  it("is asked anew where rules changed before the call ran", async () => {
    const { kit, shown } = await asked(allow);
    const verdict = await kit.ask("send");
    if (verdict.kind !== "run") throw new Error("it did not run");
    kit.holder.update(
      [{ type: "addRules", rules: [{ toolName: "send" }], behavior: "ask", destination: "session" }],
      "test",
    );
    const scope = { signal: new AbortController().signal };
    expect(await kit.gate.confirm(verdict, scope)).toMatchObject({ kind: "run", hookAnswered: true });
    expect(shown).toHaveLength(2);
  });

  it("is left when the run is stopped", async () => {
    const stop = new AbortController();
    const { kit } = await asked(() => {
      stop.abort();
      return new Promise(() => {});
    });
    expect(await kit.ask("send", {}, stop.signal)).toEqual({ kind: "cancelled" });
  });
});

describe("a PreToolUse hook with an `if`", () => {
  const says = (permissionDecision: "allow" | "deny") => () => ({
    hookSpecificOutput: { hookEventName: "PreToolUse" as const, permissionDecision },
  });
  const conditional = async (decision: "allow" | "deny", condition: string, to: string) => {
    const entry = { if: condition, hooks: [says(decision)] };
    const made = await gateKit({
      tools: [writer((input) => String(input.to))],
      hooks: { PreToolUse: [entry] },
    });
    kits.push(made);
    return made.ask("send", { to });
  };

  it("has what the call touches looked up once for all conditions, and again for the decision", async () => {
    const looks = async (...conditions: string[]): Promise<number> => {
      let count = 0;
      const targets = () => {
        count += 1;
        return [{ kind: "path", access: "write", path: "a.ts" }] as const;
      };
      const made = await gateKit({
        tools: [makeTool("send", { targets })],
        hooks: {
          PreToolUse: [
            ...conditions.map((rule) => ({ if: rule, hooks: [says("deny")] })),
            { hooks: [() => ({})] },
          ],
        },
      });
      kits.push(made);
      expect(await made.ask("send")).toMatchObject({ kind: "refuse" });
      return count;
    };
    expect(await looks()).toBe(1);
    expect(await looks("Edit(*.ts)", "Edit(*.js)", "Edit")).toBe(2);
  });

  it("runs for the calls that the rule speaks of", async () => {
    expect(await conditional("deny", "Edit(*.ts)", "a.ts")).toMatchObject({
      decision: { reason: { type: "hook" } },
    });
    expect(await conditional("deny", "Edit(*.ts)", "a.js")).toMatchObject({
      decision: { reason: { type: "noApprover" } },
    });
    expect(await conditional("allow", "Edit(*.ts)", "a.ts")).toMatchObject({ kind: "run" });
    expect(await conditional("allow", "Edit(*.ts)", "a.js")).toMatchObject({ kind: "refuse" });
  });
});
