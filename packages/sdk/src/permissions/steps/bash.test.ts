import { describe, expect, it } from "vitest";
import type { PermissionContext } from "../../protocol/index.ts";
import { analyse } from "../../shell/index.ts";
import type { DecideCall } from "../call.ts";
import { answer, bashCall, contextOf, decided, type Rules, START, toolOf } from "../test-kit.ts";

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };
const EDITS: Partial<PermissionContext> = { mode: "acceptEdits" };

describe("allow over a line", () => {
  it.each<[string, Rules, string]>([
    ["ls", {}, "allow"],
    ["# nothing", {}, "allow"],
    ["ls && cat a", {}, "allow"],
    ["npm test", {}, "ask"],
    ["npm test", { allow: ["Bash(npm test)"] }, "allow"],
    ["npm test && ls", { allow: ["Bash(npm test)"] }, "allow"],
    ["npm test && rm x", { allow: ["Bash(npm test)"] }, "ask"],
    ["npm test $(rm x)", { allow: ["Bash(npm test:*)"] }, "ask"],
    ["npm test $(cat a)", { allow: ["Bash(npm test:*)"] }, "allow"],
    ["FOO=1 npm test", { allow: ["Bash(npm test)"] }, "ask"],
    ["FOO=1 npm test", { allow: ["Bash(FOO=1 npm test)"] }, "allow"],
    ["LANG=C npm test", { allow: ["Bash(npm test)"] }, "allow"],
    ["LANG=C", {}, "allow"],
    ["FOO=1", {}, "ask"],
    ["timeout 5 npm test", { allow: ["Bash(npm test)"] }, "allow"],
    ["timeout 5 npm test", { allow: ["Bash(timeout 5 npm test)"] }, "allow"],
    ["sudo npm test", { allow: ["Bash(npm test)"] }, "ask"],
    ["bash -c 'npm test'", { allow: ["Bash(npm test)"] }, "ask"],
    ["bash -c 'npm test'", { allow: ["Bash(bash -c:*)", "Bash(npm test)"] }, "allow"],
    ["f() { npm test; }; f", { allow: ["Bash(npm test)", "Bash(f)"] }, "ask"],
    ["npm test && node x.js", { allow: ["Bash(npm test && node x.js)"] }, "allow"],
    ["npm test && node y.js", { allow: ["Bash(npm test && node *)"] }, "ask"],
    ["npm test > out", { allow: ["Bash(npm test > out)"] }, "ask"],
    ["npm test > out", { allow: ["Bash(npm test > out)", "Edit(./out)"] }, "allow"],
    ["npm test > out", { allow: ["Bash(npm test)"] }, "ask"],
    ["npm test > out", { allow: ["Bash(npm test)", "Edit(./out)"] }, "allow"],
    ["npm test > out", { allow: ["Bash(npm test)", "Edit", "Write"] }, "ask"],
    ["npm test > $F", { allow: ["Bash(npm test)", "Edit(**)"] }, "ask"],
    ["npm test > $F", { allow: ["Bash"] }, "allow"],
    ["npm test > /dev/null 2>&1", { allow: ["Bash(npm test)"] }, "allow"],
    ["touch a", { allow: ["Bash(touch:*)"] }, "allow"],
    ["touch /w/other/a", { allow: ["Bash(touch:*)"] }, "ask"],
    ["touch /w/other/a", { allow: ["Bash(touch:*)", "Edit(//w/other/**)"] }, "allow"],
    ["touch $X", { allow: ["Bash(touch:*)"] }, "ask"],
    ["cat /etc/hosts", {}, "ask"],
    ["cat /etc/hosts", { allow: ["Bash(cat:*)"] }, "allow"],
    ["cat /etc/hosts", { allow: ["Read(//etc/**)"] }, "allow"],
    ["cat /etc/hosts", { allow: ["Read"] }, "ask"],
    ["cd src && ls", {}, "allow"],
    ["cd /w/other && ls", {}, "ask"],
    ["eval $X", { allow: ["Bash(eval:*)"] }, "ask"],
    ["eval $X", { allow: ["Bash"] }, "allow"],
    ["echo 'unfinished", { allow: ["Bash(echo:*)"] }, "ask"],
    ["./npm test", { allow: ["Bash(npm:*)"] }, "ask"],
    ["mkdir d", {}, "ask"],
  ])("%s under %j: %s", (line, rules, want) => {
    expect(answer(bashCall(line), rules)).toBe(want);
  });

  it("trusts git only in a trusted workspace", () => {
    expect(answer(bashCall("git status"))).toBe("allow");
    expect(answer(bashCall("git status"), {}, { trusted: false })).toBe("ask");
    expect(answer(bashCall("git status"), {}, { mode: "plan" })).toBe("allow");
    expect(answer(bashCall("git status"), {}, { mode: "plan", trusted: false })).toBe("deny");
  });

  it("trusts git only on the repository whose .git is at the project root, in each of its commands", () => {
    const moved = (line: string, repository?: string): DecideCall => {
      const call = bashCall(line);
      const own = call.targets.filter((target) => target.kind === "command");
      const targets = own.map(({ kind, analysis, command }) => ({
        ...{ kind, analysis, command },
        ...(repository === undefined ? {} : { repository }),
      }));
      return { ...call, targets };
    };
    for (const mode of ["default", "plan"] as const) {
      const not = mode === "plan" ? "deny" : "ask";
      expect(answer(moved("git status", START), {}, { mode })).toBe("allow");
      expect(answer(moved("git status"), {}, { mode })).toBe(not);
      expect(answer(moved("git status", `${START}/vendor`), {}, { mode })).toBe(not);
      expect(answer(moved("git status", "/w"), {}, { mode })).toBe(not);
      const realForms = new Map([[START, "/data/proj"]]);
      expect(answer(moved("git status", "/data/proj"), {}, { mode, realForms })).toBe("allow");
      expect(answer(moved("git status", START), {}, { mode, realForms })).toBe(not);
    }
    const two = bashCall("git status; git log");
    expect(answer({ ...two, targets: two.targets.slice(0, 1) })).toBe("ask");
  });

  it.each([
    ["mkdir d", "allow"],
    ["rm a", "allow"],
    ["cp a b", "allow"],
    ["echo x > b", "allow"],
    ["npm test > b", "ask"],
    ["mkdir /w/other/d", "ask"],
    ["cp /etc/hosts b", "ask"],
    ["rm $X", "ask"],
    ["rm *.log", "ask"],
    ["echo x > /w/other/b", "ask"],
    ["chmod +x a", "ask"],
  ])("accepts edits: %s is %s", (line, want) => {
    expect(answer(bashCall(line), {}, EDITS)).toBe(want);
  });

  it("asks in acceptEdits about a copied tree that holds a protected name", () => {
    const call = bashCall("cp -r a b");
    const holds = { name: ".git", loaded: false };
    const targets = call.targets.map((target) =>
      target.kind === "path" && target.path === "a"
        ? { ...target, resolutions: target.resolutions.map((each) => ({ ...each, holds })) }
        : target,
    );
    expect(answer({ ...call, targets }, {}, EDITS)).toBe("ask");
    expect(answer({ ...call, targets: bashCall("rm -r a").targets }, {}, EDITS)).toBe("allow");
  });

  it.each([
    ["ls", "allow"],
    ["cat a | wc -l", "allow"],
    ["timeout 5 ls", "allow"],
    ["mkdir d", "deny"],
    ["echo x > a", "deny"],
    ["echo x > /dev/null", "allow"],
    ["npm test", "deny"],
    ["eval $X", "deny"],
    ["# nothing", "allow"],
    ["X=1", "deny"],
  ])("plans: %s is %s", (line, want) => {
    expect(answer(bashCall(line), { allow: ["Bash"] }, { mode: "plan" })).toBe(want);
  });
});

