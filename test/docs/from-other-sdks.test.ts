import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentClient,
  BUILTIN_TOOL_NAMES,
  HOOK_EVENTS,
  isCastellanError,
  PERMISSION_MODES,
  query,
  TOOL_NAME_ALIASES,
} from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { root } from "../architecture/sources.ts";

interface GuideRow {
  /** Names in backticks of the first column. */
  readonly theirs: readonly string[];
  readonly python: readonly string[];
  readonly here: readonly string[];
  readonly said: string;
}

const guide = readFileSync(join(root, "docs/from-other-sdks.md"), "utf8");

/** The rows of the table under a heading; names as far as they are one word. */
function rowsUnder(heading: string): GuideRow[] {
  const section = guide.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const table = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = table.slice(2).map((line) => line.split("|").slice(1, -1));
  const names = (cell = "") => [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(([, name = ""]) => name);
  return cells.map((row) => ({
    theirs: names(row[0]),
    python: row.length > 3 ? names(row[1]) : [],
    here: names(row.at(-2)),
    said: row.at(-1)?.trim() ?? "",
  }));
}

const isLater = (row: GuideRow): boolean => row.said.startsWith("not yet");

/** What the SDK says about a key, given a value that no option takes. */
function wordOn(key: string): string {
  try {
    void query({ prompt: "go", options: { [key]: Symbol("x") } }).close();
  } catch (error) {
    if (isCastellanError(error, "invalid_option")) return error.message;
    throw error;
  }
  return "taken";
}

describe("the guide from other SDKs", () => {
  const options = rowsUnder("Options");

  it("tells the truth of every option", () => {
    expect(options.length).toBeGreaterThan(30);
    for (const { theirs, here, said } of options) {
      for (const key of here) expect(wordOn(key), key).not.toMatch(/is not an option|not supported/);
      if (said.startsWith("none")) for (const key of theirs) expect(wordOn(key), key).toBe("taken");
      if (said.startsWith("not yet")) for (const key of theirs) expect(wordOn(key)).toMatch(/not supported/);
      if (/^(same|servers)/.test(said)) expect(here).toEqual(theirs);
      else if (!isLater({ theirs, here, said, python: [] }) && !said.startsWith("none"))
        expect(here).toHaveLength(1);
    }
  });

  it("a Python spelling, and another name, lead to ours", () => {
    for (const { theirs, python, here, said } of options) {
      const [ours] = here;
      if (ours === undefined) continue;
      for (const key of [...theirs, ...python].filter((name) => name !== ours)) {
        expect(wordOn(key), said).toContain(`Did you mean ${ours}?`);
      }
    }
  });

  it("tells the truth of every method", async () => {
    const model = scriptedModel(["done"]);
    await using session = query({ prompt: "go", options: { model, persistSession: false } });
    const rows = rowsUnder("Methods of a session");
    expect(rows.length).toBeGreaterThan(15);
    for (const { theirs, here, said } of rows) {
      for (const name of here.filter((each) => each !== "AgentClient")) {
        expect(name in session || name in AgentClient.prototype, name).toBe(true);
      }
      if (said.startsWith("not yet")) for (const name of theirs) expect(name in session, name).toBe(false);
    }
  });

  it("tells the truth of events, modes and tools", () => {
    const agree = (heading: string, known: readonly string[]): void => {
      const rows = rowsUnder(heading);
      expect(rows.flatMap(({ here }) => here)).toEqual(expect.arrayContaining(known.filter(isTold)));
      for (const row of rows)
        for (const name of row.here) expect([...known, "mcp__server__tool"]).toContain(name);
      for (const row of rows.filter(isLater))
        for (const name of row.theirs) expect(known).not.toContain(name);
    };
    agree("Hook events", HOOK_EVENTS);
    agree("Permission modes", PERMISSION_MODES);
    agree("Tools", BUILTIN_TOOL_NAMES);
    expect(TOOL_NAME_ALIASES.Task).toBe("Agent");
  });
});

/** The tool behind `outputFormat` is nothing that a program names. */
const isTold = (name: string): boolean => name !== "StructuredOutput";
