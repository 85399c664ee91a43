import { spawn } from "node:child_process";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cliEnv } from "../cli/run-cli.ts";
import { type Scratch, scratch } from "../cli/scratch.ts";
import { type Loopback, type LoopbackOptions, startLoopback } from "../loopback/index.ts";
import { compile, packed } from "../setup/packed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = fileURLToPath(new URL("../compat/tsconfig.json", import.meta.url));
const PATIENCE_MS = 60_000;

/** How a program ran. */
export interface Ran {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

/**
 * A folder for programs beside an installed tarball. From it resolves that library, the packages in `links`, and nothing
 * else.
 */
export async function programFolder(name: string, links: readonly string[] = []): Promise<string> {
  const { library } = await packed();
  const folder = join(library, name);
  for (const link of links) {
    const place = join(folder, "node_modules", link);
    await mkdir(join(place, ".."), { recursive: true });
    await symlink(join(root, "node_modules", link), place, "junction");
  }
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Type-checks programs with `strict` against the tarball's declarations, and gives the folder of their JavaScript. */
export async function compiled(
  name: string,
  sources: ReadonlyMap<string, string>,
  links: readonly string[] = [],
): Promise<string> {
  const folder = await programFolder(name, links);
  await cp(project, join(folder, "tsconfig.json"));
  for (const [file, text] of sources) await writeFile(join(folder, file), text);
  await compile(folder);
  return join(folder, "out");
}

/** A server that answers, an empty work folder and an empty home, for as many programs as a test runs in them. */
export interface Stage {
  readonly place: Scratch;
  readonly server: Loopback;
  run(file: string, ...args: readonly string[]): Promise<Ran>;
}

/** @param model what `auto` means; without it the keys of the environment decide. */
export async function stage(
  turns: LoopbackOptions["turns"],
  model: string | undefined,
  end: (task: () => Promise<void>) => void,
): Promise<Stage> {
  const place = await scratch();
  const server = await startLoopback({ turns });
  end(() => server.close());
  const env = cliEnv(place, { ...server.env, CASTELLAN_MODEL: model });
  return { place, server, run: (file, ...args) => runProgram(file, args, place.work, env) };
}

function runProgram(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, lines: stdout.split("\n").filter(Boolean), stderr }));
  });
}
