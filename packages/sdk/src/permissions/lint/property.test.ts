import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { parseRule } from "../rule/parse.ts";
import { answer, bashCall, fileCall } from "../test-kit.ts";
import { lintRules } from "./lint.ts";
import type { LintFinding } from "./types.ts";

const RUNS = { numRuns: Number(process.env.CASTELLAN_RUNS ?? 200) };

const tools = fc.constantFrom(
  "Bash",
  "bash",
  "Read",
  "Write",
  "Edit",
  "WebFetch",
  "Agent",
  "mcp__a",
  "Nope",
  " ",
);
const bits = fc.constantFrom(
  ..."( ) * :* ** / // ! ~ \\ ' \" $ & | > ; \u00a0 \u201c - -rf rm git push :80 localhost /home/me .env".split(
    " ",
  ),
  " ",
  "  ",
);
const specifiers = fc.array(bits, { maxLength: 8 }).map((parts) => parts.join(""));
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .tuple(tools, specifiers, fc.constantFrom("", "", "", " ", "*", ")"))
    .map(([tool, inner, tail]) => `${tool}(${inner})${tail}`),
);
const behaviors = fc.constantFrom<RuleBehavior>("allow", "deny", "ask");
// Rules that would bind one of the calls below, but for a slip.
const slips = fc
  .tuple(
    fc.constantFrom(
      ..."git,git push,rm,rm -rf,curl http://localhost,cat .env,.env,/home/me/.env,a/.env".split(","),
    ),
    fc.constantFrom("", "", ":*", " *", " :*", ": *", ":* ", "*", " "),
    fc.constantFrom("", "", " ", "\u00a0"),
  )
  .map(([start, end, blank]) => blank + start + end);
const rules = fc.record<SourcedRule>({
  text: texts,
  behavior: behaviors,
  source: fc.constantFrom("projectSettings", "userSettings", "policySettings", "session"),
});

function lint(rule: SourcedRule): readonly LintFinding[] {
  return lintRules({ rules: [rule] });
}

const sorted = (findings: readonly LintFinding[]): string[] =>
  findings.map((finding) => JSON.stringify(finding)).sort();

describe("lint of any text", () => {
  it("never throws, and gives the same whatever the order", () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 12 }), fc.anything(), (list, value) => {
        const hooks = [{ value, source: "userSettings" as const }];
        const findings = lintRules({ rules: list, hooks });
        expect(sorted(lintRules({ rules: [...list].reverse(), hooks }))).toEqual(sorted(findings));
      }),
      RUNS,
    );
  });

  it("offers only rules that can be read and are clean of what was found", () => {
    fc.assert(
      fc.property(rules, (rule) => {
        for (const { code, fix } of lint(rule)) {
          if (fix === undefined) continue;
          expect(parseRule(fix)).not.toHaveProperty("error");
          expect(lint({ ...rule, text: fix }).map((each) => each.code)).not.toContain(code);
        }
      }),
      RUNS,
    );
  });

  it("writes by itself nothing that loosens", () => {
    const lines = [
      "git push",
      "git push -f",
      "rm -rf x",
      "curl http://localhost:80/x",
      "cat .env",
      "git  push",
    ];
    const calls = [
      ...lines.map((line) => bashCall(line)),
      ...[".env", "/home/me/.env", "a/.env", "home/me/.env"].map((path) => fileCall("Read", path)),
    ];
    let tried = 0;
    fc.assert(
      fc.property(
        fc.oneof(specifiers, slips, slips),
        fc.oneof(tools, fc.constantFrom("Bash", "bash", "Read", "read")),
        fc.constantFrom<RuleBehavior>("deny", "ask", "allow"),
        (inner, tool, behavior) => {
          const text = `${tool}(${inner})`;
          for (const { fix, apply, list } of lint({ text, behavior, source: "session" })) {
            if (apply === undefined || fix === undefined) continue;
            expect(list).not.toBe("allow");
            const after = apply === "add" ? [text, fix] : [fix];
            for (const call of calls) {
              if (answer(call, { allow: ["Bash", "Read"], [behavior]: [text] }) === "allow") continue;
              tried += 1;
              expect(answer(call, { allow: ["Bash", "Read"], [behavior]: after })).not.toBe("allow");
            }
          }
        },
      ),
      RUNS,
    );
    // Of the rules that are written by themselves some bind what is called here.
    expect(tried).toBeGreaterThan(0);
  });
});
