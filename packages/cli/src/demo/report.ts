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
  /** The real model's name, or `script`. */
  readonly model: string;
  readonly testsPass: { readonly before: boolean; readonly after: boolean };
  readonly diff: string;
  readonly decisions: readonly DecidedCall[];
  readonly customToolCalls: DemoTools["fixes"];
  readonly result: SDKResultMessage | undefined;
}

/** What stands above the transcript: the project and its rules. */
export function startOfDemo(
  setup: {
    folder: string;
    before: boolean;
    allow: string;
    deny: readonly string[];
    /** The real model's name. */
    live: string | undefined;
    /** Somebody is here to answer. */
    person: boolean;
  },
  style: Style,
): readonly string[] {
  return [
    style.bold("castellan demo"),
    ...(setup.live === undefined
      ? ["A scripted model works on a small shop, with real tools, under real permissions."]
      : [
          "A real model works on a small shop, with real tools, under real permissions.",
          "Nothing of it is scripted: each run may go another way.",
        ]),
    "",
    ...(setup.live === undefined ? [] : [`  model    ${printable(setup.live)}`]),
    `  project  ${printable(setup.folder)}`,
    `  tests    ${word(setup.before, style)}`,
    `  allow    ${setup.allow}`,
    ...setup.deny.map((rule) => `  deny     ${rule}, for Read and for the shell`),
    "  ask      all else that writes or runs",
    ...(setup.live === undefined || setup.person
      ? []
      : ["           nobody is here: the script allows one Edit in src/ and denies the rest"]),
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
    ...(facts.model === "script" ? [] : [`  cost     ${costOf(facts.result)}`]),
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

function costOf(result: SDKResultMessage | undefined): string {
  if (result === undefined) return "not known";
  const { usage, total_cost_usd, num_turns } = result;
  const read = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  const price = result.cost_unknown === true ? "price not known" : `$${total_cost_usd.toFixed(4)}`;
  return `${price}; ${num_turns} turns, ${read} tokens read, ${usage.output_tokens} written`;
}

function word(pass: boolean, style: Style): string {
  return pass ? style.green("pass") : style.red("fail");
}

function coloured(line: string, style: Style): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return style.green(line);
  if (line.startsWith("-") && !line.startsWith("---")) return style.red(line);
  return line;
}
