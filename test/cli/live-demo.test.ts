import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { DemoFacts } from "../../packages/cli/src/demo/report.ts";
import type { LoopbackTurn } from "../loopback/index.ts";
import { loopback } from "./loopback.ts";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";
import { inTerminal, KEY } from "./terminal.ts";

const call = (name: string, input: object): LoopbackTurn => ({ toolCalls: [{ name, input }] });
const tests = call("Bash", { command: "node --test" });
const look = call("Read", { file_path: "src/shipping.js" });
const edit = (file_path: string, old_string: string, new_string: string) =>
  call("Edit", { file_path, old_string, new_string });
const fix = edit("src/shipping.js", "total > freeFrom", "total >= freeFrom");
const note = call("log_fix", { file: "src/shipping.js", summary: "Free from the threshold on." });

describe("castellan demo --live", () => {
  it("does the job with the model whose key is there", async () => {
    const server = await loopback([tests, look, fix, tests, note, "Fixed."]);
    const end = await runCli(await scratch(), ["demo", "--live", "--json"], { env: server.env });
    expect([end.code, end.stderr]).toEqual([0, ""]);
    const report: DemoFacts = JSON.parse(end.stdout);
    expect(report).toMatchObject({ model: "anthropic/claude-sonnet-5-5" });
    expect(report.testsPass).toEqual({ before: false, after: true });
    expect(report.diff).toContain("+  return total >= freeFrom ? 0 : 5;");
    expect(report.customToolCalls).toHaveLength(1);
    expect(server.requests).toHaveLength(6);
    expect(server.requests.every((request) => request.format === "anthropic")).toBe(true);
  });

  it("says yes for nobody to one Edit in src/, no to all else, and tells both", async () => {
    const server = await loopback([
      look,
      call("Bash", { command: "cat .env" }),
      call("Bash", { command: "touch made" }),
      call("Write", { file_path: "src/new.js", content: "x" }),
      call("Read", { file_path: "README.md" }),
      edit("src/../README.md", "Corner shop", "Shop"),
      fix,
      edit("src/shipping.js", ">= freeFrom", "> freeFrom"),
      "Done.",
    ]);
    const { code, stdout } = await runCli(await scratch(), ["demo", "--live", "--model", "openai/gpt-5.5"], {
      env: server.env,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("model    openai/gpt-5.5\n");
    expect(stdout).toContain("nobody is here: the script allows one Edit in src/ and denies the rest\n");
    const answers = stdout.split("\n").filter((line) => line.includes("is asked about"));
    expect(
      answers.map((line) => line.replace("is asked about; nobody is here, so the script says ", "")),
    ).toEqual(["Bash no", "Write no", "Edit no", "Edit yes", "Edit no"].map((answer) => `  ? ${answer}`));
    expect(stdout).toContain("  tests    fail before, pass after\n");
    expect(stdout).toMatch(/ {2}cost {5}\$\d+\.\d{4}; 9 turns, \d+ tokens read, \d+ written\n/);
    expect(stdout.split("\n").filter((line) => /^[+-]{3} /.test(line.trim()))).toHaveLength(2);
  });

  it("tells a run that mends nothing as what it was", async () => {
    const server = await loopback([look, "I fixed it, all tests pass."]);
    const { code, stdout } = await runCli(await scratch(), ["demo", "--live"], { env: server.env });
    expect(code).toBe(1);
    expect(stdout).toContain("  tests    fail before, fail after\n");
    expect(stdout).toContain("What changed\n\n  nothing\n");
  });

  it("asks the person at the terminal", async () => {
    const server = await loopback([look, call("Bash", { command: "touch made" }), "Well."]);
    const place = await scratch();
    const terminal = await inTerminal(place, ["demo", "--live"], 80, server.env);
    await terminal.until("? Allow Bash?\n  touch made\n");
    await terminal.until("Deny, with a reason");
    terminal.press(KEY.escape);
    await terminal.until("fail after");
    expect(await terminal.ended).toBe(130);
    expect(terminal.text()).not.toContain("nobody is here");
  });

  it("goes on later with its own tool", async () => {
    const server = await loopback([look, "Later.", note, "Noted."]);
    const place = await scratch();
    const report: DemoFacts = JSON.parse(
      (await runCli(place, ["demo", "--live", "--json"], { env: server.env })).stdout,
    );
    const args = ["run", "Note it.", "--resume", report.sessionId ?? ""];
    const end = await runCli(place, args, { env: server.env });
    expect(end).toMatchObject({ code: 0, stdout: "Noted.\n" });
    expect(end.stderr).toContain("Fix 1 noted");
  });

  it.each([
    { name: "no key at all", flags: [], says: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"] },
    { name: "no key for the model", flags: ["--model", "openai/gpt-5.5"], says: ["Set OPENAI_API_KEY"] },
    { name: "a model that is none", flags: ["--model", "gtp"], says: ['"gtp"'] },
  ])("lays nothing out with $name", async ({ flags, says }) => {
    const place = await scratch();
    const end = await runCli(place, ["demo", "--live", ...flags]);
    expect([end.code, end.stdout]).toEqual([6, ""]);
    for (const each of says) expect(end.stderr).toContain(each);
    expect(await readdir(place.tmp)).toEqual([]);
    expect(await place.events()).toEqual([]);
  });

  it("needs --live for --model", async () => {
    const end = await runCli(await scratch(), ["demo", "--model", "opus"]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("--model needs --live") });
  });
});
