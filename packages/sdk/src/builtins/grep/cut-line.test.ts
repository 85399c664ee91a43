import { describe, expect, it } from "vitest";
import { cutLine, cutPart } from "./cut-line.ts";

describe("a long line", () => {
  it("is shown around its match, and a short one whole", () => {
    expect(cutLine("short", 2)).toBe("short");
    const long = `${"a".repeat(3000)}match${"b".repeat(3000)}`;
    const cut = cutLine(long, 3000);
    expect(cut).toMatch(/^…a{80}matchb{415}… \[line cut\]$/);
    expect(cutLine(long, 10)).toBe(`${"a".repeat(500)}… [line cut]`);
    expect(cutLine(`${"a".repeat(600)}match`, 600)).toBe(`…${"a".repeat(80)}match`);
  });

  it("is never cut inside a character", () => {
    expect(cutLine("😀".repeat(400), 0)).toBe(`${"😀".repeat(250)}… [line cut]`);
    expect(cutLine("😀".repeat(800), 1001)).toBe(`…${"😀".repeat(250)}… [line cut]`);
    expect(cutLine(`a${"😀".repeat(400)}`, 0)).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("a long part", () => {
  it("keeps the beginning of each of its lines", () => {
    expect(cutPart("a\nb")).toBe("a\nb");
    expect(cutPart(`${"a".repeat(900)}\n${"b".repeat(900)}\n`)).toBe(
      `${"a".repeat(500)}\n${"b".repeat(500)}\n`,
    );
  });
});
