import { PERMISSION_MODES } from "@castellan/sdk";
import { type Command, Option } from "commander";
import type { ExitCode } from "../exit-codes.ts";
import { collect } from "../run/flag-values.ts";
import { type CheckFlags, checkCommand, explainCommand } from "./check-command.ts";
import type { PolicyFlags } from "./flags.ts";
import { type LintFlags, lintCommand } from "./lint-command.ts";
import { listCommand } from "./list-command.ts";
import { type RevokeFlags, revokeCommand } from "./revoke-command.ts";
import { type TestFlags, testCommand } from "./test-command.ts";

const COMMAND_HELP = "a command line: a call of Bash";

/** Adds `castellan permissions` with its commands. */
export function addPermissions(program: Command, done: (exitCode: ExitCode) => void): void {
  const group = program
    .command("permissions")
    .description("See what is allowed, and why. Nothing runs, and nobody is asked.")
    .helpCommand(false);

  withPolicy(withCall(group.command("check").description("Print the decision about one call.")))
    .option("--json", "print the decision as JSON, with every step that was looked at")
    .action(async (command: string | undefined, flags: CheckFlags) =>
      done(await checkCommand(command, flags)),
    );

  withPolicy(
    withCall(group.command("explain").description("Print why: part, rule, file and line, step, way out.")),
  )
    .option("--json", "print the text and the decision as JSON")
    .action(async (command: string | undefined, flags: CheckFlags) =>
      done(await explainCommand(command, flags)),
    );

  withPolicy(group.command("list").description("Print the rules that count, and where each is written."))
    .option("--json", "print them as JSON")
    .action(async (flags: PolicyFlags) => done(await listCommand(flags)));

  withSettings(
    group
      .command("lint")
      .description("Name rules and hooks that do nothing, protect less or allow more than they look."),
  )
    .option("--cwd <dir>", "start directory (default: this one)")
    .option("--fix", "write the mended rules that loosen nothing; comments and formatting stay")
    .option("--json", "print {findings: [{code, severity, rule, list, file, line, message, fix}]}")
    .action(async (flags: LintFlags) => done(await lintCommand(flags)));

  group
    .command("revoke")
    .description("Take a rule out of its settings file.")
    .argument("<rule>", "the rule as it stands there")
    .addOption(
      new Option("--from <source>", "whose file (default: the one that holds it)").choices([
        "user",
        "project",
        "local",
      ]),
    )
    .addOption(new Option("--behavior <list>", "the list (default: allow)").choices(["allow", "deny", "ask"]))
    .option("--cwd <dir>", "start directory (default: this one)")
    .option("--json", "print {revoked, files} or {revoked, reason, nearest}")
    .action(async (rule: string, flags: RevokeFlags) => done(await revokeCommand(rule, flags)));

  group
    .command("test")
    .description("Decide each case of a file, and tell which came to something else than it wants.")
    .requiredOption("--cases <file>", "one case a line as JSON, or a list in a .yaml file")
    .option("--json", "print {total, passed, failed}")
    .action(async (flags: TestFlags) => done(await testCommand(flags)));
}

function withCall(command: Command): Command {
  return command
    .argument("[command]", COMMAND_HELP)
    .option("--tool <name>", "the tool that is called, with --input")
    .option("--input <json>", "its input: JSON, @file, or - for standard input");
}

function withSettings(command: Command): Command {
  return command.option(
    "--settings <file>",
    "read this file, or JSON, instead of the settings of user and project; repeatable",
    collect,
  );
}

function withPolicy(command: Command): Command {
  return withSettings(command)
    .addOption(
      new Option("--mode <mode>", "the permission mode (default: what the settings say)").choices([
        ...PERMISSION_MODES,
        "yolo",
      ]),
    )
    .option("--cwd <dir>", "start directory (default: this one)")
    .option("--allow <rule>", "one more allow rule; repeatable", collect)
    .option("--deny <rule>", "one more deny rule; repeatable", collect)
    .option("--add-dir <dir>", "a further working directory; repeatable", collect)
    .option("--trust-workspace", "as if the workspace were trusted");
}
