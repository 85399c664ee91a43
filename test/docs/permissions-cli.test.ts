import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const blocks = (markdown: string): string[] =>
  [...markdown.matchAll(/^```text\n(.*?)^```$/gms)].map(([, block = ""]) => block);

describe("the page about seeing permissions", () => {
  it("shows explanations as they really are", () => {
    const shown = blocks(text("docs/permissions-cli.md"));
    const real = blocks(text("test/golden/explanations.md"));
    expect(shown).toHaveLength(3);
    for (const block of shown) expect(real).toContain(block);
  });
});
