import { describe, expect, it } from "vitest";
import { bareDenied } from "./bare-denied.ts";
import { mayRead } from "./may-read.ts";
import { compilePolicy } from "./policy/compile.ts";
import { contextOf, NOW, type Rules, rule } from "./test-kit.ts";

describe("mayRead", () => {
  const shown = (rules: Rules): ((path: string) => boolean) => mayRead(compilePolicy(contextOf(rules)));

  it("hides what a Read deny or ask rule names", () => {
    const may = shown({ deny: ["Read(.env)", "Grep(./secrets/**)"], ask: ["Read(*.pem)"], allow: ["Read"] });
    expect(["/w/proj/.env", "/w/proj/a/.ENV", "/w/proj/secrets/k", "/x/a.pem"].map(may)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(["/w/proj/env", "/w/proj/src/secrets/k"].map(may)).toEqual([true, true]);
  });

  it("leaves rules on whole tools, on edits and on commands aside", () => {
    const may = shown({ deny: ["Read", "Edit(./src/**)", "Bash(cat:*)"] });
    expect(may("/w/proj/src/a")).toBe(true);
  });

  it("counts a rule that expires until it has", () => {
    const rules = [{ ...rule("Read(.env)", "deny"), expires: NOW }];
    const policy = compilePolicy(contextOf({}, { rules }));
    expect(mayRead(policy)("/w/proj/.env")).toBe(false);
    expect(mayRead(policy, NOW)("/w/proj/.env")).toBe(false);
    expect(mayRead(policy, NOW + 1)("/w/proj/.env")).toBe(true);
  });
});

describe("bareDenied", () => {
  const hidden = (deny: readonly string[], ...names: string[]): string[] => [
    ...bareDenied(compilePolicy(contextOf({ deny })), names),
  ];

  it("takes away what a whole-tool deny names", () => {
    expect(hidden(["Bash"], "Bash", "Read")).toEqual(["Bash"]);
    expect(hidden(["Bash(*)", "read"], "Bash", "Read", "Write")).toEqual(["Bash", "Read"]);
    expect(hidden(["Task"], "Agent", "Bash")).toEqual(["Agent"]);
    expect(hidden(["mcp__srv"], "mcp__srv__x", "mcp__srv2__x")).toEqual(["mcp__srv__x"]);
    expect(hidden(["mcp__*"], "mcp__srv__x", "Bash")).toEqual(["mcp__srv__x"]);
    expect(hidden(["*"], "mcp__srv__x", "Bash")).toEqual(["mcp__srv__x", "Bash"]);
  });

  it("leaves narrow, unreadable and expiring rules to the call", () => {
    expect(hidden(["Bash(rm:*)", "Read(.env)", "Write(oops"], "Bash", "Read", "Write")).toEqual([]);
    const rules = [{ ...rule("Bash", "deny"), expires: NOW }];
    expect([...bareDenied(compilePolicy(contextOf({}, { rules })), ["Bash"])]).toEqual([]);
  });
});
