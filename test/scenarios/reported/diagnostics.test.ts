import { explainDecision } from "@castellan/sdk/permissions";
import { describe, expect, it } from "vitest";
import { lintRules } from "../../../packages/sdk/src/permissions/index.ts";
import { type Call, judge, told, type World } from "../../kit/judge.ts";
import { once, run } from "../../kit/session.ts";

const write = (file_path: string): Call => ["Write", { file_path, content: "x" }];

describe("C024: the reason of an ask about a redirect", () => {
  it.each(["make unit 2>&1", "make unit >/dev/null 2>&1", "make unit 1>&2"])(
    "is not the descriptor: %s",
    async (line) => {
      const { behavior, message } = await judge(line);
      expect(behavior).toBe("ask");
      expect(message).toContain("make unit");
      expect(message).not.toMatch(/overwrit|chang|writ|redirect/i);
    },
  );

  it.each([
    ["make unit > unit.log", "unit.log"],
    ["make unit 2>> logs/err.txt", "logs/err.txt"],
  ])("is the file where there is one: %s", async (line, file) => {
    const { behavior, message } = await judge(line, { allow: ["Bash(make unit:*)"] });
    expect(behavior).toBe("ask");
    expect(message).toContain(file);
  });
});

describe("C292: a decision says what settled it", () => {
  const others = ["Bash(nc:*)", "Bash(telnet:*)", "Read(./vault/**)"];
  const deny = ["Bash(scp:*)", ...others];

  it.each<[World, string, string]>([
    [{ user: { deny } }, "userSettings", "/home/ada/.castellan/settings.json"],
    [{ deny }, "projectSettings", "/work/app/.castellan/settings.json"],
    [{ local: { deny } }, "localSettings", "/work/app/.castellan/settings.local.json"],
    [{ policy: { deny } }, "policySettings", "/etc/castellan/managed-settings.json"],
  ])("the rule, its file and line, and the part of the line: %j", async (world, source, file) => {
    const decision = await judge("cd /work/app && ls && scp a host:b", world);
    expect(decision).toMatchObject({
      behavior: "deny",
      rule: { text: "Bash(scp:*)", source, file, position: expect.any(Number) },
      reason: { type: "subcommand", command: "scp a host:b", reason: { type: "rule" } },
    });
    expect(decision.rule?.position).toBe(4);
    for (const text of [decision.message, explainDecision(decision)]) {
      expect(text).toContain("Bash(scp:*)");
      expect(text).toContain("scp a host:b");
      for (const other of others) expect(text).not.toContain(other);
    }
    expect(explainDecision(decision)).toContain(source);
  });

  it("in the same shape for an ask and an allow", async () => {
    const asked = await judge("ls && scp a b", { ask: ["Bash(scp:*)"] });
    expect(asked).toMatchObject({
      behavior: "ask",
      rule: { text: "Bash(scp:*)", source: "projectSettings" },
    });
    expect(asked.message).toContain("Bash(scp:*)");
    const allowed = await judge(write("/srv/a"), { allow: ["Write"] });
    expect(allowed).toMatchObject({ behavior: "allow", reason: { type: "rule" }, rule: { text: "Write" } });
    const free = await judge("ls");
    expect(free.behavior).toBe("allow");
    expect(free.rule).toBeUndefined();
  });

  it("C204: also where an allow rule names the same call", async () => {
    const world: World = { user: { deny: ["Bash(svn commit:*)"] }, local: { allow: ["Bash(svn commit:*)"] } };
    const { message, rule } = await judge("svn commit -m x", world);
    expect(rule).toMatchObject({ text: "Bash(svn commit:*)", source: "userSettings", behavior: "deny" });
    expect(message).toContain("/home/ada/.castellan/settings.json");
  });

  it("to the model too, and nothing else of the list", async () => {
    const settings = { permissions: { deny } };
    const { texts } = await run(once("Bash", { command: "ls && scp a host:b" }), { settings });
    expect(texts[0]).toContain("Bash(scp:*)");
    expect(texts[0]).toContain("scp a host:b");
    for (const other of others) expect(texts[0]).not.toContain(other);
  });
});

