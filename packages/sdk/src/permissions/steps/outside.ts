import type { ResolvedPathTarget, SettingPlace, ShellAnalysis, ShellCommand } from "../../protocol/index.ts";
import { isInside, isRead } from "../cover/paths.ts";
import { type Facts, isUnseenShell } from "../facts/facts.ts";
import { isTrustedGit } from "../facts/git-trusted.ts";
import { isFreeTarget } from "../facts/path-forms.ts";
import { placeOf } from "../policy/finding.ts";
import { type Outcome, outcome } from "./outcome.ts";

// The switches blockReadsOutsideWorkingDirectories and blockWritesOutsideWorkingDirectories.

/** What is known to be touched outside, or may lie there, is denied: no rule, hook or mode lifts it. */
export function outsideDenies({ context, paths }: Facts): Outcome | undefined {
  const { blockReadsOutside, blockWritesOutside } = context;
  if (blockReadsOutside === undefined && blockWritesOutside === undefined) return undefined;
  for (const target of paths) {
    const place = isRead(target) ? blockReadsOutside : blockWritesOutside;
    if (place === undefined || isFreeTarget(target) || staysInside(target)) continue;
    return outcome("deny", { type: "settings", detail: denial(target, place) });
  }
  return undefined;
}

function staysInside(target: ResolvedPathTarget): boolean {
  return target.linked !== true && isInside(target);
}

function denial(target: ResolvedPathTarget, place: SettingPlace): string {
  const reads = isRead(target);
  const verb = reads ? "read" : "change";
  return `${nameOf(reads)} (${placeOf(place)}) forbids to ${verb} \`${target.path}\`: ${whyOutside(target)}.`;
}

function whyOutside({ unknown, linked, resolutions }: ResolvedPathTarget): string {
  if (linked) return "the same line may have made a link on the way there";
  const found = resolutions.length > 0 && resolutions.every(({ real }) => real !== undefined);
  return unknown || !found ? "where it lies is not known" : "it lies outside the working directories";
}

function nameOf(reads: boolean): string {
  return reads ? "blockReadsOutsideWorkingDirectories" : "blockWritesOutsideWorkingDirectories";
}

/** A program that nobody can follow may reach outside by itself: asked about in every mode. */
export function outsideAsks(facts: Facts): Outcome | undefined {
  const { blockReadsOutside, blockWritesOutside } = facts.context;
  const place = blockReadsOutside ?? blockWritesOutside;
  if (place === undefined) return undefined;
  const unseen = unseenPart(facts);
  if (unseen === undefined) return undefined;
  const name = nameOf(blockReadsOutside !== undefined);
  const detail = `What ${unseen} touches is not known, and ${name} (${placeOf(place)}) is set.`;
  return outcome("ask", { type: "settings", detail });
}

function unseenPart(facts: Facts): string | undefined {
  if (isUnseenShell(facts)) return facts.call.tool.name;
  for (const line of facts.lines) {
    if (line.opaque.length > 0 || (line.commands.length === 0 && !line.blank)) return `\`${line.line}\``;
    const unseen = line.commands.find((command) => !isSeen(command, line, facts));
    if (unseen !== undefined) return `\`${unseen.text}\``;
  }
  return undefined;
}

/** All that the command touches stands among the targets. */
function isSeen(command: ShellCommand, line: ShellAnalysis, facts: Facts): boolean {
  // The body of a function stands in the line; assignments that reach programs make it opaque.
  if (command.callsFunction || command.bare) return true;
  if (command.readOnly) return command.needs !== "git-trusted" || isInsideGit(facts, command);
  if (command.editLike || touchesOnlyOperands(command)) return true;
  return line.commands.some((inner) => inner.carrier === command.index && inner.transparentCarrier === true);
}

/** What git shows of its own accord is the whole repository. */
function isInsideGit(facts: Facts, command: ShellCommand): boolean {
  const { projectRoot, startDirectory } = facts.context;
  return projectRoot === startDirectory && isTrustedGit(facts, command);
}

/** Writers that acceptEdits does not cover, without any flag that takes a value. */
const WRITERS: ReadonlySet<string> = new Set(["chmod", "chown", "ln", "mkfifo", "tee", "truncate", "unlink"]);

function touchesOnlyOperands({ words, assignments }: ShellCommand): boolean {
  const [name, ...rest] = words.map(({ value }) => value);
  if (name === undefined || !WRITERS.has(name) || !assignments.every(({ harmless }) => harmless))
    return false;
  return rest.every((word) => word === undefined || !word.startsWith("-") || /^-[RafnsvT]+$/.test(word));
}
