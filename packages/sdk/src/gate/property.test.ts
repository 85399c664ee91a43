import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../permissions/index.ts";
import type { CanUseTool, CheckAnswer, HookCallback } from "../protocol/index.ts";
import { PERMISSION_MODES } from "../protocol/index.ts";
import { gateKit, makeTool } from "./test-kit.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);

const names = ["anna", "berta", "carla"] as const;
const rule = fc.constantFrom("send", ...names.map((name) => `send(${name})`), "send(b*)", "*", "other");
const rules = fc.record({
  allow: fc.array(rule, { maxLength: 2 }),
  deny: fc.array(rule, { maxLength: 1 }),
  ask: fc.array(rule, { maxLength: 2 }),
});
const name = fc.constantFrom(...names);
const check = fc.constantFrom<CheckAnswer | "throws" | undefined>(
  undefined,
  "throws",
  { behavior: "allow" },
  { behavior: "deny" },
  { behavior: "ask" },
  { behavior: "ask", kept: true },
  { behavior: "passthrough", updatedInput: { to: "berta" } },
  { behavior: "allow", updatedInput: { to: "carla" } },
);
const hook = fc.constantFrom<unknown>(
  {},
  "nonsense",
  ...["allow", "ask", "deny"].map((permissionDecision) => specific({ permissionDecision })),
  specific({ updatedInput: { to: "carla" } }),
);
const answer = fc.constantFrom<unknown>(
  "nobody",
  "nonsense",
  { behavior: "allow" },
  { behavior: "deny", message: "no" },
  { behavior: "allow", updatedInput: { to: "carla" } },
  { behavior: "allow", updatedInput: { to: 5 } },
);
const request = fc.constantFrom<unknown>(
  {},
  {},
  "nonsense",
  ...[
    { behavior: "allow" },
    { behavior: "allow", updatedInput: { to: "carla" } },
    { behavior: "allow", updatedInput: { to: 5 } },
    { behavior: "deny" },
  ].map((decision) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })),
);
const mode = fc.constantFrom(...PERMISSION_MODES);

function specific(more: object): unknown {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...more } };
}

describe("the gate (property)", () => {
  it("lets nothing run that decide() denies, nor asks about without the yes of a person or of a hook in their stead", async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ...{ rules, name, check, hook, request, answer, mode },
          ...{ everyCall: fc.boolean(), low: fc.boolean() },
        }),
        async (row) => {
          let yes = false;
          const tool = makeTool("send", {
            riskLevel: () => (row.low ? "low" : "high"),
            targets: (input) => [{ kind: "name", value: String(input.to) }],
            validateInput: (input) =>
              typeof input.to === "string" ? { ok: true } : { ok: false, message: "no text" },
            ...(row.check === undefined
              ? {}
              : {
                  hasCheck: true,
                  checkPermissions: () => {
                    if (row.check === "throws") throw new Error("check");
                    return row.check as CheckAnswer;
                  },
                }),
          });
          const canUseTool = (): unknown => {
            yes = (row.answer as { behavior?: unknown }).behavior === "allow";
            return row.answer;
          };
          const kit = await gateKit({
            tools: [tool],
            rules: row.rules,
            context: { mode: row.mode, isBypassAvailable: row.mode === "bypassPermissions" },
            hooks: {
              PreToolUse: [{ hooks: [(() => row.hook) as HookCallback] }],
              PermissionRequest: [{ hooks: [(() => row.request) as HookCallback] }],
            },
            deps: { canUseToolScope: row.everyCall ? "every-call" : "ask" },
            ...(row.answer === "nobody" ? {} : { canUseTool: canUseTool as CanUseTool }),
          });
          const verdict = await kit.ask("send", { to: row.name });
          await kit.remove();
          outcomes.add(verdict.kind);
          expect(verdict.kind).not.toBe("cancelled");
          if (verdict.kind !== "run") return;

          const { basis, input, facts, targets } = verdict;
          const { hooks } = basis.prepared;
          const again = decide(
            { tool: facts, input, targets, check: basis.check, hooks },
            kit.holder.current().policy,
            0,
          );
          expect(targets).toEqual([{ kind: "name", value: input.to }]);
          expect(again.behavior).not.toBe("deny");
          const byHook = verdict.hookAnswered === true;
          if (byHook) expect(JSON.stringify(row.request)).toContain('"behavior":"allow"');
          else if (again.behavior === "ask") expect([yes, verdict.asked]).toEqual([true, true]);
          const answered = row.everyCall && row.answer !== "nobody" ? yes : true;
          expect(answered).toBe(true);
        },
      ),
      { numRuns: runs },
    );
    expect([...outcomes].sort()).toEqual(["refuse", "run"]);
  });
});
