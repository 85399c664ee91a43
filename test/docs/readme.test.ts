import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../architecture/sources.ts";
import { runCli } from "../cli/run-cli.ts";
import { scratch } from "../cli/scratch.ts";

it("README.md shows what `castellan permissions explain` really says", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const shown = [...readme.matchAll(/^```console\n\$ npx castellan (permissions [^\n]+)\n(.*?)^```$/gms)];
  expect(shown).toHaveLength(1);
  for (const [, command = "", output] of shown) {
    const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const end = await runCli(await scratch(), words);
    expect(end).toMatchObject({ code: 0, stderr: "", stdout: output });
  }
});
