import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type PolicyCase, testPolicy } from "../../packages/sdk/src/permissions-entry.ts";

const here = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");
const rows = here("decisions.jsonl")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as PolicyCase);
const known = new Map(
  Object.entries(JSON.parse(here("expected-failures.json")) as Record<string, { got: string; reason: string }>),
);

const CHUNK = 100;
const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, at) =>
  rows.slice(at * CHUNK, (at + 1) * CHUNK),
);

describe("the corpus of decisions", () => {
  it("names each case once", () => {
    expect(rows.length).toBeGreaterThan(700);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const [id, { reason }] of known) {
      expect(
        rows.some((row) => row.id === id),
        id,
      ).toBe(true);
      expect(reason.length, id).toBeGreaterThan(20);
    }
  });

  it.each(chunks.map((chunk) => [chunk[0]?.id, chunk] as const))("agrees from %s on", async (_, chunk) => {
    const expected = chunk.map((row) => ({ ...row, want: known.get(row.id)?.got ?? row.want }));
    const report = await testPolicy(expected);
    expect(report.failed).toEqual([]);
    expect(report).toMatchObject({ total: chunk.length, passed: chunk.length });
  });
});
