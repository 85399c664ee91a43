// Packs the built packages from a staged copy, so that the checkout's package.json files stay as they are
// while other processes resolve sources through them.
//   node scripts/pack.mjs <folder for the tarballs>
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publishedManifest } from "./publish-manifest.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const run = promisify(execFile);

/**
 * @param {string} destination folder that receives the tarballs; made when missing
 * @param {string} [builtIn] folder with <package>/dist (default: packages/)
 * @returns {Promise<Record<string, string>>} package folder name -> path of its tarball
 */
export async function packAll(destination, builtIn = join(root, "packages")) {
  await mkdir(destination, { recursive: true });
  const tarballs = {};
  for (const name of ["sdk", "cli"]) tarballs[name] = await packOne(name, resolve(destination), builtIn);
  return tarballs;
}

async function packOne(name, destination, builtIn) {
  const source = join(root, "packages", name);
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const stage = await mkdtemp(join(tmpdir(), `castellan-pack-${name}-`));
  try {
    for (const item of [...manifest.files, "README.md", "LICENSE"]) {
      const from = item === "dist" ? join(builtIn, name, item) : join(source, item);
      await mustExist(from);
      await cp(from, join(stage, item), { recursive: true });
    }
    await writeFile(join(stage, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
    const { stdout } = await run(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--pack-destination", destination],
      {
        cwd: stage,
        shell: process.platform === "win32",
      },
    );
    return join(destination, tarballName(JSON.parse(stdout)));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

// npm 10 and before print a list, npm 11 may print a record by package name.
function tarballName(report) {
  const [first] = Array.isArray(report) ? report : Object.values(report);
  return first.filename.replace("@", "").replace("/", "-");
}

async function mustExist(path) {
  try {
    await stat(path);
  } catch (cause) {
    throw new Error(`${path} is missing. Run "npm run build" first.`, { cause });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = process.argv[2];
  if (destination === undefined) throw new Error("Name the folder that receives the tarballs.");
  for (const path of Object.values(await packAll(destination))) console.log(path);
}
