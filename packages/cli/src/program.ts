import { createRequire } from "node:module";
import { EFFORTS, isCastellanError, PERMISSION_MODES } from "@castellan/sdk";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { addApprovals } from "./approvals/approvals-commands.ts";
import { type DemoFlags, demoCommand } from "./demo/demo-command.ts";
import { EXIT, type ExitCode, exitCodeOfReason } from "./exit-codes.ts";
import { Fault } from "./fault.ts";
import { addPermissions } from "./permissions/permissions-commands.ts";
import { amount, collect, sources, thinking, wholeNumber } from "./run/flag-values.ts";
import { inFlagWords, type RunFlags } from "./run/options.ts";
import { runCommand } from "./run/run-command.ts";
import { addSessions } from "./sessions/sessions-commands.ts";
import { printable } from "./terminal/safe-text.ts";
import { type TrustFlags, trustCommand } from "./trust/trust-command.ts";

/** `yolo` is another name of the last one. */
const MODES = [...PERMISSION_MODES, "yolo"];

const MODEL_HELP = `
Models: <provider>/<model>, with one of the providers anthropic, openai,
  openai-chat, openai-responses, openrouter, ollama, vllm, llamacpp, lmstudio;
  a known name alone (claude-sonnet-5-5, gpt-5.5, opus, sonnet, haiku);
  an address that speaks chat completions: http://127.0.0.1:8000/v1#<model>;
  scripted:<file>; auto: CASTELLAN_MODEL, else the first provider with a key.
  Keys are read from the providers' usual variables: ANTHROPIC_API_KEY,
  OPENAI_API_KEY, OPENROUTER_API_KEY; other addresses from ANTHROPIC_BASE_URL,
  OPENAI_BASE_URL and so on.`;

const EXIT_HELP = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 denied as nobody could be asked,
4 a limit was reached, 5 paused for approval, 6 configuration, 130 interrupted.`;

/** Runs the command line and gives its exit code. Never throws. */
export async function runCli(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = buildProgram((exitCode) => {
    code = exitCode;
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const message = error instanceof Error ? error.message : String(error);
    const known = isCastellanError(error);
    process.stderr.write(`castellan: ${printable(known ? inFlagWords(message) : message)}\n`);
    if (error instanceof Fault) return error.exitCode;
    return known ? exitCodeOfReason(error.code) : EXIT.failed;
  }
}

function buildProgram(done: (exitCode: ExitCode) => void): Command {
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
  const program = new Command("castellan")
    .description("Runs agents under permissions you can read.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
    .showSuggestionAfterError()
    .addHelpText("after", EXIT_HELP);

  program
    .command("run")
    .argument("[prompt]", "what to do; what is piped in follows it behind a blank line (10 MB at most)")
    .description("Run one prompt to its result. Calls that no rule settles are asked about in the terminal.")
    .optionsGroup("Session:")
    .option("--model <name>", "anthropic/…, openai/…, an address; see below (default: auto)")
    .option("--fallback-model <name>", "takes over for the turn when the model cannot be reached")
    .option("--cwd <dir>", "start directory (default: this one)")
    .option("--resume <id>", "go on with a session; without a prompt, where it stopped")
    .addOption(
      new Option("--continue", "so with the newest session of the start directory").conflicts("resume"),
    )
    .option("--title <text>", "a name for the session")
    .option("--system-prompt <text>", "replaces the system prompt")
    .option("--append-system-prompt <text>", "stands behind the system prompt")
    .addOption(new Option("--effort <level>", "how hard the model works").choices(EFFORTS))
    .option("--thinking <how>", "tokens to think with (1024 or more), adaptive, or off", thinking)
    .option("--output-schema <schema>", "the answer is data: a file with a JSON Schema, or the schema")
    .optionsGroup("Limits:")
    .option("--max-turns <n>", "the most model requests", wholeNumber)
    .option("--max-budget-usd <amount>", "US dollars that the session may spend", amount)
    .option("--max-tokens-budget <n>", "tokens of all kinds that the session may use", wholeNumber)
    .optionsGroup("Permissions:")
    .option("--allow <rule>", 'let calls through without asking: "Bash(npm test:*)"; repeatable', collect)
    .option("--deny <rule>", 'forbid calls: "Read(.env)"; wins over every allow; repeatable', collect)
    .option("--tools <names>", "the tools that the model sees: Read,Grep; repeatable", collectNames)
    .option("--add-dir <dir>", "a further working directory; repeatable", collect)
    .addOption(new Option("--permission-mode <mode>", "for calls that no rule settles").choices(MODES))
    .option("--allow-dangerously-skip-permissions", "the flag that bypassPermissions (yolo) needs")
    .option("--settings <file>", "one more file of settings, or settings as JSON", once)
    .option(
      "--setting-sources <names>",
      "settings files to read: user,project,local (default), or none",
      sources,
    )
    .addOption(
      new Option("--approvals <how>", "durable: what is left to ask waits in castellan approvals").choices([
        "callback",
        "durable",
      ]),
    )
    .addOption(
      new Option(
        "--on-pending <what>",
        "with durable: wait for it (default), or pause and end with code 5",
      ).choices(["wait", "pause"]),
    )
    .option("--trust-workspace", "for this run: the project's own settings may allow, too")
    .optionsGroup("Output:")
    .addOption(
      new Option("--output-format <format>", "text streams, json is the result, stream-json every message")
        .choices(["text", "json", "stream-json"])
        .conflicts("json"),
    )
    .option("--json", "the same as --output-format json")
    .option("--include-partial-messages", "deltas among the messages of stream-json")
    .option("--debug", "print diagnostics on standard error")
    .addHelpText("after", MODEL_HELP)
    .addHelpText("after", EXIT_HELP)
    .action(async (prompt: string | undefined, flags: RunFlags) => done(await runCommand(prompt, flags)));

  program
    .command("demo")
    .description(
      "Watch an agent work on a scratch repository. Needs git; no key and no service but for --live.",
    )
    .option("--live", "a real model does the work: the one whose key is in the environment")
    .option("--model <name>", "with --live: another model, as castellan run takes it (default: auto)")
    .option("--json", "print one JSON document: decisions, diff, tests before and after")
    .option("--no-deny", "leave the deny rule out, and see the run take another way")
    .addHelpText("after", EXIT_HELP)
    .action(async (flags: DemoFlags) => done(await demoCommand(flags)));

  program
    .command("trust")
    .description("Let this workspace's own settings allow calls, add directories and set modes.")
    .option("--remove", "no longer")
    .option("--cwd <dir>", "a folder of the workspace (default: this one)")
    .option("--json", "print {workspace, trusted, changed, file}")
    .action(async (flags: TrustFlags) => done(await trustCommand(flags)));

  addPermissions(program, done);
  addSessions(program, done);
  addApprovals(program, done);
  return program;
}

/** The second would silently take the place of the first. */
function once(value: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError("It was given before: give it once.");
  return value;
}

function collectNames(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(",").map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== "")];
}
