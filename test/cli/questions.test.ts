import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";
import { inTerminal, KEY } from "./terminal.ts";

const ECHO = "(request) => `I read: ${said(request)}.`";
const questions = [
  {
    question: "Which database?",
    header: "Database",
    options: [{ label: "Postgres", description: "Runs beside it." }, { label: "SQLite" }],
  },
  {
    question: "Which parts?",
    multiSelect: true,
    options: [{ label: "API" }, { label: "UI" }, { label: "CLI" }],
  },
];
const turn = (list: readonly object[]) =>
  JSON.stringify({ toolCalls: [{ name: "AskUserQuestion", input: { questions: list } }] });

async function start(list: readonly object[]) {
  const place = await scratch();
  return inTerminal(place, ["run", "go", "--model", await place.module(`${turn(list)}, ${ECHO}`)]);
}

describe("questions of the model in a terminal", () => {
  it("asks one after the other and gives the model the labels", async () => {
    const terminal = await start(questions);
    await terminal.until("? Database\n  Which database?\n  Postgres: Runs beside it.\n");
    await terminal.until("○ SQLite");
    await terminal.until("I do not want to answer");
    terminal.press(KEY.down + KEY.enter);
    await terminal.until("? Which parts?\n");
    await terminal.until("Something else");
    terminal.press(` ${KEY.down}${KEY.down} ${KEY.enter}`);
    await terminal.until('- "Which database?": "SQLite"');
    await terminal.until('- "Which parts?": "API, CLI"');
    expect(await terminal.ended).toBe(0);
  });

  it("takes an answer in own words", async () => {
    const terminal = await start(questions.slice(0, 1));
    await terminal.until("I do not want to answer");
    terminal.press(KEY.down + KEY.down + KEY.enter);
    await terminal.until("In your own words:");
    terminal.press(`files will do${KEY.enter}`);
    await terminal.until('- "Which database?": "files will do"');
    expect(await terminal.ended).toBe(0);
  });

  it("takes no answer as a no with words, and Ctrl-C as the end", async () => {
    const declined = await start(questions.slice(0, 1));
    await declined.until("I do not want to answer");
    declined.press(KEY.up + KEY.enter);
    await declined.until("I read: The user does not want to answer.");
    expect(await declined.ended).toBe(0);
    const stopped = await start(questions.slice(0, 1));
    await stopped.until("I do not want to answer");
    stopped.press(KEY.ctrlC);
    expect(await stopped.ended).toBe(130);
  });
});

describe("questions of the model without a terminal", () => {
  it("are refused, with the reason", async () => {
    const place = await scratch();
    const model = await place.module(`${turn(questions)}, ${ECHO}`);
    const { code, stdout } = await runCli(place, ["run", "go", "--model", model]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/AskUserQuestion needs a person in every mode\. Nobody could be asked/);
  });
});
