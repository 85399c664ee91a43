// Builds packages/sdk and packages/cli into their dist/.
//   node scripts/build.mjs [--js-only] [--quiet] [--out <dir>] [sdk] [cli]
// --js-only  no declarations
// --quiet    prints warnings and errors only
// --out      writes <dir>/<package>/dist instead of packages/<package>/dist
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * @param {{packages?: string[], jsOnly?: boolean, quiet?: boolean, out?: string}} [options]
 *   `packages` are folder names under packages/ (default: sdk, cli).
 */
export async function buildPackages({ packages = ["sdk", "cli"], jsOnly = false, quiet = false, out } = {}) {
  if (jsOnly) process.env.CASTELLAN_JS_ONLY = "1";
  else delete process.env.CASTELLAN_JS_ONLY;
  const { build } = await import("tsdown");
  for (const name of packages) {
    const cwd = join(root, "packages", name);
    const { default: config } = await import(
      new URL(`../packages/${name}/tsdown.config.mjs`, import.meta.url).href
    );
    await build({
      ...config,
      config: false,
      cwd,
      logLevel: quiet ? "warn" : "info",
      ...(jsOnly ? { dts: false } : {}),
      ...(out === undefined ? {} : { outDir: join(out, name, "dist") }),
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "js-only": { type: "boolean" }, quiet: { type: "boolean" }, out: { type: "string" } },
  });
  try {
    await buildPackages({
      ...(positionals.length > 0 ? { packages: positionals } : {}),
      jsOnly: values["js-only"] ?? false,
      quiet: values.quiet ?? false,
      ...(values.out === undefined ? {} : { out: resolve(values.out) }),
    });
  } catch (error) {
    // The builder's message shows file and line; its stack shows only the builder.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
