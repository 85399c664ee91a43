import { describe, expect, it } from "vitest";
import type { PermissionContext } from "../../protocol/index.ts";
import { conditionHolds } from "../condition.ts";
import { bashCall, contextOf, rule } from "../test-kit.ts";
import { compilePolicy } from "./compile.ts";

const lists = { allow: ["Read(docs/**)"], deny: ["Bash(rm *)"] };

describe("rules of equal contexts", () => {
  it("are compiled once, whatever the mode", () => {
    const first = compilePolicy(contextOf(lists));
    const second = compilePolicy(contextOf(lists, { mode: "plan", trusted: true }));
    expect(second.deny).toBe(first.deny);
    expect(second.context.mode).toBe("plan");
  });

  it("are not crowded out by rules that are conditions", () => {
    const first = compilePolicy(contextOf(lists));
    for (let at = 0; at < 40; at += 1) conditionHolds(`Bash(c${at} *)`, bashCall("ls"), first.context);
    expect(compilePolicy(contextOf(lists)).deny).toBe(first.deny);
  });

  it.each<[string, Partial<PermissionContext>]>([
    ["start directory", { startDirectory: "/else" }],
    ["real start directory", { startDirectoryReal: "/else" }],
    ["project root", { projectRoot: "/else" }],
    ["home", { home: "/else" }],
    ["disk", { caseInsensitiveFiles: true }],
    ["form of a directory behind a link", { realForms: new Map([["/home/u", "/data/u"]]) }],
    ["field that nobody thought of", { later: 1 } as Partial<PermissionContext>],
    ["added directory", { additionalDirectories: new Map([["/else", "session"]]) }],
    [
      "rule more",
      { rules: [rule("Read(docs/**)", "allow"), rule("Bash(rm *)", "deny"), rule("Edit", "deny")] },
    ],
  ])("are not those of a context with another %s", (_, other) => {
    const first = compilePolicy(contextOf(lists));
    expect(compilePolicy(contextOf(lists, other)).deny).not.toBe(first.deny);
  });

  it.each([
    { text: "Bash(rm -r *)" },
    { behavior: "ask" },
    { source: "projectSettings" },
    { file: "a.json" },
    { position: 7 },
    { reason: "no" },
    { expires: 5 },
  ] as const)("are not those of a rule with %o", (change) => {
    const plain = rule("Bash(rm *)", "deny");
    const first = compilePolicy(contextOf({}, { rules: [plain] }));
    const second = compilePolicy(contextOf({}, { rules: [{ ...plain, ...change }] }));
    expect(second.deny).not.toBe(first.deny);
  });

  it("are not those of a list that its owner has changed since", () => {
    const changing = { ...rule("Bash(rm *)", "deny") } as { text: string } & ReturnType<typeof rule>;
    const rules = [changing];
    const first = compilePolicy(contextOf({}, { rules }));
    changing.text = "Bash(mv *)";
    const second = compilePolicy(contextOf({}, { rules }));
    expect(second.deny).not.toBe(first.deny);
    rules.push(rule("Edit", "deny"));
    expect(compilePolicy(contextOf({}, { rules })).deny).not.toBe(second.deny);
  });
});
