import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LintFinding } from "../../permissions/index.ts";
import { fixSettings } from "./fix-settings.ts";
import { lint } from "./lint-settings.ts";
import { withOther } from "./test-kit.ts";
import type { LintOptions } from "./types.ts";

let folder: string;
let home: string;
let options: LintOptions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
  home = join(folder, "home");
  const project = join(folder, "app");
  await mkdir(join(project, ".castellan"), { recursive: true });
  await mkdir(join(home, ".castellan"), { recursive: true });
  options = { cwd: project, home, settingSources: ["user", "project", "local"] };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (): string => join(folder, "app/.castellan/settings.json");

function told(findings: readonly LintFinding[]): string[] {
  return findings.map(
    ({ code, severity, line, list, rule }) => `${severity} ${code} ${line} ${list} ${rule}`,
  );
}

const PROJECT = `{
  // Ours.
  "permissions": {
    "deny": [
      "Bash(git push :* )", // never
      "Read(/home/me/.ssh/**)"
    ],
    "allow": ["Bash(ls :*)"],
    "alow": []
  },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash(git *)", "hooks": [{ "type": "command", "command": "x" }] },
      { "matcher": "(?=x)", "hooks": [] }
    ]
  }
}
`;

describe("lint of settings files", () => {
  it("tells rules, hooks and keys, each with its line", async () => {
    await writeFile(file(), PROJECT);
    const findings = await lint(options);
    expect(told(findings)).toEqual([
      "warning unknown-key 9 settings permissions.alow",
      "error space-around-star 5 deny Bash(git push :* )",
      "error single-slash 6 deny Read(/home/me/.ssh/**)",
      "warning space-around-star 8 allow Bash(ls :*)",
      "error hook-matcher 13 hooks Bash(git *)",
      "error hook-matcher 14 hooks (?=x)",
    ]);
    expect(new Set(findings.map((finding) => finding.file))).toEqual(new Set([file()]));
  });

  it("looks across files", async () => {
    await writeFile(file(), '{"permissions": {"allow": ["Bash(git log:*)"]}}');
    await writeFile(join(home, ".castellan/settings.json"), '{"permissions": {"deny": ["Bash(git:*)"]}}');
    expect(told(await lint(options))).toEqual(["warning shadowed 1 allow Bash(git log:*)"]);
    expect(await lint({ ...options, settingSources: ["project"] })).toEqual([]);
  });

  it("takes objects and files that are named, and tells entries instead of lines", async () => {
    await writeFile(join(folder, "app/own.json"), '{\n"permissions": {\n"ask": ["Bash(do)"]}}');
    const settings = [{ permissions: { deny: ["Bash(rm:*)", "Bash(do)"] } }, "own.json"];
    const findings = await lint({ cwd: join(folder, "app"), home, settings });
    expect(findings.map(({ code, line, entry }) => [code, line, entry])).toEqual([
      ["shell-fragment", 3, undefined],
      ["in-two-lists", 3, undefined],
      ["shell-fragment", undefined, 2],
    ]);
  });

  it("knows whether there is a sandbox", async () => {
    const permissions = { deny: ["Read(.env)"], allow: ["Bash(node:*)"] };
    const codes = async (sandbox: unknown): Promise<string[]> =>
      (await lint({ cwd: join(folder, "app"), home, settings: { permissions, sandbox } })).map(
        ({ code }) => code,
      );
    expect(await codes({ enabled: true })).not.toContain("secret-behind-interpreter");
    expect(await codes({ enabled: false })).toContain("secret-behind-interpreter");
    expect(await codes(undefined)).toContain("secret-behind-interpreter");
  });

  it("tells each example that fails once, with its place, and goes on", async () => {
    await writeFile(
      file(),
      `{ "permissions": {
  "deny": ["Bash(do)"],
  "rules": [
    { "rule": "Bash(npm test:*)", "behavior": "allow", "match": ["Bash(npm test)", "Bash(git push)",
      "Bash(git push)"] },
    { "rule": "Bash(rm:*)", "behavior": "deny", "notMatch": ["Bash(rm -r x)"] }
  ]
} }`,
    );
    const findings = await lint(options);
    expect(told(findings)).toEqual([
      "error failing-example 4 settings permissions.rules.0.match.1",
      "error failing-example 5 settings permissions.rules.0.match.2",
      "error failing-example 6 settings permissions.rules.1.notMatch.0",
      "error shell-fragment 2 deny Bash(do)",
    ]);
    // The place is told beside the message, not in it.
    expect(findings[2]?.message).toBe(
      "Bash(rm:*) fails its notMatch example Bash(rm -r x). The rule matches it. Mend the rule or the example.",
    );
    expect(findings[2]?.file).toBe(file());
  });

  it("tells directories that are not there, from where their source starts", async () => {
    await writeFile(
      file(),
      '{"permissions": {"additionalDirectories": [\n"../home",\n"../gone",\n".castellan/settings.json"]}}',
    );
    const findings = await lint(options);
    expect(told(findings)).toEqual([
      "warning no-directory 3 settings permissions.additionalDirectories.1",
      "warning no-directory 4 settings permissions.additionalDirectories.2",
    ]);
    expect(findings[0]?.message).toContain(`There is no directory ${join(folder, "gone")}`);
  });

  it("does not try the examples of a rule that cannot be read", async () => {
    const rules = [{ rule: "Bash(", behavior: "deny" as const, match: ["Bash(git push)"] }];
    const codes = (await lint({ ...options, settings: { permissions: { rules } } })).map(({ code }) => code);
    expect(codes).not.toContain("failing-example");
    expect(codes).toHaveLength(1);
  });
});

