// What a published package.json looks like, and the prepack/postpack pair that swaps it in and out.
//   node ../../scripts/publish-manifest.mjs swap|restore     (run from a package folder)
import { copyFile, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SOURCE_CONDITION = "castellan-source";
const KEPT_ASIDE = ".package.json.unpublished";

/** The manifest without what only a checkout can use: the source condition, scripts, dev dependencies. */
export function publishedManifest(manifest) {
  const { scripts: _scripts, devDependencies: _devDependencies, ...kept } = manifest;
  return kept.exports === undefined ? kept : { ...kept, exports: withoutSourceCondition(kept.exports) };
}

function withoutSourceCondition(target) {
  if (target === null || typeof target !== "object" || Array.isArray(target)) return target;
  return Object.fromEntries(
    Object.entries(target)
      .filter(([condition]) => condition !== SOURCE_CONDITION)
      .map(([condition, value]) => [condition, withoutSourceCondition(value)]),
  );
}

async function swap(folder) {
  const manifestPath = join(folder, "package.json");
  const aside = join(folder, KEPT_ASIDE);
  if (await exists(aside)) {
    throw new Error(
      `${aside} is left from a pack that was cut short. Run "npm run postpack" in ${folder} first.`,
    );
  }
  await copyFile(manifestPath, aside);
  const manifest = JSON.parse(await readFile(manifestPath, "utf8"));
  await writeFile(manifestPath, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
}

async function restore(folder) {
  const aside = join(folder, KEPT_ASIDE);
  if (await exists(aside)) await rename(aside, join(folder, "package.json"));
}

const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "swap") await swap(process.cwd());
  else if (process.argv[2] === "restore") await restore(process.cwd());
  else throw new Error('Say "swap" or "restore".');
}
