import { describe, expect, it } from "vitest";
import type { PathResolution, PermissionContext, ResolvedTarget } from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import { answer, bashCall, contextOf, decided, type Rules, resolution, START, toolOf } from "../test-kit.ts";

const EDITS: Partial<PermissionContext> = { mode: "acceptEdits" };

/** The answer, and what it is owed to. */
function owed(call: DecideCall, rules: Rules = {}, over: Partial<PermissionContext> = {}): string {
  const { behavior, reason, rule } = decided(call, contextOf(rules, over));
  return [behavior, reason.type, ...(rule === undefined ? [] : [rule.text])].join(" ");
}

/** A call whose tool runs several lines. */
function linesCall(...lines: string[]): DecideCall {
  return { tool: toolOf("Bash"), input: {}, targets: lines.flatMap((line) => bashCall(line).targets) };
}

/** The call with some of what the disk says of one path changed. */
function withPath(call: DecideCall, path: string, resolutions: readonly PathResolution[]): DecideCall {
  const changed = (target: ResolvedTarget): ResolvedTarget =>
    target.kind === "path" && target.path === path ? { ...target, resolutions } : target;
  return { ...call, targets: call.targets.map(changed) };
}

describe("what a line is allowed by", () => {
  it.each<[string, Rules, Partial<PermissionContext>, string]>([
    ["echo a", {}, {}, "allow tool"],
    ["ls", {}, {}, "allow workingDirectory"],
    ["cat a", {}, {}, "allow workingDirectory"],
    ["mkdir d", {}, EDITS, "allow mode"],
    ["mkdir d && ls", {}, EDITS, "allow mode"],
    ["ls && mkdir d", {}, EDITS, "allow mode"],
    ["timeout 5 mkdir d", {}, EDITS, "allow mode"],
    ["timeout 5 echo a", {}, EDITS, "allow tool"],
    ["echo x > b", {}, EDITS, "allow mode"],
    ["echo x > /dev/null", {}, EDITS, "allow tool"],
    ["echo a", {}, EDITS, "allow tool"],
    ["cat a", {}, EDITS, "allow workingDirectory"],
    ["npm test", { allow: ["Bash"] }, EDITS, "allow rule Bash"],
    ["ls && npm test", { allow: ["Bash(npm test)"] }, EDITS, "allow rule Bash(npm test)"],
    ["npm test && mkdir d", { allow: ["Bash(npm test)"] }, EDITS, "allow rule Bash(npm test)"],
    ["cat /etc/hosts", { allow: ["Read(//etc/hosts)"] }, {}, "allow rule Read(//etc/hosts)"],
    ["cat /etc/hosts && npm test", { allow: ["Read(//etc/*)", "Bash(npm:*)"] }, {}, "allow rule Bash(npm:*)"],
    ["cat /e/a /f/b", { allow: ["Read(//e/**)", "Read(//f/**)"] }, {}, "allow rule Read(//e/**)"],
    ["echo x > b", { allow: ["Edit(./b)"] }, {}, "allow rule Edit(./b)"],
  ])("%s under %j in %j: %s", (line, rules, over, want) => {
    expect(owed(bashCall(line), rules, over)).toBe(want);
  });

  it("what covers no path is named before what does", () => {
    const decision = decided(bashCall("npm test > /w/out"), contextOf({ allow: ["Bash(npm test)"] }));
    expect(decision.reason).toEqual({ type: "workingDirectory", path: "/w/out" });
  });
});

describe("variables that a line sets", () => {
  it.each([
    ["LANG=C", "allow"],
    ["LANG=C TZ=UTC", "allow"],
    ["LANG=C FOO=1", "ask"],
    ["FOO=1 LANG=C", "ask"],
  ])("%s: %s", (line, want) => {
    expect(answer(bashCall(line))).toBe(want);
  });
});

describe("a function of the line", () => {
  it.each([
    ["ls() { cat a; }; ls", {}],
    ["npm() { cat a; }; npm test", { allow: ["Bash(npm test)"] }],
    ["mkdir() { cat a; }; mkdir d", {}],
    ["timeout() { cat a; }; timeout 5 ls", {}],
  ])("%s is not the program of that name", (line, rules) => {
    expect(answer(bashCall(line), rules, EDITS)).toBe("ask");
  });
});

describe("wrappers", () => {
  it.each<[string, Rules, string]>([
    ["timeout 5 mkdir d", {}, "allow"],
    ["timeout 5 mkdir d; npm test", {}, "ask"],
    ["timeout 5 mkdir d; npm test", { allow: ["Bash(npm test)"] }, "allow"],
    ["npm test; timeout 5 mkdir d", { allow: ["Bash(npm test)"] }, "allow"],
    ["timeout 5 npm test; mkdir d", {}, "ask"],
    ["timeout 5 mkdir /w/other", {}, "ask"],
    ["sudo mkdir d", {}, "ask"],
    ["nice timeout 5 mkdir d", {}, "allow"],
    ["nice timeout 5 npm test", {}, "ask"],
    ["nice timeout 5 npm test", { allow: ["Bash(timeout 5 npm test)"] }, "allow"],
  ])("%s under %j in acceptEdits: %s", (line, rules, want) => {
    expect(answer(bashCall(line), rules, EDITS)).toBe(want);
  });
});

