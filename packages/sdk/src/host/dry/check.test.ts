import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import { trust } from "../../settings/index.ts";
import { check, explain } from "./check.ts";
import { listRules } from "./list-rules.ts";
import type { CheckOptions, PolicyFinding } from "./types.ts";

const made: string[] = [];
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true });
});

/** A home and a project of their own, with files in them. */
async function place(
  files: Readonly<Record<string, string>> = {},
): Promise<CheckOptions & { cwd: string; home: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "castellan-dry-")));
  made.push(root);
  const [cwd, home] = [join(root, "app"), join(root, "home")];
  await mkdir(cwd);
  await mkdir(home);
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { cwd, home };
}
const bash = (command: string) => ({ tool: "Bash", input: { command } });
const ALL: CheckOptions = { settingSources: ["user", "project", "local"], compat: ["claude", "qoder"] };
const denies = (rule: string): string =>
  `{\n  // mine\n  "permissions": { "deny": [\n    "${rule}",\n  ] },\n}`;

describe("check", () => {
  it("works where nothing is, and reads no settings unless it is told to", async () => {
    const here = await place({ "app/.castellan/settings.json": denies("Bash(make:*)") });
    expect(await check(bash("make"), here)).toMatchObject({
      behavior: "ask",
      reason: { type: "subcommand" },
    });
    const decision = await check(bash("make"), { ...here, ...ALL });
    expect(decision).toMatchObject({
      behavior: "deny",
      rule: {
        text: "Bash(make:*)",
        source: "projectSettings",
        file: join(here.cwd, ".castellan/settings.json"),
        position: 4,
      },
    });
    expect(decision.trace.at(-1)).toMatchObject({ step: 1, outcome: "deny" });
  });

  it("reads the files that are named as the flag layer, each with its host's anchors", async () => {
    const here = await place({
      "a.json": denies("Read(/etc/x)"),
      ".qoder/settings.json": denies("Read(/etc/x)"),
    });
    const read = { tool: "Read", input: { file_path: "/etc/x" } };
    const [own, host] = [join(here.cwd, "../a.json"), "../.qoder/settings.json"];
    expect((await check(read, { ...here, settings: own })).behavior).toBe("ask");
    expect((await check(read, { ...here, settings: [own, host] })).rule).toMatchObject({
      source: "flagSettings",
    });
    expect(
      (await check(read, { ...here, settings: [{ permissions: { deny: ["Read"] } }, own] })).behavior,
    ).toBe("deny");
    await expect(check(read, { ...here, settings: "none.json" })).rejects.toMatchObject({
      code: "invalid_settings",
    });
  });

  it("takes the user's word for trust, and tells what does not count without it", async () => {
    const here = await place({
      "app/.castellan/settings.json": `{"permissions":{"allow":["Bash(make:*)"]}}`,
    });
    const found: PolicyFinding[] = [];
    const options: CheckOptions = { ...here, ...ALL, onFinding: (finding) => void found.push(finding) };
    expect((await check(bash("make"), options)).behavior).toBe("ask");
    expect(found).toMatchObject([{ source: "projectSettings", severity: expect.any(String) }]);
    expect((await check(bash("make"), { ...options, trusted: true })).behavior).toBe("allow");
    await trust({ platform: nodePlatform(), home: here.home, projectRoot: here.cwd });
    expect((await check(bash("make"), options)).behavior).toBe("allow");
    expect((await check(bash("make"), { ...options, trusted: false })).behavior).toBe("ask");
  });

  it("follows links of the disk, takes directories and a mode, and runs nothing", async () => {
    const here = await place({ "other/x": "" });
    await symlink("../other", join(here.cwd, "link"));
    const read = { tool: "Read", input: { file_path: "link/x" } };
    expect((await check(read, here)).behavior).toBe("ask");
    expect((await check(read, { ...here, additionalDirectories: ["../other"] })).behavior).toBe("allow");
    expect((await check(bash("touch made"), { ...here, mode: "yolo" })).behavior).toBe("allow");
    expect((await check(bash("touch made"), { ...here, mode: "acceptEdits" })).behavior).toBe("allow");
    await expect(realpath(join(here.cwd, "made"))).rejects.toThrow("ENOENT");
    expect(
      (await check(bash("make"), { ...here, settings: { permissions: { defaultMode: "dontAsk" } } }))
        .behavior,
    ).toBe("deny");
  });

  it("takes ~ in directories and the environment of settings as a session does", async () => {
    const here = await place({ "home/notes/x": "", "else/.x": "" });
    const read = { tool: "Read", input: { file_path: join(here.home, "notes/x") } };
    expect((await check(read, { ...here, additionalDirectories: ["~/notes"] })).behavior).toBe("allow");
    const moved = join(here.home, "../else");
    const settings = { env: { HOME: moved }, permissions: { deny: ["Read(~/.x)"] } };
    expect(await check(bash("cat ~/.x"), { ...here, settings })).toMatchObject({
      behavior: "deny",
      rule: { text: "Read(~/.x)" },
    });
    expect(
      (await check({ tool: "Read", input: { file_path: join(moved, ".x") } }, { ...here, settings }))
        .behavior,
    ).toBe("deny");
  });

  it("keeps the mode where settings refuse questions, so that what it allows stays allowed", async () => {
    const here = { ...(await place()), settings: { permissions: { denyInsteadOfPrompting: true } } };
    expect((await check(bash("touch made"), { ...here, mode: "acceptEdits" })).behavior).toBe("allow");
    expect(await check(bash("make"), { ...here, mode: "acceptEdits" })).toMatchObject({
      behavior: "deny",
      reason: { type: "settings" },
    });
  });

  it("asks in every mode while the user's settings cannot be read", async () => {
    const here = await place({ "home/.castellan/settings.json": "{" });
    const decision = await check(bash("ls"), { ...here, ...ALL, mode: "yolo" });
    expect(decision).toMatchObject({ behavior: "ask", reason: { type: "settings" } });
  });

  it("denies an input that does not fit, and refuses a tool that does not exist", async () => {
    const here = await place();
    expect(await check({ tool: "Bash", input: {} }, here)).toMatchObject({
      behavior: "deny",
      reason: { type: "invalid" },
    });
    await expect(check({ tool: "Bahs", input: {} }, here)).rejects.toThrow(
      'There is no tool "Bahs". Did you mean Bash?',
    );
  });

  it.each([
    [{ alow: [] }, "options.alow is not an option."],
    [{ mode: "auto" }, 'options.mode is "auto".'],
    [{ settings: 1 }, "options.settings is 1."],
    [{ settingSources: ["users"] }, 'options.settingSources[0] is "users".'],
    [{ cwd: "/nowhere/at/all" }, "there is no directory /nowhere/at/all"],
    [{ trusted: "yes" }, 'options.trusted is "yes".'],
  ])("refuses the options %j", async (options, says) => {
    await expect(check(bash("ls"), options as CheckOptions)).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining(says),
    });
  });
});

