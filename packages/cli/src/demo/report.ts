import type { SDKResultMessage } from "@castellan/sdk";
import { wrapped } from "../terminal/columns.ts";
import { printable } from "../terminal/safe-text.ts";
import type { Style } from "../terminal/style.ts";
import { decisionTable } from "./decision-table.ts";
import type { DecidedCall } from "./decisions.ts";
import type { DemoTools } from "./demo-tools.ts";

/** What a demo was, as `--json` prints it. */
export interface DemoFacts {
  readonly sessionId: string | undefined;
  /** The session's log file. */
  readonly log: string | undefined;
  readonly folder: string;
  readonly testsPass: { readonly before: boolean; readonly after: boolean };
  readonly diff: string;
  readonly decisions: readonly DecidedCall[];
  readonly customToolCalls: DemoTools["fixes"];
  readonly result: SDKResultMessage | undefined;
}

/** What stands above the transcript: the project and its rules. */
export function startOfDemo(
  setup: { folder: string; before: boolean; allow: string; deny: readonly string[] },
  style: Style,
): readonly string[] {
  return [
    style.bold("castellan demo"),
    "A scripted model works on a small shop, with real tools, under real permissions.",
    "",
    `  project  ${printable(setup.folder)}`,
    `  tests    ${word(setup.before, style)}`,
    `  allow    ${setup.allow}`,
    ...setup.deny.map((rule) => `  deny     ${rule}, for Read and for the shell`),
    "  ask      all else that writes or runs",
    "",
  ];
}

/** What stands below the transcript: every decision, the diff, the tests, where to look further. */
export function endOfDemo(facts: DemoFacts, style: Style, width: number): readonly string[] {
  const diff = printable(facts.diff.trimEnd());
  return [
    "",
    style.bold("Every decision, and why"),
    "",
    ...decisionTable(facts.decisions, style, width),
    "",
    style.bold("What changed"),
    "",
    ...(diff === "" ? ["  nothing"] : diff.split("\n").map((line) => `  ${coloured(line, style)}`)),
    "",
    `  tests    ${word(facts.testsPass.before, style)} before, ${word(facts.testsPass.after, style)} after`,
    style.dim(`  project  ${printable(facts.folder)}`),
    ...(facts.log === undefined ? [] : [style.dim(`  log      ${printable(facts.log)}`)]),
    ...unfinished(facts, style, width),
  ];
}

function unfinished({ result, sessionId }: DemoFacts, style: Style, width: number): readonly string[] {
  if (result?.subtype === "success" || sessionId === undefined) return [];
  const why = result?.errors?.join(" ") ?? "The session ended without a result.";
  return [
    "",
    ...wrapped(why, width - 2).map((line) => `  ${style.red(line)}`),
    `  To go on: npx castellan run --resume ${sessionId}`,
  ];
}

function word(pass: boolean, style: Style): string {
  return pass ? style.green("pass") : style.red("fail");
}

function coloured(line: string, style: Style): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return style.green(line);
  if (line.startsWith("-") && !line.startsWith("---")) return style.red(line);
  return line;
}