describe("what a session is told of its rules when it starts", () => {
  it.each<[string, World, string, RegExp]>([
    ["C299", { deny: ["Bash("] }, "Bash(", /cannot be read.*deny rule on the whole tool/],
    [
      "C299",
      { user: { ask: ["mcp__shop(x)"] } },
      "mcp__shop(x)",
      /cannot be read.*ask rule on the whole tool/,
    ],
    ["C299", { allow: ["Bash(xz:*"] }, "Bash(xz:*", /cannot be read.*ignored/],
    ["C286", { deny: ["Read(!open.txt)"] }, "Read(!open.txt)", /matches nothing/],
  ])("%s: %j", async (_, world, rule, message) => {
    const findings = await told(world);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule, message: expect.stringMatching(message) }),
    );
    expect(findings.find((each) => each.rule === rule)?.position).toBeGreaterThan(0);
    const good: World = { deny: ["Bash(xz:*)", "Read(open.txt)"], user: { ask: ["mcp__shop"] } };
    expect(await told(good)).toEqual([]);
  });

  it("C299: the machine's policy stops the session", async () => {
    await expect(judge("ls", { policy: { deny: ["Bash("] } })).rejects.toMatchObject({
      code: "invalid_rule",
    });
    await expect(judge("ls", { policy: { allow: ["Bash("] } })).resolves.toMatchObject({ behavior: "allow" });
  });

  it.each(["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const)(
    "C293: and it is the same in the mode %s",
    async (mode) => {
      const deny = ["Read(!open.txt)", "Bash(", "Wirte(x)"];
      expect((await told({ deny, mode })).map((each) => each.rule).toSorted()).toEqual(deny.toSorted());
    },
  );
});

describe("C004: a path that only looks absolute", () => {
  const of = (text: string) =>
    lintRules({ rules: [{ text, behavior: "deny", source: "userSettings" }] }).filter(
      ({ code }) => code === "single-slash",
    );

  it.each([
    ["Read(/home/ada/.gnupg/**)", "Read(//home/ada/.gnupg/**)"],
    ["Edit(/Users/ada/x)", "Edit(//Users/ada/x)"],
  ])("%s is an error, with what to write", (text, fix) => {
    expect(of(text)).toMatchObject([{ severity: "error", fix }]);
    expect(of(fix)).toEqual([]);
  });

  it("and one that is meant so is none", () => {
    expect(of("Read(/lib/**)").filter(({ severity }) => severity === "error")).toEqual([]);
    expect(of("Read(./lib/**)")).toEqual([]);
  });
});

describe("C294: a rule with a reason", () => {
  const rules = [{ rule: "Bash(bundle:*)", behavior: "deny", reason: "Use bin/tasks." }] as const;

  it("gives it to the model", async () => {
    const decision = await judge("bundle install", { rules });
    expect(decision).toMatchObject({
      behavior: "deny",
      rule: { text: "Bash(bundle:*)", reason: "Use bin/tasks." },
    });
    expect(decision.message).toContain("Use bin/tasks.");
    expect((await judge("bundle install", { deny: ["Bash(bundle:*)"] })).message).not.toContain(
      "Use bin/tasks.",
    );
  });

  it("stands in a list of rules as well, and drops none of them", async () => {
    const deny = ["Bash(npm publish:*)", { rule: "Bash(bundle:*)", reason: "Use bin/tasks." }] as never;
    const world: World = { deny, allow: ["Bash"] };
    expect((await judge("npm publish", world)).behavior).toBe("deny");
    const denied = await judge("bundle install", world);
    expect(denied.behavior).toBe("deny");
    expect(denied.message).toContain("Use bin/tasks.");
    expect((await judge("rake build", world)).behavior).toBe("allow");
  });

  it.each([[{ ruel: "Bash(bundle:*)" }], [{ rule: 4 }], [17], [null]])(
    "and what is none is told, and never means that nothing is denied: %j",
    async (entry) => {
      const world: World = { deny: ["Bash(npm publish:*)", entry] as never, mode: "bypassPermissions" };
      expect(await told(world)).toMatchObject([{ severity: "error", key: "permissions.deny[1]" }]);
      expect((await judge("npm publish", world)).behavior).toBe("deny");
      expect((await judge("bundle install", world)).behavior).toBe("ask");
      const good: World = { deny: ["Bash(npm publish:*)"], mode: "bypassPermissions" };
      expect((await judge("bundle install", good)).behavior).toBe("allow");
    },
  );
});
