import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const CASE = {
  id: "nobody pushes",
  settings: { project: { permissions: { deny: ["Bash(git push:*)"] } } },
  mode: "default",
  cwd: "/w/app",
  call: { tool: "Bash", input: { command: "git -C lib push" } },
  want: "deny",
};
const lines = (...cases: readonly object[]): string =>
  cases.map((each) => `${JSON.stringify(each)}\n`).join("");

async function withSettings(files: Readonly<Record<string, string>> = {}): Promise<Scratch> {
  const place = await scratch();
  for (const [path, text] of Object.entries(files)) {
    const file = join(place.work, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
  return place;
}
const run = (place: Scratch, ...args: readonly string[]) => runCli(place, ["permissions", ...args]);
const DENY = '{\n  "permissions": {\n    "deny": ["Bash(rm:*)"] // mine\n  }\n}\n';

describe("castellan permissions check and explain", () => {
  it("work in a folder with nothing", async () => {
    const place = await scratch();
    expect(await run(place, "check", "ls")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^allow: Bash is allowed/),
    });
    expect(await run(place, "check", "make")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ask: /),
    });
    expect(await run(place, "list")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no rules\n"),
    });
  });

  it("read the settings that a run would read, with file and line", async () => {
    const place = await withSettings({ ".castellan/settings.json": DENY, "home/x": "" });
    await mkdir(join(place.home, ".castellan"), { recursive: true });
    await writeFile(
      join(place.home, ".castellan/settings.json"),
      '{"permissions":{"allow":["Bash(make:*)"]}}',
    );
    const file = join(place.work, ".castellan/settings.json");
    const { code, stdout, stderr } = await run(place, "explain", "git push && rm -rf x");
    expect([code, stderr]).toEqual([0, ""]);
    const out = stdout.trimEnd().split("\n");
    expect(out.length).toBeLessThanOrEqual(12);
    expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(out).toContain("sub-command: rm -rf x");
    expect(stdout.replace(/\s+/g, " ")).toContain(`rule: deny Bash(rm:*) (projectSettings, ${file}, line 3)`);
    expect(out).toContain("only without the rule Bash(rm:*)");
    expect((await run(place, "check", "make")).stdout).toMatch(/^allow: .*userSettings/);
    expect((await run(place, "check", "make", "--settings", ".castellan/settings.json")).stdout).toMatch(
      /^ask: /,
    );
  });

  it("print the decision as JSON, and findings on standard error", async () => {
    const place = await withSettings({
      ".castellan/settings.json": '{"permissions":{"allow":["Bash(make)"],"alow":[]}}',
    });
    const { code, stdout, stderr } = await run(place, "check", "make", "--json");
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({
      behavior: "ask",
      message: expect.any(String),
      reason: { type: "subcommand" },
      hard: false,
      trace: expect.arrayContaining([expect.objectContaining({ step: 1 })]),
    });
    expect(stderr).toMatch(/line 1: permissions\.alow is no key of settings/);
    expect(stderr).toContain("run `castellan trust` there, or pass --trust-workspace.");
    const explained = JSON.parse((await run(place, "explain", "make", "--json")).stdout);
    expect(explained).toMatchObject({
      text: expect.stringContaining("ask: Bash"),
      decision: { behavior: "ask" },
    });
  });

  it("take a tool and its input as text, from a file and from standard input", async () => {
    const place = await withSettings({ "input.json": '{"file_path":"/etc/hosts"}', "sub/x": "" });
    const input = '{"file_path":"/etc/hosts"}';
    const { stdout } = await run(place, "check", "--tool", "Read", "--input", input);
    expect(stdout).toMatch(/^ask: Read/);
    expect((await run(place, "check", "--tool", "Read", "--input", "@input.json")).stdout).toBe(stdout);
    const piped = await runCli(place, ["permissions", "check", "--tool", "Read", "--input", "-"], { input });
    expect(piped.stdout).toBe(stdout);
    expect(
      (await run(place, "check", "--tool", "Read", "--input", input, "--add-dir", "/etc")).stdout,
    ).toMatch(/^allow/);
    expect(
      (await run(place, "check", "--tool", "Read", "--input", input, "--allow", "Read(//etc/*)")).stdout,
    ).toMatch(/^allow/);
    expect((await run(place, "check", "ls", "--deny", "Bash(ls)", "--mode", "yolo")).stdout).toMatch(/^deny/);
    expect((await run(place, "check", "make", "--mode", "yolo", "--cwd", "sub")).stdout).toMatch(/^allow/);
    expect((await run(place, "check", "--tool", "mcp__any__thing", "--input", "{}")).stdout).toMatch(/^ask/);
  });

  it.each([
    { args: ["check"], says: "No call." },
    { args: ["check", "--tool", "Read"], says: "--tool needs --input." },
    { args: ["check", "--input", "{}"], says: "--input needs --tool." },
    { args: ["check", "ls", "--tool", "Read"], says: "A command is a call of Bash, not of Read." },
    { args: ["check", "--tool", "Read", "--input", "{"], says: "--input is no JSON: " },
    { args: ["check", "--tool", "Read", "--input", "[]"], says: "--input is no JSON object." },
    { args: ["check", "--tool", "Read", "--input", "@"], says: "--input @ names no file." },
    { args: ["check", "ls", "--settings", "{"], says: "--settings is no JSON: " },
    {
      args: ["check", "--tool", "Read", "--input", "@none.json"],
      says: "none.json cannot be read: there is no such file",
    },
    {
      args: ["check", "--tool", "Raed", "--input", "{}"],
      says: 'There is no tool "Raed". Did you mean Read?',
    },
    { args: ["check", "ls", "--mode", "auto"], says: "argument 'auto' is invalid" },
    { args: ["check", "ls", "--cwd", "none"], says: '--cwd is "none": there is no directory' },
    { args: ["check", "ls", "--alow", "x"], says: "(Did you mean --allow?)" },
    { args: ["chek"], says: "unknown command 'chek'" },
    { args: ["test"], says: "required option '--cases <file>' not specified" },
  ])("castellan permissions $args is wrong usage", async ({ args, says }) => {
    expect(await run(await scratch(), ...args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(says),
    });
  });

  it("end with the code for configuration where settings that were named cannot be read", async () => {
    const place = await withSettings({ "broken.json": "{" });
    for (const file of ["broken.json", "none.json"]) {
      expect(await run(place, "check", "ls", "--settings", file)).toMatchObject({
        code: 6,
        stdout: "",
        stderr: expect.stringContaining(file),
      });
    }
  });

  it("take settings as JSON as well as files, and put all that are given together", async () => {
    const place = await withSettings({ "deny.json": DENY, ".castellan/settings.json": DENY });
    const allow = JSON.stringify({ permissions: { allow: ["Bash(make:*)", "Bash(rm:*)"] } });
    const given = ["--settings", "deny.json", "--settings", allow];
    expect((await run(place, "check", "make", ...given)).stdout).toMatch(/^allow: .*flagSettings/);
    expect((await run(place, "check", "rm x", ...given)).stdout).toMatch(/^deny: .*deny\.json, line 3/);
    expect((await run(place, "check", "rm x", "--settings", allow)).stdout).toMatch(/^(allow|ask): /);
    const missing = await run(place, "check", "ls", "--settings", "none.json");
    expect(missing.stderr).toContain("Name one that exists, or give them as JSON.");
  });
});