describe("deny and ask over a line", () => {
  it.each([
    "git push",
    "git -C x push",
    "git --no-pager push origin",
    "ls && git push",
    "echo $(git push)",
    "FOO=1 git push",
    "/usr/bin/git push",
    "GIT push",
    "'git' push",
    "\\git push",
    "sudo git push",
    "env A=1 git push",
    "timeout 5 git push",
    "bash -c 'git push'",
    "eval 'git push'",
    "xargs git push",
    "if true; then git push; fi",
    "f() { git push; }; f",
    "g=git; $g push",
  ])("reach %s", (line) => {
    expect(answer(bashCall(line), { deny: ["Bash(git push:*)"], allow: ["Bash"] }, BYPASS)).toBe("deny");
    expect(answer(bashCall(line), { ask: ["bash(GIT push:*)"], allow: ["Bash"] }, BYPASS)).toBe("ask");
  });

  it.each(["git pull", "echo 'git push'", "git pushed", "# git push\nls"])("leave %s alone", (line) => {
    expect(answer(bashCall(line), { deny: ["Bash(git push:*)"], allow: ["Bash"] }, BYPASS)).toBe("allow");
  });

  it("reach what other tools run", () => {
    const monitor: DecideCall = { ...bashCall("rm x"), tool: toolOf("Monitor") };
    expect(answer(monitor, { deny: ["Bash(rm:*)"], allow: ["Monitor"] })).toBe("deny");
    expect(answer(monitor, { deny: ["Bash"], allow: ["Monitor"] })).toBe("deny");
    expect(answer(monitor, { allow: ["Bash(rm:*)"] })).toBe("allow");
    expect(answer(monitor, { allow: ["Bash"] })).toBe("allow");
  });

  it("bind a whole line by its exact text", () => {
    expect(answer(bashCall("ls   &&  npm test"), { deny: ["Bash(ls && npm test)"], allow: ["Bash"] })).toBe(
      "deny",
    );
  });

  it("name the sub-command, the rule and where it stands", () => {
    const deny = {
      text: "Bash(git push:*)",
      behavior: "deny",
      source: "projectSettings",
      file: ".castellan/settings.json",
      position: 3,
      reason: "Releases go through CI.",
    } as const;
    const decision = decided(bashCall("ls && git push origin"), contextOf({}, { rules: [deny] }));
    expect(decision.reason).toEqual({
      type: "subcommand",
      command: "git push origin",
      reason: { type: "rule", rule: deny },
    });
    expect(decision.message).toBe(
      "Bash is denied: The deny rule Bash(git push:*) (projectSettings, .castellan/settings.json, line 3) names `git push origin`. Releases go through CI.",
    );
  });
});

