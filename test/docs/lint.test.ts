import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FINDING_CODES } from "../../packages/sdk/src/permissions/index.ts";

const page = readFileSync(new URL("../../docs/lint.md", import.meta.url), "utf8");

describe("docs/lint.md", () => {
  it("has a row for each code, as the table in the source has it", () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (\w+) \| (\w+) \| (.+) \|$/gmu)];
    const told = rows.map(([, code, allow, binds, about]) => [code, { allow, binds, about }]);
    expect(told).toEqual(Object.entries(FINDING_CODES));
  });
});