describe("explain", () => {
  it("names sub-command, rule, file and line, step, and what would change it", async () => {
    const here = await place({ "app/.castellan/settings.json": denies("Bash(git push:*)") });
    const file = join(here.cwd, ".castellan/settings.json");
    const lines = (await explain(bash("ls && git -C x push"), { ...here, ...ALL })).split("\n");
    const text = lines.join(" ").replace(/\s+/g, " ");
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(text).toContain("sub-command: git -C x push");
    expect(text).toContain(`rule: deny Bash(git push:*) (projectSettings, ${file}, line 4)`);
    expect(text).toContain("step 1 (deny): deny rule on a target -> deny");
    expect(text).toContain("only without the rule Bash(git push:*)");
  });
});

describe("listRules", () => {
  it("names every rule with its place, expiry and findings, deny first", async () => {
    const here = await place({
      "home/.castellan/settings.json": `{
  "permissions": {
    "allow": ["Bash(make:*)", "Bsh(x)"],
    "rules": [
      { "rule": "Bash(old)", "behavior": "ask", "expires": "2020-01-31", "reason": "Once." },
      { "rule": "Bash(new)", "behavior": "ask", "expires": "2999-01-31", "approver": "human" }
    ]
  }
}`,
    });
    const listing = await listRules({
      ...here,
      ...ALL,
      disallowedTools: ["WebSearch"],
      additionalDirectories: ["../home"],
      mode: "plan",
    });
    const file = join(here.home, ".castellan/settings.json");
    expect(listing).toMatchObject({ mode: "plan", trusted: false, projectRoot: here.cwd });
    expect(listing.additionalDirectories).toEqual([{ path: here.home, source: "cliArg" }]);
    expect(listing.rules).toEqual([
      { rule: "WebSearch", behavior: "deny", source: "cliArg", file: "disallowedTools", entry: 1 },
      {
        rule: "Bash(old)",
        behavior: "ask",
        source: "userSettings",
        file,
        line: 5,
        reason: "Once.",
        expires: expect.stringMatching(/^2020-01-31T23:59/),
        expired: true,
      },
      {
        rule: "Bash(new)",
        behavior: "ask",
        source: "userSettings",
        file,
        line: 6,
        approver: "human",
        expires: expect.stringMatching(/^2999/),
      },
      { rule: "Bash(make:*)", behavior: "allow", source: "userSettings", file, line: 3 },
      { rule: "Bsh(x)", behavior: "allow", source: "userSettings", file, line: 3 },
    ]);
    expect(listing.findings).toMatchObject([{ rule: "Bsh(x)", severity: "warning", file, position: 3 }]);
  });

  it("tells directories that are not there, of settings and of options", async () => {
    const permissions = { additionalDirectories: ["../no", "../home"] };
    const { findings } = await listRules({
      ...(await place()),
      settings: { permissions },
      additionalDirectories: ["../gone"],
    });
    expect(findings.map(({ source, key, message }) => `${source} ${key} ${message}`)).toEqual([
      expect.stringMatching(/^flagSettings permissions.additionalDirectories.0 There is no directory .*no:/),
      expect.stringMatching(/^cliArg permissions.additionalDirectories.0 There is no directory .*gone:/),
    ]);
  });

  it("is empty where nothing is", async () => {
    expect(await listRules(await place())).toMatchObject({
      mode: "default",
      rules: [],
      findings: [],
      additionalDirectories: [],
    });
  });
});
