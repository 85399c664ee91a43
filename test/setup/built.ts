import { execFile } from "node:child_process";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { oncePerRun } from "./once-per-run.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const PATIENCE_MS = 60_000;

/** Where a test finds the packages as JavaScript, laid out as they are installed. */
export interface Built {
  /** A folder from which `@castellan/sdk` resolves to the build. */
  readonly folder: string;
  /** The bin stub of the command line: run it with `process.execPath`. */
  readonly bin: string;
  /** The public entry of the library. */
  readonly entry: string;
}

/**
 * Builds both packages from the sources of this moment, once a test run, away from the packages' own dist/.
 * For tests that start a process, which cannot read TypeScript. Throws with the builder's output when the
 * sources do not build.
 */
export async function built(): Promise<Built> {
  const folder = runFolder();
  const failure = await oncePerRun(join(folder, "build-lock"), PATIENCE_MS, () => build(folder));
  if (failure !== "") throw new Error(`The packages do not build:\n${failure}`);
  return {
    folder,
    bin: join(folder, "packages/cli/bin/castellan.js"),
    entry: join(folder, "packages/sdk/dist/index.js"),
  };
}

function runFolder(): string {
  const folder = process.env.CASTELLAN_TEST_FOLDER;
  if (folder === undefined)
    throw new Error("CASTELLAN_TEST_FOLDER is unset: run tests through vitest.config.ts.");
  return folder;
}

async function build(folder: string): Promise<string> {
  try {
    await run(
      process.execPath,
      [join(root, "scripts/build.mjs"), "--js-only", "--quiet", "--out", join(folder, "packages")],
      { cwd: root },
    );
    await layOut(folder);
    return "";
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

async function layOut(folder: string): Promise<void> {
  for (const name of ["sdk", "cli"]) {
    const manifest = join("packages", name, "package.json");
    await cp(join(root, manifest), join(folder, manifest));
  }
  await cp(join(root, "packages/cli/bin"), join(folder, "packages/cli/bin"), { recursive: true });
  await mkdir(join(folder, "node_modules/@castellan"), { recursive: true });
  await symlink(join(folder, "packages/sdk"), join(folder, "node_modules/@castellan/sdk"), "junction");
}
