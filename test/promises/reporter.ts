import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule } from "vitest/node";
import { type NamedOutcome, openRows, type PromiseRow } from "./open-rows.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const corpus = new URL("../corpus/promises.json", import.meta.url);

/** At the end of a run that took in all of test/promises: how many promises are kept, and which are open. */
export default class PromiseReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const ran = modules.filter((module) => module.moduleId.replaceAll("\\", "/").includes("/test/promises/"));
    if (ran.length === 0 || ran.length < (await testFiles())) return;
    const rows = JSON.parse(readFileSync(corpus, "utf8")) as PromiseRow[];
    const { open, unknown } = openRows(rows, ran.flatMap(outcomes));
    console.log(`Promises: ${rows.length - open.length} of ${rows.length} kept, ${open.length} still open`);
    if (open.length > 0) console.log(`  open: ${open.join(" ")}`);
    for (const name of unknown) console.log(`  no such promise: "${name}"`);
    console.log("");
  }
}

async function testFiles(): Promise<number> {
  const names = await readdir(here, { recursive: true });
  return names.filter((name) => name.endsWith(".test.ts")).length;
}

function outcomes(module: TestModule): NamedOutcome[] {
  return [...module.children.allTests()].map((test) => ({
    name: test.name,
    passed: test.result().state === "passed",
  }));
}
