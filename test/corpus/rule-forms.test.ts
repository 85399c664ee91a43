import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintRules } from "../../packages/sdk/src/permissions/index.ts";
import type { LintFinding } from "../../packages/sdk/src/permissions/index.ts";
import type { RuleBehavior } from "../../packages/sdk/src/protocol/index.ts";

// Rules and hook entries as people write them. `mistake` is what is wrong with a rule, `sure` that all would say so.

interface RuleForm {
  readonly rule: string;
  /** How often it was seen in each list. */
  readonly in: Partial<Record<RuleBehavior, number>>;
  readonly mistake: string | null;
  readonly sure: boolean;
}

interface HookForm {
  readonly event: string;
  readonly matcher: string | null;
  readonly timeouts: readonly number[];
  readonly types: readonly string[];
}

const { rules, hooks } = JSON.parse(
  readFileSync(new URL("./rule-forms.json", import.meta.url), "utf8"),
) as { readonly rules: readonly RuleForm[]; readonly hooks: readonly HookForm[] };

function findingsOf({ rule, in: lists }: RuleForm): readonly LintFinding[] {
  return (Object.keys(lists) as RuleBehavior[]).flatMap((behavior) =>
    lintRules({ rules: [{ text: rule, behavior, source: "projectSettings" }] }),
  );
}

function graver(findings: readonly LintFinding[]): readonly LintFinding[] {
  return findings.filter(({ severity }) => severity !== "info");
}

describe("rules as people write them", () => {
  const found = rules.map((form) => ({ form, findings: findingsOf(form) }));
  const mistakes = found.filter(({ form }) => form.mistake !== null && form.sure);
  const good = found.filter(({ form }) => form.mistake === null && form.sure);
  const missed = mistakes.filter(({ findings }) => graver(findings).length === 0);
  const scolded = good.filter(({ findings }) => findings.some(({ severity }) => severity === "error"));
  const warned = good.filter(({ findings }) => graver(findings).length > 0);

  it("are told of their mistakes, and left alone where they are good", () => {
    console.log(
      `${rules.length} rules: ${mistakes.length - missed.length} of ${mistakes.length} sure mistakes get a warning or error; ` +
        `of ${good.length} sure good rules ${scolded.length} get an error, ${warned.length} a warning`,
    );
    expect(rules.length).toBeGreaterThan(600);
    expect(missed.length).toBeLessThanOrEqual(mistakes.length * 0.05);
    expect(scolded.map(({ form }) => form.rule)).toEqual([]);
    expect(warned.map(({ form }) => form.rule)).toEqual([
      // An interpreter by its path, launchers and a wrapper with anything behind them.
      "Bash(/usr/bin/node:*)",
      // An assignment that can make git run a program: no rule covers it.
      "Bash(GIT_ASKPASS=echo git push:*)",
      "Bash(conda run *)",
      // The head of a loop is no command.
      "Bash(for img in night-sky.webp circuit-board-city.webp motorcycle-night.webp)",
      "Bash(mise exec:*)",
      "Bash(op run *)",
      "Bash(source /dev/stdin:*)",
      "Bash(time:*)",
    ]);
  });

  it.each(mistakes.map(({ form, findings }) => [form.rule, form.mistake, findings] as const))(
    "%s (%s)",
    (_, mistake, findings) => {
      expect(graver(findings).map(({ code }) => code)).toContain(CODE_OF[mistake ?? ""]);
    },
  );

  it("have a finding for each hook that never runs", () => {
    const never = hooks.filter((form) => lintHook(form).some(({ severity }) => severity !== "info"));
    expect(hooks).toHaveLength(79);
    const ofTools = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
    const others = ["UserPromptSubmit", "Stop", "Notification", "PreCompact", "PostCompact"];
    const unfired = hooks.filter(({ event }) => ![...ofTools, ...others].includes(event));
    expect(never).toEqual(expect.arrayContaining([...unfired]));
    const fired = never.filter((form) => !unfired.includes(form));
    expect(fired.filter(({ event }) => ofTools.includes(event))).toEqual([
      { event: "PreToolUse", matcher: "mcp__", timeouts: [], types: ["command"] },
    ]);
    // What waits in the inbox is no kind of notification that people match by.
    const matched = fired.filter(({ event }) => others.includes(event));
    expect(new Set(matched.map(({ event, matcher }) => `${event} ${matcher}`))).toEqual(
      new Set([
        "Notification elicitation_dialog",
        "Notification idle_prompt",
        "Notification permission_prompt",
        "PreCompact auto",
      ]),
    );
  });
});

/** What each mistake is called here. */
const CODE_OF: Readonly<Record<string, string>> = {
  "allows-everything": "allows-everything",
  "interpreter-allowed": "interpreter",
  "launcher-allowed": "launcher",
  negation: "negation",
  "operator-in-rule": "operator",
  "shell-fragment": "shell-fragment",
  "single-slash-absolute": "single-slash",
  "space-around-prefix-star": "space-around-star",
  "space-in-glob": "space-in-glob",
  "text-after-paren": "text-after-paren",
};

function lintHook({ event, matcher, timeouts, types }: HookForm): readonly LintFinding[] {
  const entry = {
    ...(matcher === null ? {} : { matcher }),
    hooks: types.map((type, index) => ({ type, command: "x", ...(timeouts[index] === undefined ? {} : { timeout: timeouts[index] }) })),
  };
  return lintRules({ rules: [], hooks: [{ value: { [event]: [entry] }, source: "projectSettings" }] });
}