describe("edits in acceptEdits", () => {
  it.each<[string, Rules, string]>([
    ["mkdir > a", {}, "ask"],
    ["mkdir d > b", {}, "allow"],
    ["mkdir d; cat /etc/hosts", { allow: ["Read(//etc/hosts)"] }, "allow"],
    ["mkdir d > /w/out", { allow: ["Edit(//w/out)"] }, "allow"],
    ["mkdir d /w/other", { allow: ["Edit(//w/other)"] }, "ask"],
    ["cp /w/other/a b", { allow: ["Read(//w/other/**)"] }, "ask"],
    ["cp a b; cat /w/other/a", { allow: ["Read(//w/other/**)"] }, "allow"],
  ])("%s under %j: %s", (line, rules, want) => {
    expect(answer(bashCall(line), rules, EDITS)).toBe(want);
  });

  it("a tree that is copied holds no protected name, in any place that it may be", () => {
    const holds = { name: ".git", loaded: false };
    const plain = resolution(`${START}/a`);
    const guarded = resolution(`${START}/c/a`, { holds });
    expect(answer(withPath(bashCall("cp -r a b"), "a", [plain]), {}, EDITS)).toBe("allow");
    expect(answer(withPath(bashCall("cp -r a b"), "a", [plain, guarded]), {}, EDITS)).toBe("ask");
    expect(answer(withPath(bashCall("cp -r a b"), "a", [guarded, plain]), {}, EDITS)).toBe("ask");
    const tooLarge = resolution(`${START}/a`, { holds: { name: "*", loaded: false } });
    expect(answer(withPath(bashCall("cp -r a b"), "a", [tooLarge]), {}, EDITS)).toBe("ask");
    expect(answer(withPath(bashCall("rm -r a"), "a", [tooLarge]), {}, EDITS)).toBe("allow");
    expect(answer(withPath(bashCall("rmdir a"), "a", [tooLarge]), {}, EDITS)).toBe("allow");
  });
});

describe("several lines of one call", () => {
  it("do not lend each other their rules", () => {
    const rules = { allow: ["Bash(npm test)"] };
    expect(answer(linesCall("npm test", "cat /etc/hosts"), rules)).toBe("ask");
    expect(answer(linesCall("cat /etc/hosts", "npm test"), rules)).toBe("ask");
    expect(answer(linesCall("npm test", "cat a"), rules)).toBe("allow");
    expect(answer(linesCall("npm test", "npm run x"), rules)).toBe("ask");
    expect(answer(linesCall("npm run x", "npm test"), rules)).toBe("ask");
  });

  it("are not edited freely, and no `cd` is proved", () => {
    expect(answer(linesCall("mkdir d", "ls"), {}, EDITS)).toBe("ask");
    expect(answer(linesCall("mkdir d"), {}, EDITS)).toBe("allow");
    expect(answer(linesCall("cd src", "ls"))).toBe("ask");
    expect(answer(linesCall("cd src"))).toBe("allow");
  });

  it("needs the path of each `cd`, not of another command", () => {
    const call = bashCall("cat a; cd src");
    const without = call.targets.filter((target) => target.kind !== "path" || target.path !== "src");
    expect(without.length).toBe(call.targets.length - 1);
    expect(answer(call)).toBe("allow");
    expect(answer({ ...call, targets: without })).toBe("ask");
  });
});

describe("a line in which nothing was found", () => {
  const empty = (line: string): DecideCall => {
    const call = bashCall(line);
    const targets = call.targets.flatMap((target) =>
      target.kind === "command" ? [{ ...target, analysis: { ...target.analysis, commands: [] } }] : [],
    );
    return { ...call, targets };
  };

  it("is asked about", () => {
    expect(decided(empty("ls"), contextOf()).message).toBe(
      "Bash needs an approval: Nothing that runs could be made out in the line.",
    );
    expect(decided(empty("ls"), contextOf()).reason).toMatchObject({ type: "opaque", code: "empty" });
    expect(answer(bashCall("# nothing"))).toBe("allow");
  });

  it("tells why it cannot be seen through, once for a line, and which text it is about", () => {
    const { message, reason } = decided(bashCall("npm test; eval $X"), contextOf());
    expect(reason).toMatchObject({ type: "opaque", code: "dynamic-script" });
    expect(message).toMatch(/^Bash needs an approval: .+\(.*\$X.*\)$/);
  });
});
