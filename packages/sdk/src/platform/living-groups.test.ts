import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// A process that starts programs and then ends: it runs this room, and the one that this room imports, as JavaScript.
let folder: string;

beforeAll(async () => {
  const base = process.env.CASTELLAN_TEST_FOLDER ?? "";
  await mkdir(base, { recursive: true });
  folder = await mkdtemp(join(base, "platform-"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  for (const room of ["platform", "protocol"]) await transpile(room);
});

async function transpile(room: string): Promise<void> {
  const from = join(import.meta.dirname, "..", room);
  for (const name of await readdir(from, { recursive: true })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const source = await readFile(join(from, name), "utf8");
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    const to = join(folder, room, name.replace(/\.ts$/, ".js"));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, outputText);
  }
}
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = `
import { nodePlatform } from "./platform/index.js";
let text = "";
const child = nodePlatform().spawner(process.env).spawn({
  command: "bash", args: ["-c", COMMAND], cwd: process.cwd(), env: process.env,
  onOutput: (stream, chunk) => {
    text += chunk;
    if (/^\\d+ \\d+\\n/.test(text)) { console.log(text.trim()); ready(); text = ""; }
  },
});
`;

async function main(command: string, after: string) {
  const file = join(folder, `main-${Math.random().toString(36).slice(2)}.js`);
  await writeFile(file, START.replace("COMMAND", () => JSON.stringify(command)) + after);
  const node = spawn(process.execPath, [file], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(node.stdout, "data");
  const pids = String(line).trim().split(" ").map(Number);
  const ended = node.exitCode === null && node.signalCode === null ? once(node, "exit") : undefined;
  return { node, pids, ended: async () => (await ended) ?? [node.exitCode, node.signalCode] };
}

async function allGone(pids: readonly number[]): Promise<void> {
  // A killed process that nobody has collected yet counts as gone.
  const alive = (pid: number) => {
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return stdout.trim() !== "" && !stdout.startsWith("Z");
  };
  while (pids.some(alive)) await sleep(10);
}

const TWO = "sleep 300 & echo $$ $!; wait";

describe("a group that outlives its leader", () => {
  it("is listened for until a signal finds nothing of it", async () => {
    const { ended } = await main(
      "sleep 0.5 >/dev/null 2>&1 & echo $$ $!",
      `let member = 0;
      function ready() { member = Number(text.trim().split(" ")[1]); }
      const isThere = () => { try { return process.kill(member, 0); } catch { return false; } };
      await child.ended;
      const during = process.listenerCount("SIGTERM");
      while (isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill("SIGKILL");
      process.exit(10 * during + process.listenerCount("SIGTERM"));`,
    );
    expect(await ended()).toEqual([10, null]);
  });
});

describe("when Node ends", () => {
  it("by process.exit, running groups die", async () => {
    const { pids, ended } = await main(TWO, "function ready() { process.exit(5); }");
    expect(await ended()).toEqual([5, null]);
    await allGone(pids);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "by %s, running groups die and the signal still ends Node",
    async (signal) => {
      const { node, pids, ended } = await main(TWO, "function ready() {}");
      node.kill(signal);
      expect(await ended()).toEqual([null, signal]);
      await allGone(pids);
    },
  );

  it("leaves a signal to a program that listens to it", async () => {
    const { node, pids, ended } = await main(
      TWO,
      "function ready() {} process.on('SIGTERM', () => setTimeout(() => process.exit(9), 50));",
    );
    node.kill("SIGTERM");
    expect(await ended()).toEqual([9, null]);
    await allGone(pids);
  });

  it("what an ended program left in its group dies too", async () => {
    const { pids, ended } = await main(
      "sleep 300 & echo $$ $!",
      "function ready() {} await child.ended; process.kill(Number(process.env.NONE ?? process.pid), 0); process.exit(0);",
    );
    expect(await ended()).toEqual([0, null]);
    await allGone(pids);
  });

  it("nothing keeps Node alive once its programs have ended", async () => {
    const { ended } = await main("echo 1 2", "function ready() {} await child.ended;");
    expect(await ended()).toEqual([0, null]);
  });
});
