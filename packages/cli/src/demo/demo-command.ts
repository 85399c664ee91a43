import { fileURLToPath } from "node:url";
import type { CanUseTool, Options } from "@castellan/sdk";
import type { ExitCode } from "../exit-codes.ts";
import { EXIT } from "../exit-codes.ts";
import { runSession } from "../run/run-session.ts";
import { askInTerminal } from "../terminal/ask.ts";
import { type Style, styleOf } from "../terminal/style.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { decisionTable } from "./decision-table.ts";
import { createDecisionLog } from "./decisions.ts";
import { demoTools } from "./demo-tools.ts";
import { changes, layOutProject, testsPass } from "./scratch.ts";

export interface DemoFlags {
  /** Prints one JSON document instead of the transcript. */
  readonly json?: boolean;
  /** Leaves the deny rule out: commander's `--no-deny`. */
  readonly deny?: boolean;
}

const DENY = "Read(.env)";

/** `castellan demo`: a scripted model over real tools, real permissions and a real repository. */
export async function demoCommand(flags: DemoFlags): Promise<ExitCode> {
  const json = flags.json === true;
  const style = styleOf(process.stdout, process.env);
  const width = Math.min(110, Math.max(60, process.stdout.columns ?? 100));
  const print = (text = ""): void => {
    if (!json) process.stdout.write(`${text}\n`);
  };

  const folder = await layOutProject();
  const before = await testsPass(folder);
  const custom = demoTools();
  const decisions = createDecisionLog();
  const interactive = !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  introduce(print, style, folder, before, flags.deny !== false);

  const transcript = createTranscript({ answer: process.stdout, notes: process.stdout, style, width });
  const options: Options = {
    model: `scripted:${fileURLToPath(new URL("../demo/turns.mjs", import.meta.url))}`,
    cwd: folder,
    title: "castellan demo",
    tools: ["Bash", "Edit", "Glob", "Grep", "LS", "Read", "Write", ...custom.tools],
    allowedTools: ["Bash(node --test)"],
    settings: { permissions: { deny: flags.deny === false ? [] : [DENY] } },
    env: { NODE_TEST_CONTEXT: undefined },
    includePartialMessages: !json,
    canUseTool: interactive
      ? askInTerminal({ output: process.stdout, style, onCancel: () => process.kill(process.pid, "SIGINT") })
      : answerByScript(print, style),
  };
  const outcome = await runSession({
    prompt: "A test of this shop fails. Find out why, fix it, and note the fix.",
    options,
    onMessage(message) {
      decisions.message(message);
      if (!json) transcript.message(message);
    },
  });

  const after = await testsPass(folder);
  const diff = await changes(folder);
  if (json) {
    const report = {
      sessionId: outcome.sessionId,
      folder,
      testsPass: { before, after },
      diff,
      decisions: decisions.calls,
      customToolCalls: custom.fixes,
      result: outcome.result,
    };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    print(`\n${style.bold("Every decision, and why")}\n`);
    for (const line of decisionTable(decisions.calls, style, width)) print(line);
    print(`\n${style.bold("What changed")}\n`);
    for (const line of diff.trimEnd().split("\n")) print(`  ${colourDiff(line, style)}`);
    print(`\n  tests: ${word(before, style)} before, ${word(after, style)} after`);
    print(style.dim(`  the project is in ${folder}`));
    print(
      style.dim(
        `  the session is ${outcome.sessionId}: castellan run --resume ${outcome.sessionId} goes on with it`,
      ),
    );
  }
  if (outcome.exitCode !== EXIT.done) return outcome.exitCode;
  return after ? EXIT.done : EXIT.failed;
}

function introduce(
  print: (text?: string) => void,
  style: Style,
  folder: string,
  before: boolean,
  deny: boolean,
): void {
  print(style.bold("castellan demo"));
  print("A scripted model works on a small shop, with real tools, under real permissions.");
  print();
  print(`  project  ${folder} (tests: ${word(before, style)})`);
  print(`  allow    Bash(node --test)`);
  if (deny) print(`  deny     ${DENY}: neither Read nor the shell may read it`);
  print("  ask      everything else that writes or runs");
  print();
}

/** Where nobody sits at the terminal, the demo says yes to its one question, and says so. */
function answerByScript(print: (text?: string) => void, style: Style): CanUseTool {
  return (toolName) => {
    print(`  ${style.yellow("? asked")} ${toolName}: no terminal, so the demo's script answers yes`);
    return { behavior: "allow" };
  };
}

function word(pass: boolean, style: Style): string {
  return pass ? style.green("pass") : style.red("fail");
}

function colourDiff(line: string, style: Style): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return style.green(line);
  if (line.startsWith("-") && !line.startsWith("---")) return style.red(line);
  return line;
}
