import { describe, expect, it } from "vitest";
import { isTest, sourcesUnder } from "./sources.ts";

const CLONES = /\bstructuredClone\s*\(|JSON\.parse\(\s*JSON\.stringify\(|\bisDeepStrictEqual\b|\bdeepEqual\b/;
const SYNCHRONOUS =
  /\b(spawnSync|execSync|execFileSync|fsyncSync|fdatasyncSync|readFileSync|writeFileSync|appendFileSync|DatabaseSync)\b/;

/** Where a copy or a call that waits is no matter, and why. */
const EXCEPT: ReadonlyMap<string, string> = new Map([
  [
    "packages/sdk/src/sessions/redact.ts",
    "the program's redactor gets a copy; without one nothing is copied",
  ],
  ["packages/sdk/src/sessions/stores/sqlite/program.ts", "the text of a thread of its own"],
]);

const sources = () =>
  sourcesUnder("packages/sdk/src").filter(
    (file) =>
      !isTest(file.path) && !file.path.startsWith("packages/sdk/src/testing/") && !EXCEPT.has(file.path),
  );

function linesWith(pattern: RegExp): string[] {
  return sources().flatMap((file) =>
    file.text
      .split("\n")
      .map((line, index) => ({ line, at: `${file.path}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map(({ line, at }) => `${at} ${line.trim()}`),
  );
}

describe("the hot path", () => {
  it("copies nothing deeply and compares nothing deeply", () => {
    expect(sources().length).toBeGreaterThan(10);
    expect("const a = JSON.parse(JSON.stringify(b));").toMatch(CLONES);
    expect(linesWith(CLONES)).toEqual([]);
  });

  it("never blocks the main thread on a process, a disk or a database", () => {
    expect('spawnSync("git")').toMatch(SYNCHRONOUS);
    expect(linesWith(SYNCHRONOUS)).toEqual([]);
  });
});
