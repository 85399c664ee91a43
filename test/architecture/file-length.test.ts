import { describe, expect, it } from "vitest";
import { isTest, sourcesUnder } from "./sources.ts";

const MEDIAN_LINES = 120;
const MOST_LINES = 400;

describe("file length", () => {
  it(`has a median under ${MEDIAN_LINES} lines in the packages' sources`, () => {
    const lengths = sourcesUnder("packages/sdk/src", "packages/cli/src")
      .filter((file) => !isTest(file.path))
      .map((file) => file.lines)
      .sort((a, b) => a - b);
    expect(lengths.length).toBeGreaterThan(10);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(MEDIAN_LINES);
  });

  it(`has no file over ${MOST_LINES} lines, tests and scripts included`, () => {
    const files = sourcesUnder("packages", "test", "scripts", "examples", "bench");
    expect(files.length).toBeGreaterThan(10);
    const long = files
      .filter((file) => file.lines > MOST_LINES)
      .map((file) => `${file.path}: ${file.lines} lines`);
    expect(long).toEqual([]);
  });

  it("keeps the public entry a short list of names", () => {
    const [entry] = sourcesUnder("packages/sdk/src").filter(
      (file) => file.path === "packages/sdk/src/index.ts",
    );
    expect(entry?.lines).toBeLessThan(150);
    const code = (entry?.text ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const statements = code.split(";").map((statement) => statement.trim());
    const others = statements.filter((statement) => statement !== "" && !isNamedExport(statement));
    expect(others).toEqual([]);
  });
});

/** `export { a, b } from "…"`, with or without `type`. */
function isNamedExport(statement: string): boolean {
  return /^export (type )?\{[^{}]*\} from "[^"]+"$/.test(statement);
}
