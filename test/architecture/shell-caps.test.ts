import { describe, expect, it } from "vitest";
import type { ShellAnalysis } from "../../packages/sdk/src/protocol/index.ts";
import { analyseFresh } from "../../packages/sdk/src/shell/analyse.ts";
import { analysePowerShell } from "../../packages/sdk/src/shell/index.ts";
import * as limits from "../../packages/sdk/src/shell/limits.ts";
import type { OpacityCode } from "../../packages/sdk/src/shell/opacity.ts";
import { isTest, sourcesUnder } from "./sources.ts";

// A cap of the shell analysis may make a line stricter to judge, never laxer: what is cut must show.

const many = (count: number, text: (index: number) => string, joint = " "): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(joint);
/** Nothing else makes the line opaque: it is the cap that shows. */
const isOnly =
  (code: OpacityCode) =>
  ({ opaque }: ShellAnalysis): boolean =>
    opaque.length > 0 && opaque.every((each) => each.code === code);
/** Nothing is looked at, files neither: it is asked about in every mode. */
const isUnseen = ({ commands, opaque }: ShellAnalysis): boolean =>
  commands.length === 0 && opaque.map(({ code }) => code).join() === "too-many,too-many-paths";
const last = ({ commands }: ShellAnalysis) => commands[commands.length - 1];
const hasUnknown = (analysis: ShellAnalysis): boolean => (last(analysis)?.unknownForms.length ?? 0) > 0;
const hasUnknownPath = ({ paths }: ShellAnalysis): boolean => paths.some((path) => path.unknown === true);
const noDirectory = ({ paths }: ShellAnalysis): boolean => paths.at(-1)?.from === undefined;

