import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import { parseRuleList } from "./list.ts";
import { formatRule, parseRule } from "./parse.ts";
import { escapeSpecifier } from "./specifier.ts";
import { matchesText, parseTextPattern } from "./text-pattern.ts";

describe("parseRule", () => {
  it.each([
    ["Bash", { toolName: "Bash" }],
    ["Bash(*)", { toolName: "Bash" }],
    ["Write(*)", { toolName: "Write" }],
    ["*", { toolName: "*" }],
    ["Bash(npm run test:*)", { toolName: "Bash", ruleContent: "npm run test:*" }],
    ["Bash( touch q )", { toolName: "Bash", ruleContent: " touch q " }],
    ["Bash(echo (a) b)", { toolName: "Bash", ruleContent: "echo (a) b" }],
    ["Bash(echo \\))", { toolName: "Bash", ruleContent: "echo \\)" }],
    ["Read(./src/**)", { toolName: "Read", ruleContent: "./src/**" }],
    ["Read(!x)", { toolName: "Read", ruleContent: "!x" }],
    ["mcp__srv__get_*", { toolName: "mcp__srv__get_*" }],
    ["mcp__srv__rw(*)", { toolName: "mcp__srv__rw" }],
    ["WebFetch(domain:*.example.com)", { toolName: "WebFetch", ruleContent: "domain:*.example.com" }],
    ["deploy(prod-*)", { toolName: "deploy", ruleContent: "prod-*" }],
    ["Bash(* --version)", { toolName: "Bash", ruleContent: "* --version" }],
    ["Bash (mkdir d)", { toolName: "Bash ", ruleContent: "mkdir d" }],
  ])("reads %s", (text, want) => {
    expect(parseRule(text)).toEqual(want);
  });

  it.each([
    ["", /empty/],
    ["   ", /empty/],
    ["Bash()", /empty/],
    ["Bash(  )", /empty/],
    ["Bash(touch:*", /never closed/],
    ["Bash(echo \\)", /never closed/],
    ["Bash)x(", /never closed|without/],
    ["Bash)", /without/],
    ["Bash(git checkout .)*", /behind the last/],
    ["Bash(rm x) ", /behind the last/],
    ["(rm:*)", /no tool name/],
    ["Bash(:*)", /nothing before/],
    ["Bash( *)", /nothing before/],
    ["mcp__srv__ro(x)", /takes no specifier/],
    ["*(x)", /every tool/],
    ["WebFetch(example.com)", /domain:/],
    ["WebFetch(domain:)", /no host/],
    ["WebFetch(domain:a*b.com)", /only as/],
  ])("tells why %j is no rule", (text, why) => {
    const parsed = parseRule(text);
    expect("error" in parsed && parsed.error).toMatch(why);
  });

  it("names the tool of a rule that it cannot read", () => {
    expect(parseRule("Bash(unbalanced")).toMatchObject({ toolName: "Bash" });
  });

  it("gives the same rule again after formatting", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, specifier) => {
        for (const text of [name, `Tool(${specifier})`, `Bash(${specifier})`, `Read(${specifier})`]) {
          const parsed = parseRule(text);
          if ("error" in parsed) continue;
          expect(parseRule(formatRule(parsed))).toEqual(parsed);
        }
      }),
      { numRuns: runs },
    );
  });

  it("takes any text literally once it is escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.string(), (text, other) => {
        fc.pre(text.trim() !== "");
        const parsed = parseRule(`custom(${escapeSpecifier(text)})`);
        expect(parsed).toHaveProperty("ruleContent");
        if ("error" in parsed || parsed.ruleContent === undefined) return;
        const pattern = parseTextPattern(parsed.ruleContent, false);
        if ("error" in pattern) throw new Error(pattern.error);
        expect(matchesText(pattern, text)).toBe(true);
        expect(matchesText(pattern, other)).toBe(other === text);
      }),
      { numRuns: runs },
    );
  });
});

describe("parseRuleList", () => {
  const texts = (entries: readonly string[]): string[] =>
    parseRuleList(entries, "allow", "cliArg", "allowedTools").map(({ text }) => text);

  it("splits joined rules at commas outside brackets", () => {
    expect(texts(["Bash(touch:*),Bash(mkdir:*)", "Read"])).toEqual([
      "Bash(touch:*)",
      "Bash(mkdir:*)",
      "Read",
    ]);
    expect(texts(["Read, Edit ,"])).toEqual(["Read", "Edit"]);
    expect(texts(["Bash(echo a,b:*)"])).toEqual(["Bash(echo a,b:*)"]);
    expect(texts(["Bash(echo \\(, x), Read"])).toEqual(["Bash(echo \\(, x)", "Read"]);
  });

  it("keeps a text that it cannot split, so that it is reported as written", () => {
    expect(texts(["Read,Bash(echo (,Edit"])).toEqual(["Read,Bash(echo (,Edit"]);
  });

  it("tells where each rule stands", () => {
    expect(parseRuleList(["A,B", "C"], "deny", "cliArg", "disallowedTools")).toEqual([
      { text: "A", behavior: "deny", source: "cliArg", position: 1, file: "disallowedTools" },
      { text: "B", behavior: "deny", source: "cliArg", position: 1, file: "disallowedTools" },
      { text: "C", behavior: "deny", source: "cliArg", position: 2, file: "disallowedTools" },
    ]);
  });
});
