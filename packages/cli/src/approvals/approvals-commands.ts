import { type Command, Option } from "commander";
import type { ExitCode } from "../exit-codes.ts";
import { collect } from "../run/flag-values.ts";
import { type ApproveFlags, approveCommand } from "./approve-command.ts";
import { type ListFlags, listCommand } from "./list-command.ts";
import { type RejectFlags, rejectCommand } from "./reject-command.ts";
import { showCommand } from "./show-command.ts";
import { type WatchFlags, watchCommand } from "./watch-command.ts";

const ID_HELP = "its id, or a beginning that no other pending one has";
const STATUSES = ["pending", "approved", "rejected", "expired", "all"];

/** Adds `castellan approvals` with its commands. */
export function addApprovals(program: Command, done: (exitCode: ExitCode) => void): void {
  const group = program
    .command("approvals")
    .description("See and decide the calls that wait for somebody's word.")
    .helpCommand(false);

  group
    .command("list")
    .description("Print what waits, oldest first.")
    .addOption(
      new Option("--status <status>", "those of another status").choices(STATUSES).default("pending"),
    )
    .option("--session <id>", "only those of this session")
    .option("--json", "print them as JSON")
    .action(async (flags: ListFlags) => done(await listCommand(flags)));

  group
    .command("show")
    .description("Print one: the whole call, why it is a question, and what was decided.")
    .argument("<id>", ID_HELP)
    .option("--json", "print {approval, decision}")
    .action(async (id: string, flags: { json?: boolean }) => done(await showCommand(id, flags)));

  group
    .command("approve")
    .description("Let a call run. It is decided once more before it does: a deny rule wins.")
    .argument("<id>", ID_HELP)
    .option("--input <json|@file>", "with this input instead; it is checked and decided anew")
    .option(
      "--answer <answer>",
      'of a question: "text of the answer", or "<question>=<answer>"; repeatable',
      collect,
    )
    .addOption(
      new Option(
        "--remember [where]",
        "do not ask about calls like it again (default: as it is suggested)",
      ).choices(["session", "localSettings", "projectSettings", "userSettings"]),
    )
    .option("--note <text>", "for those who look at it later")
    .option("--by <name>", "who decides (default: the user of this machine)")
    .option("--json", "print {approval, decision}")
    .action(async (id: string, flags: ApproveFlags) => done(await approveCommand(id, flags)));

  group
    .command("reject")
    .description("Keep a call from running.")
    .argument("<id>", ID_HELP)
    .option("--reason <text>", "why; the model reads it")
    .option("--note <text>", "for those who look at it later")
    .option("--by <name>", "who decides (default: the user of this machine)")
    .option("--json", "print {approval, decision}")
    .action(async (id: string, flags: RejectFlags) => done(await rejectCommand(id, flags)));

  group
    .command("watch")
    .description("Print what waits, and each new one, decision and end as it comes, until Ctrl-C.")
    .option("--session <id>", "only those of this session")
    .option("--json", "print a line of JSON for each")
    .action(async (flags: WatchFlags) => done(await watchCommand(flags)));
}
