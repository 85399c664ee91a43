import { describe, expect, it } from "vitest";
import { analyseFresh } from "../analyse.ts";
import type { Program } from "../program.ts";
import { literal } from "../words/decoded.ts";
import { EXACT_ARGUMENTS } from "./exact-arguments.ts";
import { PROGRAMS } from "./index.ts";
import { PROGRAM_CASES } from "./rows.cases.ts";
import { SUB_COMMANDS } from "./sub-commands/index.ts";
import { SUB_COMMAND_CASES } from "./sub-commands/rows.cases.ts";

const ROW_CASES = [...PROGRAM_CASES, ...SUB_COMMAND_CASES];

function touches(line: string): string {
  const paths = analyseFresh(line).paths.map(
    (path) => `${path.access}${path.recursive ? "*" : ""} ${path.unknown ? "?" : path.path}`,
  );
  return [...new Set(paths)].sort().join(", ");
}

function told(line: string): string {
  const { commands, opaque } = analyseFresh(line);
  return JSON.stringify([touches(line), commands.map((each) => [each.text, each.readOnly]), opaque]);
}

describe("rows of known programs", () => {
  it.each(ROW_CASES.map(([line, ...told]) => ({ line, told })))("$line", ({ line, told }) => {
    const [readOnly, expected, carries] = told;
    const { commands, opaque } = analyseFresh(line);
    expect(opaque).toEqual([]);
    expect(touches(line)).toBe(expected);
    expect(commands[0]?.readOnly ? "reads only" : "").toBe(readOnly);
    expect(commands.slice(1).map((each) => each.text)).toEqual(carries === undefined ? [] : [carries]);
  });

  const starts = (names: readonly string[]): readonly string[] =>
    ROW_CASES.map(([line]) => line).filter((line) => names.includes(line.split(" ", 1)[0] ?? ""));

  it("each have a line that is told otherwise without the row", () => {
    const table = PROGRAMS as Map<string, Program>;
    const rows = new Map<unknown, string[]>();
    for (const [name, program] of table) rows.set(program, [...(rows.get(program) ?? []), name]);
    const idle: string[] = [];
    for (const [program, names] of rows) {
      const lines = starts(names);
      const before = lines.map(told);
      for (const name of names) table.delete(name);
      const after = lines.map(told);
      for (const name of names) table.set(name, program as Program);
      if (before.every((text, at) => text === after[at])) idle.push(names.join(" "));
    }
    expect(idle).toEqual([]);
  });

  it("each have a line for each sub-command that is told otherwise without it", async () => {
    const { judgeSubCommands } = await import("../special/sub-commands.ts");
    const idle: string[] = [];
    const seen = new Set<unknown>();
    for (const [name, entry] of SUB_COMMANDS) {
      if (seen.has(entry)) continue;
      seen.add(entry);
      const names = [...SUB_COMMANDS].filter(([, other]) => other === entry).map(([each]) => each);
      const lines = starts(names).map((line) => line.split(" ").slice(1));
      const judged = (using: typeof entry, as: string) =>
        lines.map((words) =>
          JSON.stringify(
            judgeSubCommands(
              as,
              using,
              words.map((word) => literal(word)),
            ),
          ),
        );
      const whole = judged(entry, name);
      for (const row of [...Object.keys(entry.rows), "other"]) {
        if (row === "other" && entry.other === undefined) continue;
        const { [row]: _, ...rows } = entry.rows;
        const { other, ...rest } = entry;
        const less = { ...rest, rows, ...(row === "other" || other === undefined ? {} : { other }) };
        const without = judged(less, name);
        if (whole.every((text, at) => text === without[at])) idle.push(`${name}: ${row}`);
      }
    }
    expect(idle).toEqual([]);
  });

  it.each([...EXACT_ARGUMENTS].flatMap(([name, texts]) => [...texts].map((text) => `${name} ${text}`)))(
    "%s only reads, and with another word does not",
    (line) => {
      expect(analyseFresh(line).commands[0]?.readOnly).toBe(true);
      expect(analyseFresh(`${line} -e x`).commands[0]?.readOnly).toBe(false);
    },
  );
});