describe("fixSettings", () => {
  it("writes what cannot loosen, keeps the rest of the file, and tells what is left", async () => {
    await writeFile(file(), PROJECT);
    const { fixed, findings } = await fixSettings(options);
    expect(fixed.map(({ rule, fix, apply }) => [rule, fix, apply])).toEqual([
      ["Bash(git push :* )", "Bash(git push:*)", "replace"],
      ["Read(/home/me/.ssh/**)", "Read(//home/me/.ssh/**)", "add"],
    ]);
    const text = PROJECT.replace("push :* )", "push:*)").replace(
      '"Read(/home/me/.ssh/**)"',
      '"Read(/home/me/.ssh/**)",\n      "Read(//home/me/.ssh/**)"',
    );
    expect(await readFile(file(), "utf8")).toBe(text);
    expect(told(findings).filter((each) => !each.includes("hook"))).toEqual([
      "warning unknown-key 10 settings permissions.alow",
      "warning space-around-star 9 allow Bash(ls :*)",
    ]);
    expect(await fixSettings(options)).toEqual({ fixed: [], findings });
  });

  it("mends a rule that has two faults, and leaves objects alone", async () => {
    await writeFile(file(), '{"permissions": {"deny": ["bash(rm :*)"]}}');
    const { findings } = await fixSettings(options);
    expect(findings).toEqual([]);
    expect(await readFile(file(), "utf8")).toBe('{"permissions": {"deny": ["Bash(rm:*)"]}}');
    const given = await fixSettings({ ...options, settings: { permissions: { deny: ["bash(rm)"] } } });
    expect(given.fixed).toEqual([]);
    expect(given.findings).toHaveLength(2);
  });

  it("keeps what another program writes meanwhile, and says that a file was removed", async () => {
    const before = '{"permissions": {"deny": ["Bash(rm :*)"]}}';
    await writeFile(file(), before);
    const other = before.replace("{", '{"model": "x", ');
    const { fixed } = await fixSettings({ ...options, platform: withOther(() => writeFile(file(), other)) });
    expect(fixed).toHaveLength(1);
    expect(await readFile(file(), "utf8")).toBe(other.replace("rm :*", "rm:*"));

    await writeFile(file(), before);
    const failing = fixSettings({ ...options, platform: withOther(() => rm(file())) });
    await expect(failing).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringContaining(`${file()} was not changed: it was removed meanwhile`),
    });
  });
});
