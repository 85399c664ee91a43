import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";
import { type Built, built } from "../setup/built.ts";

const run = promisify(execFile);
const MOST_MS = 500;

/** What a program does with the SDK; `body` sees query, tool, scriptedModel and cwd, and gives the session. */
async function program(at: Built, body: string): Promise<{ elapsed: number; results: string[] }> {
  const [cwd, home] = [scratch(), scratch()];
  // Packages are looked for from where the program lies.
  const file = join(mkdtempSync(join(at.folder, "program-")), "program.mjs");
  writeFileSync(
    file,
    `import { query, tool } from "@castellan/sdk";
     import { scriptedModel } from "@castellan/sdk/testing";
     const cwd = ${JSON.stringify(cwd)};
     const results = [];
     let told = 0;
     const session = (() => { ${body} })();
     process.on("exit", () => {
       process.stdout.write(JSON.stringify({ elapsed: performance.now() - told, results }));
     });
     try {
       for await (const message of session) {
         if (message.type !== "result") continue;
         told = performance.now();
         results.push(message.terminal_reason);
       }
     } catch (error) {
       results.push(error.name);
     }`,
  );
  const { stdout } = await run(process.execPath, [file], {
    env: { ...process.env, CASTELLAN_HOME: home },
    timeout: 30_000,
  });
  return JSON.parse(stdout) as { elapsed: number; results: string[] };
}

const PROGRAMS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "files, a command, a tool of its own, questions, hooks and a log on the disk",
    `const calls = [
       { name: "Bash", input: { command: "echo hi > a.txt" } },
       { name: "Read", input: { file_path: cwd + "/a.txt" } },
       { name: "Write", input: { file_path: cwd + "/b.txt", content: "x" } },
       { name: "Grep", input: { pattern: "hi" } },
       { name: "slow", input: {} },
     ];
     const slow = tool("slow", "Is slow.", {}, () => ({ content: [{ type: "text", text: "ok" }] }), { timeoutMs: 60_000 });
     return query({ prompt: "go", options: {
       cwd,
       tools: ["Bash", "Read", "Write", "Grep", slow],
       model: scriptedModel([{ toolCalls: calls, delayMs: 5 }, "done"]),
       abortController: new AbortController(),
       includePartialMessages: true,
       canUseTool: () => ({ behavior: "allow" }),
       canUseToolTimeoutMs: 60_000,
       hooks: { PreToolUse: [{ hooks: [() => ({})], timeout: 60 }] },
     } });`,
    ["completed"],
  ],
  [
    "a question that nobody answers, and an interrupt",
    `const session = query({ prompt: "go", options: {
       cwd,
       model: scriptedModel([{ toolCalls: [{ name: "Bash", input: { command: "touch x" } }] }, "never"]),
       canUseTool: () => { setImmediate(() => session.interrupt()); return new Promise(() => {}); },
       canUseToolTimeoutMs: 60_000,
     } });
     return session;`,
    ["interrupted"],
  ],
  [
    "a command that would run for a minute, and a close",
    `const session = query({ prompt: "go", options: {
       cwd,
       model: scriptedModel([{ toolCalls: [{ name: "Bash", input: { command: "sleep 60" } }] }, "never"]),
       allowedTools: ["Bash"],
     } });
     setTimeout(() => session.close(), 300);
     return session;`,
    ["closed"],
  ],
  [
    "a prompt stream that waits for ever, and an abort",
    `const abortController = new AbortController();
     async function* prompts() {
       yield { type: "user", message: { role: "user", content: "go" } };
       setTimeout(() => abortController.abort(), 100);
       await new Promise(() => {});
     }
     return query({ prompt: prompts(), options: { cwd, model: scriptedModel(["one"]), abortController } });`,
    ["completed", "AbortError"],
  ],
  [
    "a session that cannot open",
    `return query({ prompt: "go", options: { cwd, model: scriptedModel([]), resume: "nobody" } });`,
    ["session_not_found"],
  ],
];

describe("a program whose session is over", () => {
  let at: Built;
  beforeAll(async () => {
    at = await built();
  });

  it.each(PROGRAMS)("ends by itself within 500 ms of the last message: %s", async (_, body, results) => {
    const outcome = await program(at, body);
    expect(outcome.results).toEqual(results);
    expect(outcome.elapsed).toBeLessThan(MOST_MS);
  });
});
