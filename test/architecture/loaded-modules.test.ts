import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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

/** What is loaded when a session first needs it. */
const LATE = new Set(["bash-tool.js", "command-lines.js", "other-tools.js"]);

/** What is loaded where a program asks for it: functions over stored sessions, forks, scripts, measures, explanations. */
const ASKED_FOR = ["sessions.js", "copy-session.js", "scripted.js", "context-usage.js", "explain.js"];

/** What no session loads: tools that can be judged and not called. */
const JUDGED_ONLY = "declared-tools.js";

const namesOf = (modules: string[]) => modules.map((module) => module.slice(module.lastIndexOf("/") + 1));

async function bytesOf(modules: string[]): Promise<number> {
  const sizes = await Promise.all(modules.map(async (module) => (await stat(new URL(module))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
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

  it("is ASCII, so that the engine keeps it at one byte a character", async () => {
    const { entry } = await built();
    const names = await readdir(dirname(entry), { recursive: true });
    const files = names.filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(files.map((name) => readFile(join(dirname(entry), name), "utf8")));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((_, at) => /[^\0-\x7f]/.test(texts[at] ?? ""))).toEqual([]);
    // The characters are still there.
    expect(texts.some((text) => text.includes("\\u2026"))).toBe(true);
  });

  it("with the public entry is nothing heavy, and few files", async () => {
    const modules = await loadedBy("entry", 'import "@castellan/sdk";');
    const ours = modules.filter((module) => module.includes("/packages/sdk/dist/"));
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.length).toBeLessThan(8);
    expect(await bytesOf(ours)).toBeLessThan(1_000_000);
    expect(heavyOf(modules)).toEqual([]);
    expect(namesOf(ours).filter((name) => LATE.has(name) || name === JUDGED_ONLY)).toEqual([]);
    const { entry } = await built();
    expect(await readdir(join(dirname(entry), "chunks"))).toEqual(expect.arrayContaining(ASKED_FOR));
    expect(namesOf(ours).filter((name) => ASKED_FOR.includes(name))).toEqual([]);
    const others = modules.filter((module) => !module.startsWith("node:") && !ours.includes(module));
    expect(namesOf(others)).toEqual(["entry.mjs"]);
    expect(modules).not.toContain("node:child_process");
  });

  it("with a session whose only tool is the program's own are no built-in tools and no command lines", async () => {
    const program = (tools: string): string => `
      import { query, tool } from "@castellan/sdk";
      import { scriptedModel } from "@castellan/sdk/testing";
      const row = tool("row", "Gives a row.", { n: "integer" }, () => ({ content: [] }));
      const model = scriptedModel([{ toolCalls: [{ name: "row", input: { n: 1 } }] }, { text: "hello" }]);
      let last;
      const options = { model, tools: ${tools}, allowedTools: ["row"], persistSession: false };
      for await (const message of query({ prompt: "hi", options })) last = message;
      if (last?.type !== "result" || last.result !== "hello") throw new Error(JSON.stringify(last));`;
    const own = await loadedBy("own-tool", program("[row]"));
    expect(namesOf(own).filter((name) => LATE.has(name))).toEqual([]);
    expect(own).not.toContain("node:child_process");
    const all = await loadedBy("all-tools", program('[row, "Bash", "Read"]'));
    expect(namesOf(all)).toEqual(expect.arrayContaining([...LATE]));
    expect(namesOf(all)).not.toContain(JUDGED_ONLY);
  });

  it("with a server in the process is nothing of the protocol, until a transport asks for it", async () => {
    const program = (then: string): string => `
      import { createSdkMcpServer, query, tool } from "@castellan/sdk";
      import { scriptedModel } from "@castellan/sdk/testing";
      const row = tool("row", "Gives a row.", { n: "integer" }, () => ({ content: [] }), { riskLevel: "low" });
      const srv = createSdkMcpServer({ name: "srv", tools: [row] });
      const model = scriptedModel([{ toolCalls: [{ name: "mcp__srv__row", input: { n: 1 } }] }, { text: "hello" }]);
      const options = { model, tools: ["mcp__srv"], mcpServers: { srv }, persistSession: false };
      let last;
      for await (const message of query({ prompt: "hi", options })) last = message;
      if (last?.result !== "hello") throw new Error(JSON.stringify(last));
      ${then}`;
    const within = await loadedBy("own-server", program(""));
    expect(namesOf(within)).not.toContain("mcp.js");
    expect(namesOf(within).filter((name) => LATE.has(name))).toEqual([]);
    const asked = await loadedBy(
      "served",
      program(
        "const nothing = async () => {};\nawait srv.instance.connect({ start: nothing, send: nothing, close: nothing });",
      ),
    );
    expect(namesOf(asked)).toContain("mcp.js");
    expect(heavyOf(asked)).toEqual([]);
  });

  it("with the permissions alone is nothing of Node", async () => {
    const modules = await loadedBy("decide", 'import "@castellan/sdk/permissions";');
    expect(modules.filter((module) => module.startsWith("node:"))).toEqual([]);
    expect(namesOf(modules)).toContain("decide.js");
    expect(namesOf(modules)).not.toContain("core.js");
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
