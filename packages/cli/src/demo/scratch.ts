import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";

const run = promisify(execFile);

/** The demo's little project: one rule of a shop, one test that fails, one file that nobody may read. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "corner-shop", private: true, type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "README.md": "# Corner shop\n\nOrders of FREE_SHIPPING_FROM or more ship free; all others cost 5.\n",
  ".gitignore": ".env\n",
  ".env": "FREE_SHIPPING_FROM=50\nPAYMENT_TOKEN=not-for-anybody\n",
  ".env.example": "# Orders from this total on ship free.\nFREE_SHIPPING_FROM=50\nPAYMENT_TOKEN=\n",
  "src/shipping.js": [
    "/** What shipping costs for an order. */",
    "export function shippingCost(total) {",
    "  const freeFrom = Number(process.env.FREE_SHIPPING_FROM ?? 50);",
    "  return total > freeFrom ? 0 : 5;",
    "}",
    "",
  ].join("\n"),
  "test/shipping.test.js": [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { shippingCost } from "../src/shipping.js";',
    "",
    'test("a small order pays for shipping", () => assert.equal(shippingCost(49), 5));',
    'test("a large order ships free", () => assert.equal(shippingCost(80), 0));',
    'test("an order of exactly the threshold ships free", () => assert.equal(shippingCost(50), 0));',
    "",
  ].join("\n"),
};

const AUTHOR = ["-c", "user.name=Corner Shop", "-c", "user.email=shop@example.invalid"];

/**
 * Lays the project out as a git repository in a new folder, and returns the folder.
 *
 * @throws Fault (configuration) where the temporary folder cannot be written or git is missing.
 */
export async function layOutProject(): Promise<string> {
  const folder = await newFolder();
  await git(folder, "init", "--quiet");
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await git(folder, "add", "--all");
  await git(folder, ...AUTHOR, "commit", "--quiet", "--message", "The shop as it was");
  return folder;
}

/** What the run changed, as git tells it. */
export function changes(folder: string): Promise<string> {
  return git(folder, "diff", "--no-color", "--no-ext-diff");
}

/** Runs the project's tests, outside of any session: the demo's own word on red and green. */
export async function testsPass(folder: string): Promise<boolean> {
  // With NODE_TEST_CONTEXT, a test run that started the demo would get these results instead.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    await run(process.execPath, ["--test"], { cwd: folder, env });
    return true;
  } catch {
    return false;
  }
}

async function newFolder(): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tmpdir(), "castellan-demo-")));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(
      EXIT.configuration,
      `The demo cannot make its project in ${tmpdir()}: ${why}. Set TMPDIR to a folder that you may write.`,
      error,
    );
  }
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run("git", args, { cwd: folder, env: gitEnv() });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Fault(EXIT.configuration, "The demo needs git, which is not in the PATH. Install it.", error);
    }
    throw error;
  }
}

/** Nothing of the caller's git: neither a repository that its variables name, nor its hooks, signing or templates. */
function gitEnv(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(own), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
}
