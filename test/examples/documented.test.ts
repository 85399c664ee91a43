import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksIn } from "../../scripts/docs-snippets.mjs";
import { EXAMPLES, runProgram } from "./run-example.ts";

/** A document of the checkout. */
function document(name: string): Promise<string> {
  return readFile(join(EXAMPLES, "..", name), "utf8");
}

/** The lines of a document's fenced block that follow the command `$ node …`. */
function shownOutput(markdown: string): string | undefined {
  return /```console\n\$ node [^\n]+\n([^`]*)```/.exec(markdown)?.[1];
}

it("the first program of README.md prints what README.md shows, and has at most 15 lines", async () => {
  const readme = await document("README.md");
  const code = blocksIn(readme)[0]?.code ?? "";
  expect(code.split("\n").length).toBeLessThanOrEqual(15);
  const end = await runProgram(code);
  expect(end.stderr).toBe("");
  expect(end.stdout).toBe(shownOutput(readme));
  expect(end.home).toEqual([]);
});

it("README.md names the documents, and they are there", async () => {
  const links = [...(await document("README.md")).matchAll(/\]\(((?:docs|examples)\/[^)#]+)\)/g)];
  const names = links.map(([, name]) => name);
  for (const name of ["tools", "client", "hooks", "models"]) expect(names).toContain(`docs/${name}.md`);
  expect(names).toContain("examples/README.md");
  for (const name of names) expect(await document(name ?? "")).not.toBe("");
});

it("the offline test in docs/tools.md runs to its end", async () => {
  const block = blocksIn(await document("docs/tools.md")).find(({ code }) =>
    code.includes("expectTranscript"),
  );
  const end = await runProgram(block?.code ?? "");
  expect(end.stderr).toBe("");
  expect(end.code).toBe(0);
  expect(end.stdout).toContain("result add: 3\n");
});

it("the first tool of docs/tools.md says without a model which variables would lead to one", async () => {
  const code = blocksIn(await document("docs/tools.md"))[0]?.code ?? "";
  expect(code).toContain("find_order");
  const end = await runProgram(code);
  expect(end.stdout).toContain("ANTHROPIC_API_KEY");
  expect(end.stdout).toContain("CASTELLAN_MODEL");
});
