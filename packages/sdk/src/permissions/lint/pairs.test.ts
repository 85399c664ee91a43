import { describe, expect, it } from "vitest";
import type { RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { lintRules } from "./lint.ts";

const TWICE = ["in-two-lists", "duplicate"];

function rule(text: string, behavior: RuleBehavior = "allow", over: Partial<SourcedRule> = {}): SourcedRule {
  return { text, behavior, source: "projectSettings", ...over };
}

function told(...rules: SourcedRule[]): string[] {
  return lintRules({ rules })
    .filter(({ code }) => TWICE.includes(code))
    .map(({ code, list, rule: text }) => `${code} ${list} ${text}`);
}

describe("the same rule twice", () => {
  it.each<readonly [string, SourcedRule, SourcedRule, boolean]>([
    ["another ending of the same", rule("Bash(ls:*)"), rule("Bash(ls *)"), true],
    ["the ending in the middle", rule("Bash(ls:* a)"), rule("Bash(ls * a)"), false],
    ["an ending that counts for texts of commands", rule("Skill(ls:*)"), rule("Skill(ls *)"), false],
    ["two tools", rule("Read"), rule("Grep"), false],
    ["a path under two names of reading", rule("Read(src/a)"), rule("Grep(src/a)"), true],
    ["a path under two names of editing", rule("Write(src/a)"), rule("Edit(src/a)"), true],
    ["reading and editing", rule("Read(src/a)"), rule("Edit(src/a)"), false],
    ["two names", rule("Skill(a)"), rule("deploy(a)"), false],
    ["an agent and a name", rule("Agent(a)"), rule("Skill(a)"), false],
    ["two names of agents", rule("Task(a)"), rule("Agent(a)"), true],
    ["one that ends", rule("Bash(ls)"), rule("Bash(ls)", "allow", { expires: 9 }), false],
    ["a slash in two files", rule("Read(/a)"), rule("Read(/a)", "allow", { source: "userSettings" }), false],
    ["a slash for edits", rule("Edit(/a)"), rule("Edit(/a)", "allow", { source: "userSettings" }), false],
    [
      "two slashes in two files",
      rule("Read(//a)"),
      rule("Read(//a)", "allow", { source: "userSettings" }),
      true,
    ],
    ["no slash in front", rule("Read(a/b)"), rule("Read(a/b)", "allow", { source: "userSettings" }), true],
    ["a slash of a command", rule("Bash(/a)"), rule("Bash(/a)", "allow", { source: "userSettings" }), true],
    ["two meanings of a slash", rule("Read(/a)"), rule("Read(/a)", "allow", { slashRoot: "/x" }), false],
  ])("%s", (_, one, other, same) => {
    expect(told(one, other).length, JSON.stringify([one, other])).toBe(same ? 1 : 0);
  });

  it("is told of the weaker list, once for each rule", () => {
    expect(told(rule("Bash(ls)", "deny"), rule("Bash(ls)", "ask"), rule("Bash(ls)"))).toEqual([
      "in-two-lists ask Bash(ls)",
      "in-two-lists allow Bash(ls)",
    ]);
    expect(told(rule("Bash(ls)"), rule("Bash(ls)"), rule("Bash(ls)"))).toEqual([
      "duplicate allow Bash(ls)",
      "duplicate allow Bash(ls)",
    ]);
    expect(told(rule("Bash(ls)", "deny"), rule("Bash(ls)", "deny"), rule("Bash(ls)"))).toEqual([
      "duplicate deny Bash(ls)",
      "in-two-lists allow Bash(ls)",
    ]);
    expect(told(rule("Bash(ls)"))).toEqual([]);
  });

  it("names the first of them, where it stands", () => {
    const first = { file: "a.json", position: 2 };
    const [duplicate] = lintRules({
      rules: [rule("Bash(ls)", "allow", first), rule("Bash(ls)", "allow", { file: "a.json", position: 5 })],
    });
    expect(duplicate).toMatchObject({ line: 5 });
    expect(duplicate?.message).toBe(
      "The same rule stands already in projectSettings, a.json, line 2. Take one of them out.",
    );
    const [weaker] = lintRules({ rules: [rule("Bash(ls)", "ask", first), rule("Bash(ls)")] });
    expect(weaker?.message).toBe(
      "The same rule is in ask (projectSettings, a.json, line 2), which goes first: here it does nothing. Take it out of one of the lists.",
    );
  });
});
