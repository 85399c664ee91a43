import { describe, expect, it } from "vitest";
import type { RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { lintRules } from "./lint.ts";
import type { LintInput } from "./types.ts";

type Lists = Partial<Record<RuleBehavior, readonly string[]>>;

function rulesOf(lists: Lists): SourcedRule[] {
  return (["deny", "ask", "allow"] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text): SourcedRule => ({ text, behavior, source: "projectSettings" })),
  );
}

const WORLD_CODES = ["secret-behind-interpreter", "shadowed", "in-two-lists", "duplicate", "redundant"];

function told(lists: Lists, input: Partial<LintInput> = {}): string[] {
  return lintRules({ ...input, rules: rulesOf(lists) })
    .filter(({ code }) => WORLD_CODES.includes(code))
    .map(({ code, severity, list, rule }) => `${severity} ${code} ${list} ${rule}`);
}

describe("rules beside each other", () => {
  it.each<readonly [what: string, lists: Lists, findings: string[]]>([
    [
      "a narrow allow under a deny",
      { deny: ["Bash(git:*)"], allow: ["Bash(git log:*)"] },
      ["warning shadowed allow Bash(git log:*)"],
    ],
    [
      "under an ask",
      { ask: ["Bash(git *)"], allow: ["Bash(git log)"] },
      ["warning shadowed allow Bash(git log)"],
    ],
    ["under the tool", { deny: ["Bash"], allow: ["Bash(ls)"] }, ["warning shadowed allow Bash(ls)"]],
    ["under every tool", { deny: ["*"], allow: ["Bash(ls)"] }, ["warning shadowed allow Bash(ls)"]],
    [
      "without case in deny",
      { deny: ["bash(GIT:*)"], allow: ["Bash(git log)"] },
      ["warning shadowed allow Bash(git log)"],
    ],
    [
      "a path below",
      { deny: ["Read(src/**)"], allow: ["Read(src/a/*.ts)"] },
      ["warning shadowed allow Read(src/a/*.ts)"],
    ],
    [
      "a name anywhere",
      { deny: ["Read(.env)"], allow: ["Read(app/.env)"] },
      ["warning shadowed allow Read(app/.env)"],
    ],
    [
      "a path by another name",
      { deny: ["Edit(src/**)"], allow: ["Write(src/a)"] },
      ["warning shadowed allow Write(src/a)"],
    ],
    [
      "a tool of a server",
      { deny: ["mcp__shop"], allow: ["mcp__shop__buy"] },
      ["warning shadowed allow mcp__shop__buy"],
    ],
    [
      "a host",
      { deny: ["WebFetch(domain:*.x.org)"], allow: ["WebFetch(domain:a.x.org)"] },
      ["warning shadowed allow WebFetch(domain:a.x.org)"],
    ],
    ["an agent", { deny: ["Task(re*)"], allow: ["Agent(review)"] }, ["warning shadowed allow Agent(review)"]],
    [
      "a wide allow over a narrow deny is meant so",
      { deny: ["Bash(git push:*)"], allow: ["Bash(git:*)"] },
      [],
    ],
    ["another tool", { deny: ["Read"], allow: ["Read(src/**)", "Edit(src/**)"] }, []],
    ["a word that goes on", { deny: ["Bash(git:*)"], allow: ["Bash(gitk)"] }, []],
    ["two lists", { deny: ["Bash(rm:*)"], allow: ["Bash(rm *)"] }, ["warning in-two-lists allow Bash(rm *)"]],
    ["deny and ask", { deny: ["Bash(rm:*)"], ask: ["Bash(rm:*)"] }, ["info in-two-lists ask Bash(rm:*)"]],
    ["twice", { allow: ["Bash(ls:*)", "Bash(ls *)"] }, ["info duplicate allow Bash(ls:*)"]],
    [
      "covered in allow",
      { allow: ["Bash(git:*)", "Bash(git log:*)"] },
      ["info redundant allow Bash(git log:*)"],
    ],
    ["covered in deny", { deny: ["Read(**/*.pem)", "Read(a/b.pem)"] }, ["info redundant deny Read(a/b.pem)"]],
    [
      "not covered in allow by what allows nothing",
      { allow: ["mcp__*", "*", "mcp__shop__buy", "Bash(ls)"] },
      [],
    ],
    ["case tells in allow", { allow: ["Bash(GIT:*)", "Bash(git log)"] }, []],
    [
      "an interpreter beside a secret",
      { deny: ["Read(.env)"], allow: ["Bash(node:*)"] },
      ["warning secret-behind-interpreter allow Bash(node:*)"],
    ],
    [
      "a shell beside a secret",
      { deny: ["Read(~/.ssh/**)"], allow: ["Bash"] },
      ["warning secret-behind-interpreter allow Bash"],
    ],
    ["no secret", { deny: ["Read(dist/**)"], allow: ["Bash(node:*)"] }, []],
    ["a script", { deny: ["Read(.env)"], allow: ["Bash(node build.js)"] }, []],
  ])("%s", (_, lists, findings) => {
    expect(told(lists)).toEqual(findings);
  });

  it("trusts a sandbox to keep secrets", () => {
    expect(told({ deny: ["Read(.env)"], allow: ["Bash(node:*)"] }, { sandboxed: true })).toEqual([]);
  });

  it("takes no rule that ends one day for the cover of one that stays", () => {
    const rules = rulesOf({ allow: ["Bash(git log)"] });
    const wide: SourcedRule = { text: "Bash(git:*)", behavior: "allow", source: "session", expires: 9 };
    expect(lintRules({ rules: [...rules, wide] })).toEqual([]);
    expect(lintRules({ rules: [...rules, { ...wide, text: "Bash(git log)" }] })).toEqual([]);
  });

  it("is silent about a bare file deny where the shell is denied too", () => {
    expect(lintRules({ rules: rulesOf({ deny: ["Read", "Bash"] }) })).toEqual([]);
    expect(lintRules({ rules: rulesOf({ deny: ["Edit(.env)", "Read(.env)"] }) })).toEqual([]);
  });

  it("names the rule that outdoes another, and where it stands", () => {
    const deny: SourcedRule = {
      text: "Bash(git:*)",
      behavior: "deny",
      source: "userSettings",
      file: "~/.castellan/settings.json",
      position: 3,
    };
    const [finding] = lintRules({ rules: [deny, ...rulesOf({ allow: ["Bash(git log)"] })] });
    expect(finding?.message).toContain(
      "Bash(git:*) (deny, userSettings, ~/.castellan/settings.json, line 3)",
    );
  });
});
