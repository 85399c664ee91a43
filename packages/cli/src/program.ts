import { createRequire } from "node:module";
import { isCastellanError } from "@castellan/sdk";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type DemoFlags, demoCommand } from "./demo/demo-command.ts";
import { EXIT } from "./exit-codes.ts";
import type { RunFlags } from "./run/options.ts";
import { UsageError } from "./run/prompt-text.ts";
import { runCommand } from "./run/run-command.ts";

const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "yolo"];

/** Runs the command line and gives its exit code. Never throws. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = buildProgram((exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`castellan: ${message}\n`);
    if (error instanceof UsageError) return EXIT.usage;
    return isCastellanError(error) ? EXIT.configuration : EXIT.failed;
  }
}

function buildProgram(done: (exitCode: number) => void): Command {
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
  const program = new Command("castellan")
    .description("Runs agents under permissions you can read, prove and replay.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });

  program
    .command("run")
    .argument("[prompt]", "what to do; piped standard input is added behind it")
    .description("Run one prompt to its result.")
    .option("--model <name>", "scripted:<file>; default: CASTELLAN_MODEL")
    .option("--cwd <dir>", "start directory (default: this one)")
    .option("--resume <id>", "go on with a session; without a prompt, where it stopped")
    .option("--continue", "go on with the newest session of the start directory")
    .option("--title <text>", "a name for the session")
    .addOption(
      new Option("--permission-mode <mode>", "what happens to calls that no rule settles").choices(MODES),
    )
    .option("--allow-dangerously-skip-permissions", "the flag that bypassPermissions (yolo) needs")
    .option("--allow <rule...>", 'let calls through without asking, e.g. "Bash(npm test:*)"')
    .option("--deny <rule...>", 'forbid calls, e.g. "Read(.env)"; wins over every allow')
    .option("--tools <name...>", "the tools that the model sees (default: the default set)")
    .option("--add-dir <dir...>", "further working directories")
    .option("--max-turns <n>", "the most model requests", wholeNumber)
    .option("--system-prompt <text>", "replaces the system prompt")
    .option("--append-system-prompt <text>", "stands behind the system prompt")
    .option("--trust-workspace", "git's read-only commands need no rule")
    .addOption(
      new Option(
        "--output-format <format>",
        "text streams; json gives the result; stream-json every message",
      ).choices(["text", "json", "stream-json"]),
    )
    .option("--json", "the same as --output-format json")
    .option("--include-partial-messages", "deltas among the messages of stream-json")
    .option("--debug", "print diagnostics")
    .action(async (prompt: string | undefined, flags: RunFlags) => done(await runCommand(prompt, flags)));

  program
    .command("demo")
    .description("Watch an agent work on a scratch repository: no key, no service.")
    .option("--json", "print one JSON document: decisions, diff, tests before and after")
    .option("--no-deny", "leave the deny rule out, and see the run take another way")
    .action(async (flags: DemoFlags) => done(await demoCommand(flags)));
  return program;
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value) || Number(value) < 1)
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return Number(value);
}
