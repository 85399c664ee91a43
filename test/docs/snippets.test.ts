import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksIn, errorsIn } from "../../scripts/docs-snippets.mjs";
import { root } from "../architecture/sources.ts";

const fence = "```";

describe("the check of documented code", () => {
  it("takes the ts blocks, tells which to leave out, and skips other languages", () => {
    const text = [
      "# Title",
      `${fence}sh`,
      "npm test",
      fence,
      `${fence}ts`,
      "const a = 1;",
      "export { a };",
      fence,
      `${fence}ts no-check`,
      "…",
      fence,
    ].join("\n");
    expect(blocksIn(text)).toEqual([
      { line: 6, code: "const a = 1;\nexport { a };", checked: true },
      { line: 10, code: "…", checked: false },
    ]);
  });

  it("finds a wrong type and an unknown export, at their line in the document", () => {
    const path = join(root, "README.md");
    const code =
      'import { nothingSuch } from "@castellan/sdk";\n\nconst a: number = "text";\nnothingSuch(a);';
    const errors = errorsIn([
      { path, line: 10, code },
      { path, line: 50, code: "const a = 1;\nexport { a };" },
    ]);
    expect(errors.map((error) => error.split(" ")[0])).toEqual(["README.md:10", "README.md:12"]);
    expect(errors[0]).toContain("nothingSuch");
  });
});
