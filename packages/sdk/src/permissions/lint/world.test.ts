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
    ["a secret that is asked about", { ask: ["Read(.env)"], allow: ["Bash(node:*)"] }, []],
    ["a secret that is not to be changed", { deny: ["Edit(.env)"], allow: ["Bash(node:*)"] }, []],
    ["a secret of a command", { deny: ["Bash(.env)"], allow: ["Bash(node:*)"] }, []],
    [
      "a directory by its name",
      { deny: ["Read(/a/b/**)"], allow: ["Read(/a/b/c/d)", "Read(/a/x)"] },
      ["warning shadowed allow Read(/a/b/c/d)"],
    ],
    [
      "a name in the middle",
      { deny: ["Read(**/secrets/**)"], allow: ["Read(/a/secrets/b)", "Read(/a/b)"] },
      ["warning shadowed allow Read(/a/secrets/b)"],
    ],
    [
      "a name behind a wildcard",
      { deny: ["Read(**/secrets/**)"], allow: ["Read(/a/*/secrets/b)"] },
      ["warning shadowed allow Read(/a/*/secrets/b)"],
    ],
    [
      "a directory behind a wildcard is no start",
      { deny: ["Read(/b/**)"], allow: ["Read(/*/b/c)", "Read(/b/c)"] },
      ["warning shadowed allow Read(/b/c)"],
    ],
    [
      "a suffix anywhere",
      { deny: ["Read(*.pem)"], allow: ["Read(/a/b.pem)", "Read(/a/b.pub)"] },
      ["warning shadowed allow Read(/a/b.pem)"],
    ],
    [
      "the second of two under one directory",
      { deny: ["Read(/a/*.x)", "Read(/a/*.y)"], allow: ["Read(/a/b.y)"] },
      ["warning shadowed allow Read(/a/b.y)"],
    ],
    ["part of what a rule names", { deny: ["Read(/a/b)"], allow: ["Read(/a/**)"] }, []],
    ["another family of paths", { deny: ["Edit(/a/**)"], allow: ["Read(/a/b)"] }, []],
    [
      "every host",
      { deny: ["WebFetch(domain:*)"], allow: ["WebFetch(domain:x.org)"] },
      ["warning shadowed allow WebFetch(domain:x.org)"],
    ],
    [
      "a host far below",
      { deny: ["WebFetch(domain:*.org)"], allow: ["WebFetch(domain:a.b.x.org)", "WebFetch(domain:a.com)"] },
      ["warning shadowed allow WebFetch(domain:a.b.x.org)"],
    ],
    ["another host", { deny: ["WebFetch(domain:x.org)"], allow: ["WebFetch(domain:y.org)"] }, []],
    [
      "all tools of a server",
      { deny: ["mcp__shop__*"], allow: ["mcp__shop__buy", "mcp__shopping__buy"] },
      ["warning shadowed allow mcp__shop__buy"],
    ],
    [
      "a server in another case",
      { deny: ["mcp__SHOP"], allow: ["mcp__shop__buy"] },
      ["warning shadowed allow mcp__shop__buy"],
    ],
    [
      "a tool by its other name",
      { deny: ["Task"], allow: ["Agent(review)"] },
      ["warning shadowed allow Agent(review)"],
    ],
    ["a tool for paths", { deny: ["Write"], allow: ["Write(src/a)"] }, []],
    ["a rule on every tool allows none", { allow: ["*", "Bash(ls)", "WebSearch"] }, []],
    ["a star in allow covers no server", { allow: ["mcp__*", "mcp__shop__buy"] }, []],
    [
      "a server in allow",
      { allow: ["mcp__shop", "mcp__shop__buy"] },
      ["info redundant allow mcp__shop__buy"],
    ],
    [
      "words before the star",
      { allow: ["Bash(npm run a:*)", "Bash(npm run ab)", "Bash(npm run a b)"] },
      ["info redundant allow Bash(npm run a b)"],
    ],
    [
      "a start inside a word",
      { allow: ["Bash(npm r*)", "Bash(npm run a b)", "Bash(np)"] },
      ["info redundant allow Bash(npm run a b)"],
    ],
    [
      "a star in front",
      { allow: ["Bash(* --version)", "Bash(npm --version)", "Bash(npm --help)"] },
      ["info redundant allow Bash(npm --version)"],
    ],
    [
      "the second of two with the same start",
      { allow: ["Bash(npm * a)", "Bash(npm * b)", "Bash(npm x b)"] },
      ["info redundant allow Bash(npm x b)"],
    ],
    [
      "a name",
      { allow: ["Skill(pdf*)", "Skill(pdf-read)", "Agent(pdf-read)"] },
      ["info redundant allow Skill(pdf-read)"],
    ],
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

  it("tells what goes first, and what it does", () => {
    const message = (lists: Lists, code: string): string | undefined =>
      lintRules({ rules: rulesOf(lists) }).find((finding) => finding.code === code)?.message;
    const allow = ["Bash(git log)"];
    expect(message({ deny: ["Bash(git:*)"], allow }, "shadowed")).toBe(
      "Bash(git:*) (deny, projectSettings) goes first: no such call gets through. Narrow that rule, or take this one out.",
    );
    expect(message({ ask: ["Bash(git:*)"], allow }, "shadowed")).toBe(
      "Bash(git:*) (ask, projectSettings) goes first: every such call is asked about. Narrow that rule, or take this one out.",
    );
    expect(message({ allow: ["Bash(git:*)", ...allow] }, "redundant")).toBe(
      "Bash(git:*) (projectSettings) covers it. Take it out, or narrow the other one.",
    );
    const code = "secret-behind-interpreter";
    expect(message({ deny: ["Read(.env)"], allow: ["Bash(node:*)"] }, code)).toBe(
      "What it runs can read files that Read(.env) (projectSettings) keeps from tools and known readers. Turn the sandbox on, or allow only the scripts that are meant.",
    );
    expect(
      message({ deny: ["Read(.env)", "Read(~/.ssh/**)", "Read(*.pem)"], allow: ["Bash(node:*)"] }, code),
    ).toContain("Read(*.pem) (projectSettings) and 2 more keeps");
  });

  it("knows which bare denies leave a shell open", () => {
    const codes = (lists: Lists): string[] =>
      lintRules({ rules: rulesOf(lists) }).map(({ code, rule }) => `${code} ${rule}`);
    expect(codes({ deny: ["Read", "Read(//**)"] })).toEqual([]);
    expect(codes({ deny: ["Read", "Write"] })).toEqual(["deny-misses-shell Read", "deny-misses-shell Write"]);
    expect(codes({ deny: ["Read", "*"] })).not.toContain("deny-misses-shell Read");
    expect(codes({ deny: ["Edit(.env)", "Read"] })).toEqual(["deny-misses-shell Read"]);
    expect(codes({ deny: ["Edit(.env)", "Bash(x)"] })).toEqual(["edit-without-read Edit(.env)"]);
    expect(codes({ deny: ["Edit(src/a)"] })).toEqual([]);
    expect(codes({ ask: ["Edit(.env)"] })).toEqual(["edit-without-read Edit(.env)"]);
    expect(codes({ deny: ["Edit(.env)"], ask: ["Read(.env)"] })).toEqual([]);
    expect(codes({ allow: ["Edit(.env)"] })).toEqual([]);
    expect(codes({ deny: ["Bash(cat .env)", "Read(.env)"] })).toEqual([]);
    expect(codes({ deny: ["Bash(cat .env)"] })).toEqual(["one-reader Bash(cat .env)"]);
    expect(codes({ deny: ["Bash(cat .env x)"] })).toEqual([]);
    expect(codes({ deny: ["Bash(cat src/a)"] })).toEqual([]);
    expect(codes({ deny: ["Bash(touch .env)"] })).toEqual([]);
    expect(codes({ allow: ["Bash(cat .env)"] })).toEqual([]);
    expect(codes({ deny: ["Skill(cat .env)"] })).toEqual([]);
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
