import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { built } from "../setup/built.ts";

const run = promisify(execFile);
const lister = fileURLToPath(new URL("list-loaded.mjs", import.meta.url));

const HEAVY =
  /node_modules\/(zod|ai|@ai-sdk|@modelcontextprotocol|libsql|@libsql|better-sqlite3|sharp|unpdf|undici|jsdom|linkedom|ink|react|@vscode)\/|sqlite/;

async function loadedBy(name: string, program: string): Promise<string[]> {
  const { folder } = await built();
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, program);
  const { stdout } = await run(process.execPath, [lister, file], { cwd: folder });
  const list = JSON.parse(stdout.trim().split("\n").at(-1) ?? "[]") as string[];
  return list.map((module) => module.replaceAll("\\", "/"));
}

const heavyOf = (modules: string[]) => modules.filter((module) => HEAVY.test(module));

describe("what loads", () => {
  it("shows heavy modules when a program does load them, as ES module and as CommonJS", async () => {
    const esm = await loadedBy("heavy-esm", 'import "zod";');
    expect(heavyOf(esm).length).toBeGreaterThan(0);
    const cjs = await loadedBy(
      "heavy-cjs",
      'import { createRequire } from "node:module"; createRequire(import.meta.url)("zod");',
    );
    expect(heavyOf(cjs).length).toBeGreaterThan(0);
  });

  it("with the public entry is nothing heavy, and few files", async () => {
    const modules = await loadedBy("entry", 'import "@castellan/sdk";');
    const ours = modules.filter((module) => module.includes("/packages/sdk/dist/"));
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.length).toBeLessThan(20);
    expect(heavyOf(modules)).toEqual([]);
  });

  it("in one text turn is nothing heavy", async () => {
    const modules = await loadedBy(
      "text-turn",
      `import { query } from "@castellan/sdk";
       import { scriptedModel } from "@castellan/sdk/testing";
       let last;
       const options = { model: scriptedModel([{ text: "hello" }]), persistSession: false };
       for await (const message of query({ prompt: "hi", options })) last = message;
       if (last?.type !== "result" || last.result !== "hello") throw new Error(JSON.stringify(last));`,
    );
    expect(modules.some((module) => module.includes("/packages/sdk/dist/"))).toBe(true);
    expect(heavyOf(modules)).toEqual([]);
  });
});
