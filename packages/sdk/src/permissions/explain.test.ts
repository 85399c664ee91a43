import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import type { SourcedRule } from "../protocol/index.ts";
import { explainDecision } from "./explain.ts";
import { matchRule } from "./match-rule.ts";
import { bashCall, contextOf, decided, fileCall, rule } from "./test-kit.ts";

const DENY: SourcedRule = {
  ...rule("Bash(git push:*)", "deny", "projectSettings"),
  file: ".castellan/settings.json",
  position: 7,
};

describe("explainDecision", () => {
  it("tells which rule on which part settled a call, and where it stands", () => {
    const text = explainDecision(decided(bashCall("ls && git -C x push"), contextOf({}, { rules: [DENY] })));
    expect(text.split("\n")[0]).toMatch(/^deny: Bash is denied/);
    expect(text).toContain("sub-command: git -C x push");
    expect(text).toContain("rule: deny Bash(git push:*) (projectSettings, .castellan/settings.json, line 7)");
    expect(text).toContain("step 1 (deny): deny rule on a target -> deny");
    expect(text).toContain("only without the rule Bash(git push:*)");
  });

  it("tells which rule would settle a question", () => {
    const text = explainDecision(decided(bashCall("npm test"), contextOf()));
    expect(text).toContain("would be allowed by: Bash(npm test:*)");
    expect(explainDecision(decided(bashCall("npm test"), contextOf({ ask: ["Bash"] })))).toContain(
      "only without the rule Bash",
    );
    expect(explainDecision(decided(bashCall("node x.js"), contextOf()))).toContain("no rule is offered");
  });

  it("tells what stands behind a mode that asks nobody", () => {
    const decision = decided(bashCall("npm test"), contextOf({}, { mode: "dontAsk" }));
    expect(decision.message).toContain("dontAsk asks nobody");
    expect(decision.trace.at(-1)).toMatchObject({ step: 6, outcome: "deny" });
    expect(explainDecision(decision)).toContain("would be allowed by: Bash(npm test:*)");
  });

  it("tells the way out of plan mode", () => {
    expect(decided(fileCall("Write", "a"), contextOf({}, { mode: "plan" })).message).toContain(
      "ExitPlanMode",
    );
  });

  it("says that a call cannot be undone", () => {
    expect(decided(bashCall("npm test", { destructive: true }), contextOf()).message).toContain(
      "cannot be undone",
    );
  });

  it("keeps to 12 lines of 100 columns, whatever is asked", () => {
    const long = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "x".repeat(80), ";", "$X"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(long, long, (line, own) => {
        const rules = [{ ...DENY, text: `Bash(${own})`, reason: own }, rule(`Bash(${line})`, "ask")];
        for (const call of [bashCall(line), bashCall(own), fileCall("Write", own)]) {
          const lines = explainDecision(decided(call, contextOf({}, { rules }))).split("\n");
          expect(lines.length).toBeLessThanOrEqual(12);
          expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("matchRule", () => {
  it.each([
    [rule("Bash(git push:*)", "deny"), "ls && git push", true],
    [rule("Bash(git push:*)", "deny"), "git pull", false],
    [rule("Bash(npm test)", "allow"), "npm test && rm x", true],
    [rule("Bash(npm test)", "allow"), "ls", false],
    [rule("Bash", "allow"), "rm x", true],
    [rule("Read(.env)", "ask"), "cat .env", true],
    [{ ...rule("Bash", "deny"), expires: 1 }, "ls", true],
    [rule("Bash(oops", "allow"), "ls", false],
  ])("%j on %s: %s", (own, line, want) => {
    expect(matchRule(own, bashCall(line), contextOf())).toBe(want);
  });
});