describe("castellan permissions list", () => {
  it("prints rules with their places, and findings", async () => {
    const place = await withSettings({ ".castellan/settings.json": DENY });
    const { code, stdout } = await run(
      place,
      "list",
      "--allow",
      "Bash(make:*)",
      "--allow",
      "Foo",
      "--add-dir",
      "..",
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`mode default; project ${place.work}, not trusted\n`);
    expect(stdout).toContain(
      `deny   Bash(rm:*)    projectSettings, ${join(place.work, ".castellan/settings.json")}, line 3\n`,
    );
    expect(stdout).toContain("allow  Bash(make:*)  cliArg, allowedTools, entry 1\n");
    expect(stdout).toContain("warning: allowedTools, entry 2: Foo: No tool is called Foo.");
    const listing = JSON.parse(
      (await run(place, "list", "--json", "--trust-workspace", "--mode", "plan")).stdout,
    );
    expect(listing).toMatchObject({
      mode: "plan",
      trusted: true,
      rules: [{ rule: "Bash(rm:*)", line: 3 }],
      findings: [],
    });
  });
});

describe("castellan permissions test", () => {
  it("passes, fails and prints the same as JSON", async () => {
    const place = await withSettings({
      "good.jsonl": lines(CASE),
      "bad.jsonl": `\n${lines(CASE, { ...CASE, id: "two", want: "allow" })}`,
    });
    expect(await run(place, "test", "--cases", "good.jsonl")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: "1 case: 1 passed, 0 failed\n",
    });
    const { code, stdout } = await run(place, "test", "--cases", "bad.jsonl");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^FAILED two: want allow, got deny\n {2}Bash is denied: .*\n2 cases: 1 passed, 1 failed\n$/,
    );
    const json = await run(place, "test", "--cases", "bad.jsonl", "--json");
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      {
        total: 2,
        passed: 1,
        failed: [{ id: "two", want: "allow", got: "deny", reason: expect.any(String) }],
      },
    ]);
  });

  it("reads YAML, with anchors, comments and names of the author's choice", async () => {
    const place = await withSettings({
      "policy.yaml": `# What our policy must do.
- id: nobody pushes
  settings: &ours
    project:
      permissions:
        deny: ["Bash(git push:*)"]
  mode: default
  cwd: /w/app
  call: { tool: Bash, input: { command: git -C lib push } }
  want: deny
- id: nor in bypass
  settings: *ours
  mode: yolo
  cwd: /w/app
  call:
    tool: Bash
    input:
      command: |
        ls
        git push
  want: allow
`,
    });
    const { code, stdout } = await run(place, "test", "--cases", "policy.yaml", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { total: 2, passed: 1, failed: [{ id: "nor in bypass", got: "deny" }] },
    ]);
  });

  it.each([
    ["a.jsonl", `${lines(CASE)}{"id":\n`, "a.jsonl, line 2: it is no JSON: "],
    [
      "a.jsonl",
      `\n\n${lines({ ...CASE, mode: "defualt" })}`,
      'a.jsonl, line 3: mode is "defualt". It must be one of',
    ],
    [
      "a.jsonl",
      lines(CASE, { ...CASE, id: "b", wants: "x" }),
      "a.jsonl, line 2: a case has no key wants. Did you mean want?",
    ],
    ["a.jsonl", lines(CASE, CASE), 'a.jsonl, line 2: id is "nobody pushes", which a.jsonl, line 1 has too.'],
    [
      "a.jsonl",
      lines({ ...CASE, call: { tool: "Bahs", input: {} } }),
      'a.jsonl, line 1: call.tool is "Bahs": there is no such tool. Did you mean Bash?',
    ],
    ["a.jsonl", "\n", "a.jsonl holds no case."],
    ["a.yaml", "- id: x\n  mode: [\n", "a.yaml, line "],
    ["a.yaml", "- id: x\n---\n- id: y\n", "a.yaml, line 2: a second document begins, and only one is read."],
    ["a.yaml", "id: x\n", "a.yaml, line 1: it is no list."],
    ["a.yaml", "- id: x\n  id: y\n", "a.yaml, line 2: it is no YAML: Map keys must be unique"],
    [
      "a.yml",
      `- ${JSON.stringify(CASE)}\n\n- want: deny\n`,
      "a.yml, line 3: id is missing. Every case needs it.",
    ],
    ["a.yaml", "", "a.yaml holds no case."],
  ])("refuses %s with %j", async (file, text, says) => {
    const place = await withSettings({ [file]: text });
    const end = await run(place, "test", "--cases", file, "--json");
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
  });

  it("refuses a file that is not there", async () => {
    const end = await run(await scratch(), "test", "--cases", "none.jsonl");
    expect(end).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--cases none.jsonl cannot be read: there is no such file"),
    });
  });

  it("ends at Ctrl-C", async () => {
    const place = await scratch();
    const end = await runCli(place, ["permissions", "check", "--tool", "Read", "--input", "-"], {
      input: null,
      started: (child) => setTimeout(() => child.kill("SIGINT"), 500),
    });
    expect([end.code, end.signal]).toEqual([null, "SIGINT"]);
  });
});
