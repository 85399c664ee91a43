import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { built } from "../setup/built.ts";

/** The folder of the examples in this checkout. */
export const EXAMPLES: string = fileURLToPath(new URL("../../examples", import.meta.url));

export interface ExampleOptions {
  /** Behind the name of the file. */
  readonly args?: readonly string[];
  /** Before it, for Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ExampleEnd {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What the example left in its temporary folder: names from there, the text of each file. */
  readonly files: Readonly<Record<string, string>>;
  /** What it left in the home of the user. */
  readonly home: readonly string[];
}

/** The text of an example; its name is that of the file without `.mjs`. */
export function exampleText(name: string): Promise<string> {
  return readFile(join(EXAMPLES, `${name}.mjs`), "utf8");
}

/** Runs an example as it stands. */
export async function runExample(name: string, options: ExampleOptions = {}): Promise<ExampleEnd> {
  return runProgram(await exampleText(name), options);
}

/** Runs a program as a process, beside a build of the library, in a home of its own and without any key. */
export async function runProgram(source: string, options: ExampleOptions = {}): Promise<ExampleEnd> {
  const { folder } = await built();
  const place = await realpath(await mkdtemp(join(tmpdir(), "castellan-example-")));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  const [home, tmp] = [join(place, "home"), join(place, "tmp")];
  for (const each of [home, tmp]) await mkdir(each);
  await symlink(join(folder, "node_modules"), join(place, "node_modules"), "junction");
  const file = join(place, "program.mjs");
  await writeFile(file, source);

  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, HOME: home, USERPROFILE: home, TMPDIR: tmp, TEMP: tmp, TMP: tmp };
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), file, ...(options.args ?? [])], {
    cwd: place,
    env: { ...env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said.stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, ...said, files: await filesIn(tmp), home: await readdir(home) };
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // The folder that an example makes has a name of chance: it is left out.
    const name = path
      .slice(folder.length + 1)
      .split(/[\\/]/)
      .slice(1)
      .join("/");
    files[name] = await readFile(path, "utf8");
  }
  return files;
}
