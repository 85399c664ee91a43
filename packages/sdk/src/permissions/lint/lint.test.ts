import { describe, expect, it } from "vitest";
import type { RuleBehavior, SourcedRule } from "../../protocol/index.ts";
import { parseRuleList } from "../rule/list.ts";
import { lintRules } from "./lint.ts";
import type { LintFinding, LintInput } from "./types.ts";

function one(behavior: RuleBehavior, text: string, input: Partial<LintInput> = {}): LintFinding[] {
  return lintRules({ ...input, rules: [{ text, behavior, source: "projectSettings" }] });
}

function told({ code, severity, fix, apply }: LintFinding): string {
  return `${severity} ${code}${fix === undefined ? "" : ` -> ${fix}`}${apply === undefined ? "" : ` (${apply})`}`;
}

type Row = readonly [behavior: RuleBehavior, rule: string, findings: readonly string[]];

const ROWS: readonly Row[] = [
  ["deny", "Bash(git checkout .)*", ["error text-after-paren -> Bash(git checkout .*)"]],
  ["allow", "Bash(ls:*) ", ["error text-after-paren -> Bash(ls:*)"]],
  ["deny", "Bash(rm:*", ["error malformed -> Bash(rm:*)"]],
  ["deny", "WebFetch(https://example.com/a)", ["error malformed -> WebFetch(domain:example.com)"]],
  ["allow", "mcp__shop(list)", ["error malformed -> mcp__shop__list"]],
  ["deny", "", ["error malformed"]],
  ["deny", "Bash(git push :* )", ["error space-around-star -> Bash(git push:*) (replace)"]],
  ["deny", "Bash(git push: *)", ["error space-around-star -> Bash(git push:*) (replace)"]],
  ["allow", "Bash(git add :*)", ["warning space-around-star -> Bash(git add:*)"]],
  ["deny", "Bash( rm *)", ["error stray-blank -> Bash(rm *) (replace)"]],
  ["allow", "Bash(git  log)", ["warning stray-blank -> Bash(git log)"]],
  ["deny", "Read( ** /*key*)", ["error space-in-glob -> Read(**/*key*) (add)"]],
  ["allow", "Read(docs/ **)", ["warning space-in-glob -> Read(docs/**)"]],
  ["deny", "Read(/home/me/.ssh/**)", ["error single-slash -> Read(//home/me/.ssh/**) (add)"]],
  ["allow", "Read(/Users/me/x)", ["warning single-slash -> Read(//Users/me/x)"]],
  ["deny", "Read(/c/Users/me/x)", ["error single-slash -> Read(//c/Users/me/x) (add)"]],
  ["deny", "Read(/bin/x)", ["info single-slash -> Read(//bin/x)"]],
  ["deny", "Bash(curl*| sh)", ["error operator"]],
  ["deny", "Bash(git add . && git push)", ["warning operator"]],
  ["allow", "Bash(cd a && make)", ["info operator"]],
  ["allow", "Bash(ls *.c 2>/dev/null)", ["warning operator -> Bash(ls *.c)"]],
  ["allow", "Bash(do)", ["warning shell-fragment"]],
  [
    "deny",
    "Bash(then rm -r x)",
    ["warning flag-dependent -> Bash(then rm:*)", "error shell-fragment -> Bash(rm -r x)"],
  ],
  ["allow", "Bash(git commit -m ' *)", ["warning open-quote"]],
  ["allow", "Bash(PATH=x ls:*)", ["warning opaque-command"]],
  ["allow", "Bash(ls ${!x})", ["warning opaque-command"]],
  ["deny", "Bash(^rm.*)", ["error regex-like"]],
  ["allow", "Bash(.*)", ["warning launcher", "warning regex-like"]],
  ["deny", "Bash(curl http://localhost:*)", ["error port-star -> Bash(curl http://localhost*) (replace)"]],
  ["allow", "Bash(curl http://localhost:*)", ["warning port-star -> Bash(curl http://localhost:**)"]],
  [
    "deny",
    "Bash(ssh -L 8080:*)",
    ["warning flag-dependent -> Bash(ssh:*)", "error port-star -> Bash(ssh -L 8080*) (replace)"],
  ],
  ["deny", "bash(rm:*)", ["warning name-case -> Bash(rm:*) (replace)"]],
  ["allow", "bash(ls)", ["warning name-case -> Bash(ls)"]],
  ["deny", "Bsh(rm:*)", ["error unknown-name -> Bash(rm:*)"]],
  ["allow", "frobnicate_it", ["warning unknown-name"]],
  ["deny", "Bash(rm\u00a0-r x)", ["error look-alike -> Bash(rm -r x) (add)"]],
  ["allow", "Bash(echo \u201chi\u201d)", ['warning look-alike -> Bash(echo "hi")']],
  ["ask", "Read(!a)", ["error negation"]],
  ["allow", "*", ["warning allows-nothing"]],
  ["allow", "mcp__*", ["warning allows-nothing"]],
  ["allow", "Bash(curl -H token=abcdef123456 x)", ["error secret-in-rule"]],
  ["deny", "Read", ["warning deny-misses-shell -> Read(//**)"]],
  ["ask", "Write", ["warning deny-misses-shell -> Edit(//**)"]],
  ["deny", "Bash(cat */.env)", ["warning one-reader -> Read(**/.env)"]],
  ["deny", "Edit(.env)", ["info edit-without-read -> Read(.env)"]],
  ["allow", "Bash", ["warning allows-everything"]],
  ["allow", "PowerShell", ["warning allows-everything"]],
  ["allow", "Bash(python3:*)", ["warning interpreter"]],
  ["allow", "Bash(bash -c *)", ["warning interpreter"]],
  ["allow", "Bash(find *)", ["warning launcher"]],
  ["allow", "Bash(time:*)", ["warning wrapper-allowed"]],
  ["allow", "Bash(rm:*)", ["info destructive"]],
  ["allow", "Bash(git reset:*)", ["info destructive"]],
  ["deny", "Bash(rm -rf:*)", ["warning flag-dependent -> Bash(rm:*)"]],
  ["deny", "Bash(sed *-i *)", ["warning flag-dependent -> Bash(sed:*)"]],
  ["deny", "Bash(git *reset --hard)", ["warning flag-dependent"]],
  ["allow", "Bash(kill 4711)", ["info one-off"]],
  ["deny", "Write(src/**)", ["info other-name -> Edit(src/**)"]],
  ["allow", "Grep(src/**)", ["info other-name -> Read(src/**)"]],
];

