import { describe, expect, it } from "vitest";
import type { RuleBehavior, SourcedRule } from "../protocol/index.ts";
import { failingExamples } from "./examples.ts";

const PLACES = { startDirectory: "/w/proj", projectRoot: "/w/proj", home: "/home/u" };

function matches(text: string, behavior: RuleBehavior, example: string, over: Partial<SourcedRule> = {}) {
  const rule: SourcedRule = { text, behavior, source: "projectSettings", ...over };
  const asMatch = failingExamples(rule, { match: [example] }, PLACES);
  const asOther = failingExamples(rule, { notMatch: [example] }, PLACES);
  // Never both, never neither.
  expect(asMatch.length + asOther.length).toBe(1);
  return asMatch.length === 0;
}

describe("failingExamples", () => {
  it.each<[rule: string, behavior: RuleBehavior, yes: string[], no: string[]]>([
    [
      "Bash(npm test:*)",
      "allow",
      ["Bash(npm test)", "Bash(npm test -- -w)", "Bash(npm test | head)", "Bash(npm test && npm test x)"],
      ["Bash(npm tests)", "Bash(npm test && rm -rf x)", "Bash(ls)", "Bash(npm test $(curl x))", "Read(a)"],
    ],
    [
      "Bash(rm:*)",
      "deny",
      [
        "Bash(ls && /bin/rm x)",
        "Bash(sudo rm x)",
        "Monitor(rm x)",
        "Bash(echo $(rm x))",
        'Bash(echo ")"; rm a)',
      ],
      ["Bash(ls)", "Bash(rmdir x)"],
    ],
    ["Bash", "allow", ["Bash(anything | at all)"], ["Read(a)"]],
    [
      "Read(.env)",
      "deny",
      [
        "Read(.env)",
        "Read(/w/proj/sub/.env)",
        "Bash(cat .env)",
        "Bash(cd sub && cat .env)",
        "Grep(sub/.env)",
        "Edit(.env)",
      ],
      ["Read(env)", "Bash(cat env)", "Read(.env.example)"],
    ],
    [
      "Read(//etc/**)",
      "ask",
      ["Read(/etc/passwd)", "Read(src/../../../etc/x)"],
      ["Read(etc/x)", "Edit(/etc/x)"],
    ],
    [
      "Read(~/notes/**)",
      "allow",
      ["Read(~/notes/a)", "Read(/home/u/notes/a)"],
      ["Read(~/other)", "Read(src/a)"],
    ],
    [
      "Edit(/src/**)",
      "allow",
      ["Edit(src/a.ts)", "Write(src/a.ts)", "NotebookEdit(src/n.ipynb)"],
      ["Edit(a.ts)"],
    ],
    ["Read(secrets/)", "deny", ["Read(secrets/a)", "LS(secrets/)"], ["Read(other/)"]],
    [
      "WebFetch(domain:*.example.com)",
      "allow",
      ["WebFetch(https://a.example.com/x?y)", "WebFetch(http://u:p@a.example.com:8080)"],
      ["WebFetch(https://example.com/)", "WebFetch(https://a.example.com.evil.org/)"],
    ],
    ["mcp__srv", "deny", ["mcp__srv__tool", "mcp__SRV__tool"], ["mcp__other__tool"]],
    ["mcp__a__b__*", "allow", ["mcp__a__b__c"], ["mcp__a__x__c"]],
    ["Agent(Explore)", "deny", ["Agent(explore)", "Task(Explore)"], ["Agent", "Agent(Plan)"]],
    ["Agent(general-purpose)", "allow", ["Agent", "Agent( )"], ["Agent(Explore)"]],
    ["Skill(review:*)", "allow", ["Skill(review)"], ["Skill(reviewer)"]],
    ["deploy(prod*)", "ask", ["deploy(production)"], ["deploy(test)", "deploy"]],
    ["*", "deny", ["anything", "Bash(ls)"], []],
    ["Bash(git push", "deny", ["Bash(ls)"], ["Read(a)"]],
  ])("%s in %s", (rule, behavior, yes, no) => {
    for (const example of yes) expect([example, matches(rule, behavior, example)]).toEqual([example, true]);
    for (const example of no) expect([example, matches(rule, behavior, example)]).toEqual([example, false]);
  });

  it("takes a slash root of its own, and no expiry", () => {
    expect(matches("Read(/etc/**)", "deny", "Read(/etc/x)")).toBe(false);
    expect(matches("Read(/etc/**)", "deny", "Read(/etc/x)", { slashRoot: "/" })).toBe(true);
    expect(matches("Read(.env)", "deny", "Read(.env)", { expires: 0 })).toBe(true);
  });

  it("tells each failing example with its list, in order", () => {
    const rule: SourcedRule = { text: "Bash(ls:*)", behavior: "deny", source: "userSettings" };
    expect(
      failingExamples(
        rule,
        { match: ["Bash(ls)", "Bash(cat)", "("], notMatch: ["Bash(ls -l)", "Read(a)"] },
        PLACES,
      ),
    ).toEqual([
      { example: "Bash(cat)", list: "match", index: 1, message: "The rule does not match it." },
      {
        example: "(",
        list: "match",
        index: 2,
        message: "The example cannot be read: no tool name stands in it.",
      },
      { example: "Bash(ls -l)", list: "notMatch", index: 0, message: "The rule matches it." },
    ]);
    expect(failingExamples(rule, {}, PLACES)).toEqual([]);
  });

  it.each([
    "",
    "Bash(ls",
    "Bash()",
    "Bash",
    "Read( )",
    "WebFetch(example.com)",
    "WebFetch(mailto:a@example.com)",
    "mcp__srv__tool(x)",
    "mcp__srv",
    "ls -l",
    "*",
  ])("does not take %j for an example, in either list", (example) => {
    const rule: SourcedRule = { text: "Bash(ls:*)", behavior: "deny", source: "userSettings" };
    for (const list of ["match", "notMatch"] as const) {
      const [found] = failingExamples(rule, { [list]: [example] }, PLACES);
      expect(found).toMatchObject({ example, list });
      expect(found?.message).toMatch(/^The example cannot be read: ./);
    }
  });

  it.each([
    ["", "no tool name stands in it"],
    ["ls -l", "it is a tool name, or a tool name and brackets"],
    ["a)", "it is a tool name, or a tool name and brackets"],
    ["Bash(ls", "`(` is never closed"],
    ["mcp__srv__tool(x)", "MCP tools take no brackets"],
    ["mcp__srv", "a tool of a server reads mcp__server__tool"],
    ["mcp__srv__", "a tool of a server reads mcp__server__tool"],
    ["mcp____tool", "a tool of a server reads mcp__server__tool"],
    ["Bash( )", "Bash needs something in its brackets"],
    ["Read", "Read needs something in its brackets"],
    ["WebFetch(mailto:a@example.com)", "its address has no host"],
    ["WebFetch(example.com)", "it holds no address, such as https://example.com/"],
    ["*(x)", "`*` is no tool"],
  ])("says why it does not take %j: %s", (example, why) => {
    const rule: SourcedRule = { text: "Bash(ls:*)", behavior: "deny", source: "userSettings" };
    expect(failingExamples(rule, { match: [example] }, PLACES)).toEqual([
      { example, list: "match", index: 0, message: `The example cannot be read: ${why}.` },
    ]);
  });

  it("tries each way to read the name of a tool of a server", () => {
    expect(matches("mcp__a__b__c", "allow", "mcp__a__b__c")).toBe(true);
    expect(matches("mcp__a__b", "deny", "mcp__a__b__c")).toBe(true);
    expect(matches("mcp__a", "allow", "mcp__a__b__c")).toBe(true);
    expect(matches("mcp__a__b__*", "deny", "mcp__a__b__c")).toBe(true);
    expect(matches("mcp__b", "deny", "mcp__a__b__c")).toBe(false);
  });

  it("reads a tool as what it is", () => {
    expect(matches("Read(//w/**)", "allow", "Read(/w/other/a)")).toBe(true);
    expect(matches("Read(./secret/**)", "deny", "Grep(secret)")).toBe(true);
    expect(matches("Edit(./a)", "deny", "Write(b)")).toBe(false);
  });

  it("throws for a rule of the machine's policy that cannot be read", () => {
    const rule: SourcedRule = { text: "Bash(", behavior: "deny", source: "policySettings" };
    expect(() => failingExamples(rule, { match: ["Bash(ls)"] }, PLACES)).toThrow("Bash(");
  });
});
