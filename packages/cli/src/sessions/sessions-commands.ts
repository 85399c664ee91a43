import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "../exit-codes.ts";
import { wholeNumber } from "../run/flag-values.ts";
import type { RunFlags } from "../run/options.ts";
import { type ExportFlags, exportCommand } from "./export-command.ts";
import { type ForkFlags, forkCommand } from "./fork-command.ts";
import { type ImportFlags, importCommand } from "./import-command.ts";
import { type ListFlags, listCommand } from "./list-command.ts";
import { type PruneFlags, pruneCommand } from "./prune-command.ts";
import { resumeCommand } from "./resume-command.ts";
import { rmCommand } from "./rm-command.ts";
import { showCommand } from "./show-command.ts";

const ID_HELP = "its id, or a beginning that no other has";

/** Adds `castellan sessions` with its commands. */
export function addSessions(program: Command, done: (exitCode: ExitCode) => void): void {
  const group = program
    .command("sessions")
    .description("See, copy, move and delete sessions.")
    .helpCommand(false);

  group
    .command("list")
    .description("Print the sessions, newest first; those that cannot be read, with the reason.")
    .option("--cwd <dir>", "only those of this start directory")
    .option("--all", "those of all directories (default: of this one)")
    .option("--tag <tag>", "only those with this tag; repeatable", collect)
    .option("--limit <n>", "the newest so many (default: 20)", wholeNumber)
    .option("--json", "print them as JSON")
    .action(async (flags: ListFlags) => done(await listCommand(flags)));

  group
    .command("show")
    .description("Print a session: what is known of it, and its messages.")
    .argument("<id>", ID_HELP)
    .option("--json", "print {session, messages}")
    .action(async (id: string, flags: { json?: boolean }) => done(await showCommand(id, flags)));

  group
    .command("resume")
    .description("Go on with a session, as castellan run --resume does; without a prompt, where it stopped.")
    .argument("<id>", ID_HELP)
    .argument("[prompt]", "what to do next")
    .option("--model <name>", "another model from here on")
    .option("--json", "print the result as JSON")
    .action(async (id: string, prompt: string | undefined, flags: Pick<RunFlags, "model" | "json">) =>
      done(await resumeCommand(id, prompt, flags)),
    );

  group
    .command("fork")
    .description("Copy a session into a new one, without what it was granted on its way.")
    .argument("<id>", ID_HELP)
    .option("--at <uuid>", "up to and with this message (see show --json)")
    .option("--title <text>", "a name for the copy")
    .option("--keep-grants", "with what the original was granted")
    .option("--json", "print {sessionId}")
    .action(async (id: string, flags: ForkFlags) => done(await forkCommand(id, flags)));

  group
    .command("export")
    .description("Write a session and its artifacts as lines of JSON.")
    .argument("<id>", ID_HELP)
    .option("--output <file>", "the file, which must not exist yet (default: standard output)")
    .option("--no-artifacts", "leave the artifacts out")
    .option("--json", "with --output: print {sessionId, file}")
    .action(async (id: string, flags: ExportFlags) => done(await exportCommand(id, flags)));

  group
    .command("import")
    .description("Take in an exported session. It may do nothing here that a new session may not.")
    .argument("<file>", "the export, or - for standard input")
    .option("--cwd <dir>", "where it works from now on (default: this directory)")
    .option("--keep-grants", "its rules and mode count here as well")
    .option("--json", "print {sessionId, isNewId, events, artifacts}")
    .action(async (file: string, flags: ImportFlags) => done(await importCommand(file, flags)));

  group
    .command("rm")
    .description("Delete sessions for good. One that runs stays.")
    .argument("<ids...>", ID_HELP)
    .option("--json", "print {deleted}")
    .action(async (ids: readonly string[], flags: { json?: boolean }) => done(await rmCommand(ids, flags)));

  group
    .command("prune")
    .description("Delete old sessions, and the artifacts that none reaches.")
    .requiredOption("--older-than <days>", "those whose last event is older", days)
    .option("--keep <n>", "the newest so many stay in any case (default: 0)", wholeNumber)
    .option("--cwd <dir>", "only those of this start directory (default: all)")
    .option("--dry-run", "print what would go, and delete nothing")
    .option("--json", "print {deleted, left, artifacts}")
    .action(async (flags: PruneFlags) => done(await pruneCommand(flags)));
}

function days(value: string): number {
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a number of days, 0 or more.");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
