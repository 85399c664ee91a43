import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { BARS } from "../report/bars.ts";
import { absoluteRow, type Row } from "../report/row.ts";
import { file } from "./lab.ts";

const run = promisify(execFile);

/** What `npm install` of the tarball puts on the disk, optional peers left out. */
export async function installedRows(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "castellan-installed-"));
  try {
    const pack = file("../../scripts/pack.mjs");
    const { packAll } = (await import(pack)) as {
      packAll(destination: string, builtIn: string): Promise<{ readonly sdk: string }>;
    };
    const { sdk } = await packAll(join(folder, "tarballs"), file("packages"));
    await writeFile(join(folder, "package.json"), '{"name":"size","private":true}');
    const shell = process.platform === "win32";
    const flags = [
      "--omit=peer",
      "--omit=optional",
      "--ignore-scripts",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
    ];
    await run("npm", ["install", ...flags, sdk], { cwd: folder, shell, timeout: 120_000 });
    const { bytes, packages } = await weigh(join(folder, "node_modules"));
    return [
      absoluteRow("installed size", "MB", bytes / 1_048_576, BARS.installedMb),
      absoluteRow("installed packages", "", packages, BARS.packages),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sums the files; a package is what lies directly in a node_modules folder, or in a scope there. */
async function weigh(modules: string): Promise<{ readonly bytes: number; readonly packages: number }> {
  let bytes = 0;
  let packages = 0;
  for (const entry of await readdir(modules, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes += (await stat(path)).size;
    else if (
      entry.isDirectory() &&
      /node_modules[\\/](?!\.|@)[^\\/]+$|node_modules[\\/]@[^\\/]+[\\/][^\\/]+$/.test(path)
    )
      packages += 1;
  }
  return { bytes, packages };
}
