import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { DemoFacts } from "../../packages/cli/src/demo/report.ts";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";

const exec = promisify(execFile);

async function demoJson(...flags: string[]) {
  const place = await scratch();
  const end = await runCli(place, ["demo", "--json", ...flags]);
  expect(end.stderr).toBe("");
  expect(end.code).toBe(0);
  const report: DemoFacts = JSON.parse(end.stdout);
  return { place, report };
}

/** What the calls were about: commands, else files, else nothing. */
function subjects(calls: DemoFacts["decisions"]): readonly unknown[] {
  return calls.map(({ input }) => {
    const { command, file_path } = input as Record<string, unknown>;
    return command ?? file_path;
  });
}

describe("castellan demo --json", () => {
  it("tells what ran, what was denied by which rule, and what came of it", async () => {
    const { report } = await demoJson();
    expect(report.testsPass).toEqual({ before: false, after: true });
    expect(report.diff).toContain(
      "-  return total > freeFrom ? 0 : 5;\n+  return total >= freeFrom ? 0 : 5;",
    );
    const denied = report.decisions.filter((call) => call.decision.behavior === "deny");
    expect(subjects(denied)).toEqual(["cat .env"]);
    expect(denied[0]?.decision.rule).toMatchObject({
      text: "Read(.env)",
      behavior: "deny",
      source: "flagSettings",
      file: "settings.permissions.deny",
    });
    const asked = report.decisions.filter((call) => call.decision.asked);
    expect(asked.map((call) => [call.tool, call.answeredBy])).toEqual([["Edit", "script"]]);
    expect(report.customToolCalls).toHaveLength(1);
    expect(report.customToolCalls[0]?.file).toBe("src/shipping.js");
    expect(report.result).toMatchObject({ subtype: "success", num_turns: 9 });
    expect(report.result?.permission_denials).toHaveLength(1);
  });

  it("leaves behind the project, whose own tests and history say the same", async () => {
    const { place, report } = await demoJson();
    expect(report.folder.startsWith(place.tmp)).toBe(true);
    const git = async (...args: string[]) => (await exec("git", args, { cwd: report.folder })).stdout;
    expect(await git("status", "--porcelain")).toBe(" M src/shipping.js\n");
    expect(await git("log", "--format=%an: %s")).toBe("Corner Shop: The shop as it was\n");
    await exec(process.execPath, ["--test"], { cwd: report.folder });
    await git("checkout", "--quiet", "src/shipping.js");
    await expect(exec(process.execPath, ["--test"], { cwd: report.folder })).rejects.toThrow();
  });

  it("writes a log in which nothing holds the secret", async () => {
    const { report } = await demoJson();
    const log = await readFile(report.log ?? "", "utf8");
    expect(log).toContain('"text":"Read(.env)"');
    expect(log).not.toContain("not-for-anybody");
  });

  it("goes another way without the deny rule", async () => {
    const { report } = await demoJson("--no-deny");
    expect(report.testsPass).toEqual({ before: false, after: true });
    expect(report.decisions.every((call) => call.decision.behavior === "allow")).toBe(true);
    const calls = subjects(report.decisions);
    expect(calls).toContain("cat .env");
    expect(calls).not.toContain(".env.example");
    expect(report.result?.permission_denials).toEqual([]);
  });
});

describe("castellan demo", () => {
  it("prints all on standard output, no line over 80 columns but the paths of this machine", async () => {
    const place = await scratch();
    const { code, stdout, stderr } = await runCli(place, ["demo"]);
    expect([code, stderr]).toEqual([0, ""]);
    const long = stdout.split("\n").filter((line) => line.length > 80 && !line.includes(place.tmp));
    expect(long.filter((line) => !line.startsWith("  log      "))).toEqual([]);
    const table = stdout.slice(stdout.indexOf("Every decision"), stdout.indexOf("What changed"));
    expect(table.split("\n").slice(2, -2)).toEqual(TABLE);
    expect(stdout).toContain("  ? Edit is asked about; nobody is here, so the script says yes\n");
    expect(stdout).toContain("  └ denied: rule Read(.env) from flagSettings (settings.permissions.deny)\n");
    expect(stdout).toContain("  tests    fail before, pass after\n");
    expect(stdout).toContain(join(place.tmp, "castellan-demo-"));
  });

  it("says that git is missing", async () => {
    const place = await scratch();
    const { code, stdout, stderr } = await runCli(place, ["demo"], { env: { PATH: place.work } });
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toBe("castellan: The demo needs git, which is not in the PATH. Install it.\n");
  });

  it("says that the temporary folder cannot be written", async () => {
    const place = await scratch();
    const TMPDIR = join(place.tmp, "gone");
    const { code, stderr } = await runCli(place, ["demo"], { env: { TMPDIR, TMP: TMPDIR, TEMP: TMPDIR } });
    expect(code).toBe(6);
    expect(stderr).toContain(`The demo cannot make its project in ${TMPDIR}: ENOENT`);
    expect(stderr).toContain("Set TMPDIR to a folder that you may write.");
  });

  it("leaves the repository alone that the caller's git variables name", async () => {
    const place = await scratch();
    await exec("git", ["init", "--quiet", place.work]);
    const GIT_DIR = join(place.work, ".git");
    const before = await readdir(GIT_DIR, { recursive: true });
    const { code } = await runCli(place, ["demo", "--json"], { env: { GIT_DIR, GIT_WORK_TREE: place.work } });
    expect(code).toBe(0);
    expect(await readdir(GIT_DIR, { recursive: true })).toEqual(before);
  });
});

const TABLE = [
  "  call                        answer  why",
  "  Bash node --test            allow   rule Bash(node --test) from cliArg",
  "                                      (allowedTools)",
  "  Grep shippingCost           allow   `.` lies in a working directory",
  "  Read src/shipping.js        allow   `src/shipping.js` lies in a working",
  "                                      directory",
  "  Read test/shipping.test.js  allow   `test/shipping.test.js` lies in a working",
  "                                      directory",
  "  Bash cat .env               deny    rule Read(.env) from flagSettings",
  "                                      (settings.permissions.deny)",
  "  Read .env.example           allow   `.env.example` lies in a working directory",
  "  Edit src/shipping.js        allow   asked, the script allowed it",
  "  Bash node --test            allow   rule Bash(node --test) from cliArg",
  "                                      (allowedTools)",
  "  log_fix src/shipping.js     allow   No rule allows the tool, and its risk is",
  "                                      low",
];