describe("lintRules, a rule by itself", () => {
  it.each(ROWS)("%s %s", (behavior, rule, findings) => {
    expect(one(behavior, rule).map(told).sort()).toEqual([...findings].sort());
  });

  it.each<readonly [RuleBehavior, string]>([
    ["allow", "Bash(npm run db:push:*)"],
    ["allow", "Bash(git commit -m *)"],
    ["allow", 'Bash(grep -E "a|b" x)'],
    ["allow", "Bash(LANG=C sort:*)"],
    ["allow", "Bash(python3 tool.py:*)"],
    ["allow", "Bash(npm run test*)"],
    ["deny", "Bash(bash -c *)"],
    ["deny", "Bash(find *)"],
    ["deny", "Bash(rm:*)"],
    ["deny", "Read(//etc/passwd)"],
    ["deny", "Read(~/Library/Application Support/**)"],
    ["deny", "Read(/src/**)"],
    ["deny", "mcp__later__x"],
    ["allow", "mcp__shop"],
    ["allow", "Task"],
    ["allow", "WebFetch(domain:example.com)"],
    ["allow", "Edit"],
    ["allow", "Skill(pdf:*)"],
    ["deny", "*"],
  ])("has nothing to say of %s %s", (behavior, rule) => {
    expect(one(behavior, rule).map(told)).toEqual([]);
  });

  it("knows where a single slash starts", () => {
    const at = (source: SourcedRule["source"], over: Partial<SourcedRule> = {}): readonly string[] =>
      lintRules({
        rules: [{ text: "Read(/home/me/x)", behavior: "deny", source, ...over }],
      }).map(({ message }) => message);
    expect(at("userSettings")[0]).toContain("the home directory");
    expect(at("projectSettings")[0]).toContain("the project root");
    expect(at("policySettings")).toEqual([]);
    expect(at("projectSettings", { slashRoot: "/" })).toEqual([]);
    const own = one("deny", "Read(/work/app/x)", { startDirectory: "/work/app" });
    expect(own.map(told)).toEqual(["error single-slash -> Read(//work/app/x) (add)"]);
  });

  it("says no more of a rule whose mended form stands beside it", () => {
    const rules = parseRuleList(
      ["Read(/home/me/x)", "Read(//home/me/x)", "Read( a/x)", "Read(a/x)"],
      "deny",
      "projectSettings",
    );
    expect(lintRules({ rules }).map(told)).toEqual([]);
  });

  it("tells which list, source, file and line", () => {
    const rule: SourcedRule = {
      text: "Bash(do)",
      behavior: "ask",
      source: "localSettings",
      file: ".castellan/settings.local.json",
      position: 7,
    };
    expect(lintRules({ rules: [rule] })[0]).toMatchObject({
      rule: "Bash(do)",
      list: "ask",
      source: "localSettings",
      file: ".castellan/settings.local.json",
      line: 7,
    });
    expect(lintRules({ rules: [{ ...rule, file: "allowedTools" }] })[0]).toMatchObject({ entry: 7 });
  });

  it("does not stop at a policy rule that cannot be read", () => {
    const rules = parseRuleList(["Bash(", "Read(a*/../x)", "Bash(do)"], "deny", "policySettings");
    expect(lintRules({ rules }).map(({ code }) => code)).toEqual([
      "malformed",
      "malformed",
      "shell-fragment",
    ]);
  });

  it("takes tools of one's own, and the time", () => {
    expect(one("deny", "deploy(x)", { toolNames: ["deploy"] })).toEqual([]);
    const rule: SourcedRule = { text: "Bash(ls)", behavior: "allow", source: "session", expires: 5 };
    expect(lintRules({ rules: [rule], now: 6 }).map(({ code }) => code)).toEqual(["expired"]);
    expect(lintRules({ rules: [rule], now: 5 })).toEqual([]);
  });
});