/** For each cap a line that goes past it, and how that shows. */
const PAST: Readonly<Record<keyof typeof limits, readonly [string, (analysis: ShellAnalysis) => boolean]>> = {
  MAX_LINE_BYTES: [`echo ${"x".repeat(limits.MAX_LINE_BYTES)}`, isOnly("too-long")],
  MAX_NESTING: [`${"( ".repeat(60)}rm x${" )".repeat(60)}`, isOnly("nesting")],
  MAX_INNER_LINES: [
    Array.from({ length: 8 }).reduce<string>((line) => `eval ${quoted(line)}`, "rm x"),
    isOnly("nesting"),
  ],
  MAX_WRAPPERS: [`${"nice ".repeat(limits.MAX_WRAPPERS + 1)}rm x`, isOnly("nesting")],
  MAX_COMMANDS: [many(limits.MAX_COMMANDS + 1, () => "ls", ";"), isOnly("too-many")],
  MAX_VARIANTS: [`for v in ${many(limits.MAX_VARIANTS + 1, (i) => `a${i}`)}; do git $v; done`, hasUnknown],
  MAX_LINE_VARIANTS: [
    `${many(9, () => `for v in ${many(limits.MAX_VARIANTS, (i) => `a${i}`)}; do git $v; done`, "; ")}`,
    hasUnknown,
  ],
  MAX_BRACE_WORDS: ["git {1..65}", hasUnknown],
  MAX_VALUE: [`v=${"x".repeat(limits.MAX_VALUE + 1)}; git $v`, hasUnknown],
  MAX_VARIABLES: [
    `${many(limits.MAX_VARIABLES + 1, (i) => `v${i}=a`, "; ")}; git $v${limits.MAX_VARIABLES}`,
    hasUnknown,
  ],
  MAX_DIRECTORIES: [`${many(limits.MAX_DIRECTORIES + 1, (i) => `cd d${i}`, "; ")}; cat x`, noDirectory],
  MAX_HERE_DOCUMENTS: [`${many(limits.MAX_HERE_DOCUMENTS + 1, () => "cat <<E", ";")}\nx\nE\n`, isUnseen],
  MAX_EXPANSIONS: [`echo ${many(limits.MAX_EXPANSIONS + 1, () => "${x:-a}")}`, isUnseen],
  MAX_INNER_TEXT: [
    Array.from({ length: 3 }).reduce<string>((line) => `eval ${quoted(line)}`, `echo ${"x".repeat(25_000)}`),
    isOnly("nesting"),
  ],
  MAX_FORM_TEXT: [
    `for v in ${many(64, (i) => `a${i}`)}; do git $v ${"x".repeat(30_000)}; done`,
    isOnly("too-many"),
  ],
  MAX_NODES: [`for i in 1; do ((${many(14_000, () => "1", "+")})); done`, isOnly("too-many")],
  MAX_SUBSTITUTED_TEXT: [
    `${"echo $( ".repeat(12)}echo ${"x".repeat(20_000)}${" )".repeat(12)}`,
    isOnly("too-many"),
  ],
  MAX_WALKED_TEXT: [
    `${"echo $( ".repeat(24)}echo ${"x".repeat(28_000)}${" )".repeat(24)}`,
    (analysis) => isOnly("too-many")(analysis) && analysis.commands.length < 24,
  ],
  MAX_WORDS: [`git ${many(limits.MAX_WORDS + 1, (i) => `a${i}`)}`, isOnly("too-many")],
  MAX_PATHS: [
    many(5, () => `cat ${many(limits.MAX_PATHS / 4, (i) => `a${i}`)}`, ";"),
    isOnly("too-many-paths"),
  ],
  MAX_LINKS: [`${many(limits.MAX_LINKS + 1, (i) => `ln -s x l${i}`, ";")}; cat free`, hasUnknownPath],
  MAX_OPACITIES: [
    many(limits.MAX_OPACITIES + 1, (i) => `$x${i}`, ";"),
    ({ opaque }) =>
      opaque.length === limits.MAX_OPACITIES && opaque.at(-1)?.text === `$x${limits.MAX_OPACITIES - 1}`,
  ],
  MAX_UNKNOWN_FORMS: [
    `for v in ${many(63, (i) => `a${i}`)} push; do /usr/bin/GIT -c user.name=b $v *; done`,
    isOnly("too-many"),
  ],
  MAX_OPTION_PLACES: [`git ${many(limits.MAX_OPTION_PLACES + 1, () => "-P")} push`, isOnly("too-many")],
  MAX_POWER_SHELL: [
    `Get-Content ${"x".repeat(limits.MAX_POWER_SHELL)}`,
    ({ line }) =>
      analysePowerShell(line).commands === undefined &&
      analysePowerShell(line.replace("x", "")).commands === undefined &&
      analysePowerShell("Get-Content x").commands !== undefined,
  ],
  MAX_GUESSES: [
    `strace --not-there ${many(limits.MAX_GUESSES, (i) => `w${i}`)} rm -rf src`,
    isOnly("dynamic-command"),
  ],
  MAX_SCRIPT_FILES: [
    `sed -n ${quoted(many(limits.MAX_SCRIPT_FILES + 1, (i) => `w f${i}`, "\n"))} notes`,
    hasUnknownPath,
  ],
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

describe("a cap of the shell analysis", () => {
  it.each(Object.keys(limits) as (keyof typeof limits)[])("shows where it cuts: %s", (name) => {
    const [line, shows] = PAST[name];
    expect(shows(analyseFresh(line))).toBe(true);
  });
});

// A bound that stands elsewhere than in limits.ts, with what happens past it.
const ELSEWHERE: Readonly<Record<string, string>> = {
  "analyse.ts": "text of a reason, for people",
  "recent-lines.ts": "how many lines are kept, and the longest of them",
  "opacity.ts": "text of a reason, for people",
  "special/pathspec.ts": "depth to which git's star is followed: deeper files are known to be a gap",
};

describe("bounds in the shell room", () => {
  const BOUND =
    /[<>]=?\s*\d{2,}|\b(?:slice|substring|substr)\(\s*0,\s*(?:[3-9]|\d{2,})|\bconst [A-Z_]*(?:DEPTH|SIZE|LENGTH|MOST|MAX)[A-Z_]*\b/;
  const files = sourcesUnder("packages/sdk/src/shell").filter(
    ({ path }) => !isTest(path) && !/(?:limits|line-generator)\.ts$/.test(path),
  );
  const withBounds = files
    .filter(({ text }) => text.split("\n").some((line) => BOUND.test(line)))
    .map(({ path }) => path.replace("packages/sdk/src/shell/", ""));

  it("stand in limits.ts, where each has a line that goes past it", () => {
    expect(files.length).toBeGreaterThan(40);
    expect(withBounds.filter((path) => !Object.hasOwn(ELSEWHERE, path))).toEqual([]);
  });

  it("still need each exception", () => {
    expect(Object.keys(ELSEWHERE).filter((path) => !withBounds.includes(path))).toEqual([]);
  });

  it.each([
    "if (a.length < 256) a.push(b);",
    "text.slice(0, 6);",
    "const MAX_THINGS = 4;",
    "while (n >= 64) {",
  ])("are seen: %s", (line) => expect(BOUND.test(line)).toBe(true));
});
