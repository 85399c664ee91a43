import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packAll } from "../../scripts/pack.mjs";
import { oncePerRun } from "./once-per-run.ts";

const exec = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const shell = process.platform === "win32";

/** Building, packing and installing from the registry take no longer. */
export const PACKED_PATIENCE_MS = 240_000;

/** What a stranger gets. */
export interface Packed {
  /** Paths of the tarballs of the library and the command line. */
  readonly tarballs: { readonly sdk: string; readonly cli: string };
  /** A folder outside the checkout in which the library's tarball is installed, and nothing else. */
  readonly library: string;
}

/**
 * The packages as they are published, from the sources of this moment, made once a test run. Programs go into folders of
 * their own below `library`. Needs the npm registry. Throws with all that was said when something fails.
 */
export async function packed(): Promise<Packed> {
  const folder = outside();
  const lock = join(folder, "packed-lock");
  const outcome = await oncePerRun(lock, PACKED_PATIENCE_MS, () =>
    make(folder).then(
      (made) => JSON.stringify(made),
      (error) => String(error instanceof Error ? error.message : error),
    ),
  );
  if (!outcome.startsWith("{")) throw new Error(`The packages cannot be packed and installed:\n${outcome}`);
  return JSON.parse(outcome) as Packed;
}

async function make(folder: string): Promise<Packed> {
  const built = join(folder, "built");
  await run(process.execPath, [join(root, "scripts/build.mjs"), "--quiet", "--out", built], root);
  const { sdk = "", cli = "" } = await packAll(join(folder, "tarballs"), built);
  return { tarballs: { sdk, cli }, library: await installInto(join(folder, "library"), sdk) };
}

/** Makes a folder and installs packages into it. */
export async function installInto(place: string, ...packages: readonly string[]): Promise<string> {
  await mkdir(place);
  await writeFile(join(place, "package.json"), '{"name":"consumer","private":true,"type":"module"}');
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  await run("npm", ["install", ...quiet, ...packages], place);
  return place;
}

/** Runs a program and gives its standard output; a failure carries all that the program said. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await exec(program, args, { cwd, shell: shell && program !== process.execPath })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed in ${cwd}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Checks programs of a folder with the compiler and its project file, and writes JavaScript where that says. */
export async function compile(place: string): Promise<void> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // The compiler and the types of Node are the checkout's; whoever uses the library has their own.
  await run(process.execPath, [compiler, "-p", ".", "--typeRoots", join(root, "node_modules/@types")], place);
}

/** A folder of this test run from which nothing of the checkout resolves. */
export function outside(): string {
  const folder = process.env.CASTELLAN_TEST_OUTSIDE;
  if (folder === undefined)
    throw new Error("CASTELLAN_TEST_OUTSIDE is unset: run tests through vitest.config.ts.");
  return folder;
}