describe("what cannot be seen through, in every mode", () => {
  it.each<[string, Rules, string]>([
    ["eval $X", { deny: ["Bash(rm:*)"] }, "ask"],
    ["eval $X", { ask: ["Edit(./a)"] }, "ask"],
    ["eval $X", { deny: ["Read(.env)"] }, "ask"],
    ["eval $X", { deny: ["WebSearch", "mcp__srv"] }, "allow"],
    ["echo 'unfinished", { deny: ["Bash(rm:*)"] }, "ask"],
    ["git $X", { deny: ["Bash(git push:*)"] }, "ask"],
    ["git $X", { ask: ["Bash(git push)"] }, "ask"],
    ["ls $X", { deny: ["Bash(rm:*)"] }, "allow"],
    ["cat $X", { deny: ["Read(.env)"] }, "ask"],
    ["cat $X", { deny: ["Edit(.env)"] }, "allow"],
    ["echo x > $X", { deny: ["Edit(.env)"] }, "ask"],
    ["echo x > $X", { deny: ["Read(.env)"] }, "ask"],
    ["echo x > $X", { ask: ["Read(.env)"] }, "allow"],
    ["cat .e*", { deny: ["Read(./.env)"] }, "ask"],
    ["cat src/*", { deny: ["Read(./src/**)"] }, "deny"],
    ["cat *.md", { deny: ["Read(./.env)"] }, "allow"],
    ["cat sub/*.md", { deny: ["Read(./.env)"] }, "allow"],
    ["grep -r x .", { deny: ["Read(./.env)"] }, "ask"],
    ["grep -r x sub", { deny: ["Read(./.env)"] }, "allow"],
    ["grep -r x sub", { deny: ["Read(.env)"] }, "ask"],
    ["rm -r sub", { deny: ["Edit(./sub/keep)"] }, "ask"],
    ["exec 3<>/dev/tcp/h/80", {}, "ask"],
  ])("%s under %j: %s", (line, rules, want) => {
    const decision = decided(bashCall(line), contextOf({ allow: ["Bash"], ...rules }, BYPASS));
    expect(decision.behavior).toBe(want);
    if (want === "ask") expect(decision).toMatchObject({ hard: true, suggestions: [] });
  });

  it("asks about shells that come without an analysis", () => {
    for (const name of ["PowerShell", "REPL", "Bash"]) {
      const call: DecideCall = { tool: toolOf(name), input: {}, targets: [] };
      expect(answer(call, { deny: ["Bash(rm:*)"] }, BYPASS)).toBe("ask");
      expect(answer(call, {}, BYPASS)).toBe("allow");
    }
    expect(answer({ tool: toolOf("PowerShell"), input: {}, targets: [] }, { deny: ["Bash"] }, BYPASS)).toBe(
      "ask",
    );
  });

  it("takes an analysis that found nothing for no permission", () => {
    const analysis = { ...analyse("ls"), commands: [] };
    const call: DecideCall = { ...bashCall("ls"), targets: [{ kind: "command", analysis, command: 0 }] };
    expect(answer(call, { allow: ["Bash(ls)"] })).toBe("ask");
    expect(answer(call, { deny: ["Bash(rm)"], allow: ["Bash"] }, BYPASS)).toBe("ask");
  });

  it("needs the path that a `cd` goes to as proof", () => {
    const call = bashCall("cd src");
    expect(answer({ ...call, targets: call.targets.filter(({ kind }) => kind === "command") })).toBe("ask");
  });
});
