import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliOptions, runCli } from "./run-cli.ts";
import { type Scratch, scratch } from "./scratch.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "Bash", input: { command } }] });
const read = { toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] };

interface Row {
  readonly name: string;
  readonly code: number;
  /** Must stand on standard error. */
  readonly says: string;
  /** Must not. */
  readonly not?: string;
  readonly args: readonly string[];
  readonly turns?: readonly unknown[];
  readonly env?: CliOptions["env"];
  readonly input?: string;
}

const rows: readonly Row[] = [
  { name: "a finished run", code: 0, says: "", args: ["go"], turns: ["Done."] },
  {
    name: "a call that a rule denies",
    code: 0,
    says: "denied: rule Read(a.txt) from cliArg (disallowedTools)",
    args: ["go", "--deny", "Read(a.txt)"],
    turns: [read, "Done."],
  },
  { name: "a model that fails", code: 1, says: "it broke", args: ["go"], turns: [{ error: "it broke" }] },
  { name: "no prompt", code: 2, says: 'No prompt. Write castellan run "<what to do>"', args: [] },
  { name: "an unknown flag", code: 2, says: "(Did you mean --allow?)", args: ["go", "--alow", "Read"] },
  { name: "a prompt too many", code: 2, says: "too many arguments", args: ["go", "on"] },
  {
    name: "a mode that is none",
    code: 2,
    says: "Allowed choices are default, acceptEdits",
    args: ["go", "--permission-mode", "all"],
  },
  {
    name: "turns that are no number",
    code: 2,
    says: "whole number of at least 1",
    args: ["go", "--max-turns", "0"],
  },
  {
    name: "bypass without its flag",
    code: 2,
    says: "Add --allow-dangerously-skip-permissions",
    args: ["go", "--permission-mode", "yolo"],
    turns: ["x"],
  },
  {
    name: "resume and continue",
    code: 2,
    says: "cannot be used with option '--resume <id>'",
    args: ["--continue", "--resume", "x"],
  },
  {
    name: "json and another format",
    code: 2,
    says: "cannot be used with option '--json'",
    args: ["go", "--json", "--output-format", "text"],
  },
  {
    name: "deltas in a format without any",
    code: 2,
    says: "needs --output-format stream-json",
    args: ["go", "--include-partial-messages"],
  },
  {
    name: "a tool that is none",
    code: 2,
    says: "Did you mean Read?",
    args: ["go", "--tools", "Raed"],
    turns: ["x"],
  },
  {
    name: "an empty rule",
    code: 2,
    says: "--allow[0]",
    args: ["go", "--allow", ""],
    turns: ["x"],
  },
  {
    name: "a call that nobody could be asked about",
    code: 3,
    says: "Allow it with --allow <rule>, or use a terminal.",
    args: ["go"],
    turns: [bash("touch made"), "Done."],
  },
  {
    name: "a question that nobody was there to answer",
    code: 3,
    says: "Use a terminal, or answer it in the prompt.",
    not: "--allow",
    args: ["go"],
    turns: [
      {
        toolCalls: [
          {
            name: "AskUserQuestion",
            input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
          },
        ],
      },
      "Done.",
    ],
  },
  {
    name: "a limit",
    code: 4,
    says: "maxTurns is 1",
    args: ["go", "--max-turns", "1"],
    turns: [read, read, "x"],
  },
  {
    name: "a budget of tokens",
    code: 4,
    says: "maxTokensBudget is 1.",
    args: ["go", "--max-tokens-budget", "1"],
    turns: [read, "x"],
  },
  {
    name: "a budget in money where the price is not known",
    code: 2,
    says: "needs the price of scripted",
    args: ["go", "--max-budget-usd", "1"],
    turns: ["x"],
  },
  { name: "no model", code: 6, says: "No model is given.", args: ["go"] },
  {
    name: "a model in a variable that is none",
    code: 6,
    says: "CASTELLAN_MODEL",
    args: ["go"],
    env: { CASTELLAN_MODEL: "gpt" },
  },
  {
    name: "a script that is not there",
    code: 6,
    says: "/no/where.json: it cannot be read",
    args: ["go", "--model", "scripted:/no/where.json"],
  },
  {
    name: "a session that is not there",
    code: 6,
    says: "There is no session nobody in this store.",
    args: ["go", "--resume", "nobody"],
  },
];

async function run(place: Scratch, { args, turns, env, input }: Row) {
  const model = turns === undefined ? [] : ["--model", await place.script(turns)];
  return runCli(place, ["run", ...args, ...model], { ...(env && { env }), ...(input && { input }) });
}

describe("exit codes of run", () => {
  it.each(rows)("$code: $name", async (row) => {
    const place = await scratch();
    await writeFile(join(place.work, "a.txt"), "text\n");
    const { code, stderr } = await run(place, row);
    expect({ code, stderr }).toEqual({ code: row.code, stderr: expect.stringContaining(row.says) });
    expect(stderr).not.toMatch(/\n\s+at /);
    if (row.not !== undefined) expect(stderr).not.toContain(row.not);
  });
});

describe("a budget over several processes", () => {
  it("is spent by the first one, and the next asks nothing before it is raised", async () => {
    const place = await scratch();
    const turn = { text: "Done.", usage: { inputTokens: 900, outputTokens: 100 } };
    const model = ["--model", await place.script([turn, turn])];
    const play = (...args: string[]) => runCli(place, ["run", "on", "--json", ...model, ...args]);
    const first = await play("--max-tokens-budget", "1000");
    expect(first.code).toBe(0);
    const { session_id: id = "" } = JSON.parse(first.stdout) as { session_id?: string };
    const second = await play("--resume", id, "--max-tokens-budget", "1000");
    expect(second.code).toBe(4);
    expect(JSON.parse(second.stdout)).toMatchObject({
      terminal_reason: "max_tokens_budget",
      errors: ["Stopped before model request 1: 1000 tokens are used, maxTokensBudget is 1000."],
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect((await play("--resume", id, "--max-tokens-budget", "1001")).code).toBe(0);
  });
});

describe("the command line itself", () => {
  it.each([
    { args: [], code: 0, out: "Usage: castellan [options] [command]" },
    { args: ["--help"], code: 0, out: "Exit codes: 0 done" },
    { args: ["help", "run"], code: 0, out: "--resume <id>" },
    { args: ["run", "--help"], code: 0, out: "Permissions:" },
    { args: ["demo", "--help"], code: 0, out: "--no-deny" },
    { args: ["--version"], code: 0, out: "0." },
  ])("castellan $args helps", async ({ args, code, out }) => {
    const end = await runCli(await scratch(), args);
    expect(end).toMatchObject({ code, stderr: "", stdout: expect.stringContaining(out) });
    expect(end.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    { args: ["rnu"], says: "(Did you mean run?)" },
    { args: ["dmeo"], says: "(Did you mean demo?)" },
    { args: ["demo", "--jsno"], says: "(Did you mean --json?)" },
    { args: ["demo", "fast"], says: "too many arguments" },
  ])("castellan $args is wrong usage", async ({ args, says }) => {
    const end = await runCli(await scratch(), args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
  });
});
