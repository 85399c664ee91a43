import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { FORMATS } from "../cli/loopback.ts";
import { compiled, type Ran, type Stage, stage } from "../kit/programs.ts";
import type { LoopbackOptions, LoopbackStep } from "../loopback/index.ts";
import { PACKED_PATIENCE_MS } from "../setup/packed.ts";

const sources = fileURLToPath(new URL("programs", import.meta.url));
let out: string;

beforeAll(async () => {
  const names = await readdir(sources);
  const texts = await Promise.all(names.map((name) => readFile(join(sources, name), "utf8")));
  out = await compiled("compat", new Map(names.map((name, index) => [name, texts[index] ?? ""])));
}, PACKED_PATIENCE_MS);

const call = (name: string, input: unknown) => ({ toolCalls: [{ name, input }] });

describe.each(FORMATS)("programs of the known shape over $format", ({ model, format }) => {
  const open = (turns: LoopbackOptions["turns"]): Promise<Stage> => stage(turns, model, onTestFinished);

  /** Runs one program on a stage of its own; it must end well and say nothing on its error output. */
  async function said(name: string, at: Stage, ...args: readonly string[]): Promise<Ran["lines"]> {
    const { code, lines, stderr } = await at.run(join(out, `${name}.js`), ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const { refused } of at.server.requests) expect(refused).toBeUndefined();
    return lines;
  }

  const bodies = (at: Stage): string[] => at.server.requests.map(({ raw }) => raw.toString());

  it("one prompt", async () => {
    const usage = { input: 10, output: 5 };
    const at = await open([
      { ...call("Grep", { pattern: "TODO", output_mode: "content" }), usage },
      { text: "Water the plants.", usage },
    ]);
    await writeFile(join(at.place.work, "list.txt"), "TODO water the plants\n");
    expect(await said("one-prompt", at)).toEqual([
      "tools: Glob, Grep, Read",
      "calls Grep",
      "turns: 2, tokens out: 10",
      "Water the plants.",
    ]);
    expect(bodies(at)[0]).toContain("Answer in one line.");
    expect(bodies(at)[1]).toContain("TODO water the plants");
  });

  it("a queue of prompts", async () => {
    const at = await open(["A", "B", "C"]);
    expect(await said("queue-of-prompts", at)).toEqual(["A", "B", "C", "sessions: 1"]);
    expect(bodies(at)[2]).toContain("Which file is the largest?");
  });

  it("resume after close, in the same process and in another", async () => {
    const at = await open(["one", "two", "three", "four"]);
    const [texts, ids, id = ""] = await said("resume-after-close", at);
    expect(texts).toBe("one, two, three");
    expect(ids).toBe("resumed under its id: true, forked under its id: false");
    expect(await said("resume-after-close", at, id)).toEqual(["four"]);
    const [, , fork, again] = bodies(at);
    for (const body of [fork, again]) expect(body).toContain("Which word?");
    expect(again).toContain("Which word, once more?");
    expect(again).not.toContain("Forget the word.");
  });

  it("interrupt", async () => {
    const at = await open([call("Bash", { command: "sleep 50" }), "Yes."]);
    expect(await said("interrupt", at)).toEqual([
      "the call ended, an error: true",
      "error_during_execution: true",
      "Yes.",
    ]);
    expect(bodies(at)[1]).toContain("Never mind. Are you there?");
  });

  it("canUseTool", async () => {
    const at = await open([
      call("Write", { file_path: "note.txt", content: "n" }),
      call("Bash", { command: "curl https://example.com" }),
      call("Bash", { command: "touch mark" }),
      call("Bash", { command: "touch mark" }),
      "Done.",
    ]);
    await mkdir(join(at.place.work, "drafts"));
    expect(await said("can-use-tool", at)).toEqual([
      "asked about Write",
      "asked about Bash",
      "asked about Bash",
      "success, refused: Bash curl https://example.com",
    ]);
    expect(existsSync(join(at.place.work, "note.txt"))).toBe(false);
    expect(existsSync(join(at.place.work, "drafts/note.txt"))).toBe(true);
    expect(bodies(at)[2]).toContain("Nothing leaves this machine.");
  });

  it("AskUserQuestion, answered by the callback", async () => {
    const options = [{ label: "Postgres" }, { label: "SQLite" }];
    const questions = [
      { question: "Which database?", header: "Database", options },
      { question: "Which parts?", options: [{ label: "API" }, { label: "UI" }], multiSelect: true },
    ];
    const at = await open([call("AskUserQuestion", { questions }), "Postgres it is."]);
    expect(await said("ask-user-question", at)).toEqual([
      "Which database? Postgres / SQLite",
      "Which parts? API / UI",
      "Postgres it is.",
    ]);
    expect(bodies(at)[1]).toContain("API, UI");
  });

  it("hooks on five events", async () => {
    const at = await open([
      call("Bash", { command: "echo hello" }),
      call("Bash", { command: "rm -r build" }),
      call("Bash", { command: "false" }),
      "Done.",
      "It was main.",
    ]);
    await mkdir(join(at.place.work, "build"));
    expect(await said("hooks", at)).toEqual([
      "prompt: Tidy up.",
      "before: echo hello (a call)",
      "after: Bash, a response",
      "before: rm -r build (a call)",
      "before: false (a call)",
      "failed: Bash",
      "stop: not yet",
      "It was main.",
    ]);
    expect(existsSync(join(at.place.work, "build"))).toBe(true);
    expect(bodies(at)[0]).toContain("The branch is called main.");
    expect(bodies(at)[2]).toContain("Nothing is removed here.");
    expect(bodies(at)[4]).toContain("Say which branch it was.");
  });

  it("custom tools", async () => {
    const toolCalls = [
      { name: "mcp__shop__find_order", input: { id: "7" } },
      { name: "mcp__shop__find_order", input: { id: "8" } },
      { name: "mcp__shop__add_up", input: { numbers: [2, 3] } },
    ];
    const at = await open([{ toolCalls }, call("mcp__shop__find_order", { id: "seven" }), "Done."]);
    const [init, ...lines] = await said("custom-tools", at);
    const end = lines.pop();
    const invalid = lines.pop();
    expect([init, end]).toEqual(["shop connected", "Done."]);
    expect(lines.sort()).toEqual([
      '["5",false]',
      '["No order 8.",true]',
      '["Order 7 was sent on Monday.",false]',
    ]);
    expect(invalid).toMatch(/\bid\b.*true\]$/);
    expect(bodies(at)[0]).toContain("^[0-9]+$");
  });

  it("a model by auto", async () => {
    const at = await open(["one", "two"]);
    expect(await said("auto-model", at)).toEqual([
      `begins with ${model}`,
      `${model} answers`,
      `used: ${model}`,
      "openai/gpt-5.5 answers",
      "used: openai/gpt-5.5",
    ]);
    expect(at.server.requests.map((request) => request.format)).toEqual([format, "chat"]);
    expect(bodies(at)[1]).toContain("Hello again.");
  });

  it("streaming deltas", async () => {
    const text: LoopbackStep = { text: ["Two ", "notes: ", "a ", "and ", "b."] };
    const at = await open([call("Glob", { pattern: "*.md" }), text]);
    expect(await said("streaming-deltas", at)).toEqual([
      "begins to call Glob",
      'input: {"pattern":"*.md"}',
      "shown: Two notes: a and b.",
      "in pieces: true, as the result has it: true",
    ]);
  });
});

it("auto without a named model takes the first provider that has a key", async () => {
  const at = await stage(["one", "two"], undefined, onTestFinished);
  const { lines } = await at.run(join(out, "auto-model.js"));
  expect(lines[0]).toMatch(/^begins with anthropic\//);
  expect(at.server.requests.map(({ format }) => format)).toEqual(["anthropic", "chat"]);
});
