import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { minifySync } from "rolldown/utils";

/** The packages that are built into the library: a user does not install them. */
export const BUNDLED = ["croner", "ignore", "jsonc-parser", "re2js", "unbash", "uuidv7"];

const FILE = "THIRD-PARTY-NOTICES.txt";
const HEAD = "The JavaScript in this folder holds code of the packages below, each under its own license.";

/**
 * A build plugin that writes the licenses of all packages that were bundled into dist/THIRD-PARTY-NOTICES.txt.
 * The build fails where a package has no license text.
 */
export function thirdPartyNotices() {
  return {
    name: "third-party-notices",
    async generateBundle(_options, bundle) {
      const folders = new Set();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !chunk.fileName.endsWith(".js")) continue;
        for (const id of Object.keys(chunk.modules)) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      if (folders.size === 0) return;
      const notices = (await Promise.all([...folders].map(noticeOf))).sort();
      this.emitFile({ type: "asset", fileName: FILE, source: [HEAD, ...notices].join("\n\n") });
    },
  };
}

/** A build plugin that shortens the code of bundled packages: it is nothing to read here, and every program loads it. */
export function shortenThirdParty() {
  return {
    name: "shorten-third-party",
    transform(code, id) {
      if (packageFolder(id) === undefined || !/\.[cm]?js$/.test(id)) return;
      const short = minifySync(id, code, { module: true, compress: false });
      if (short.errors.length > 0) throw new Error(`${id} cannot be shortened: ${short.errors[0].message}`);
      return { code: short.code };
    },
  };
}

/** The folder of the package that a module belongs to; undefined for our own. */
export function packageFolder(id) {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  if (files.length === 0)
    throw new Error(`${name} ${version} is bundled, and its folder has no license text.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return [`## ${name} ${version} (${license})`, ...texts.map((text) => text.trim()), ""].join("\n\n");
}
