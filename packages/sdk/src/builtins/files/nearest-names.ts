import { dirname, join } from "node:path";
import type { FileSystem } from "../../platform/index.ts";
import type { MayRead } from "../../protocol/index.ts";
import { editDistance } from "../../schema/index.ts";
import type { JudgedPath } from "./judged-path.ts";

const MOST_ENTRIES = 5_000;
const SHOWN = 3;

/** Names beside a missing file that are most like it, best first; only those that may be read, by whatever name. */
export async function nearestNames(fs: FileSystem, path: JudgedPath, mayRead: MayRead): Promise<string[]> {
  const { given, real, hops } = path;
  const folder = dirname(real);
  const folders = [...new Set([real, given, ...hops].map((form) => dirname(form)))];
  const wanted = folded(real.slice(folder.length).replace(/^[\\/]/, ""));
  const names = await fs.readdir(folder).catch(() => [] as string[]);
  const ranked = names
    .slice(0, MOST_ENTRIES)
    .map((name) => ({ name, far: distance(wanted, folded(name)) }))
    .filter(({ far }) => far <= Math.max(2, wanted.length * 0.4))
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return ranked
    .filter(({ name }) => folders.every((each) => mayRead(join(each, name))))
    .slice(0, SHOWN)
    .map(({ name }) => join(folder, name));
}

/** Edits between two names; another ending of the same stem, or the name as a part, counts as near. */
function distance(a: string, b: string): number {
  if (stem(a) === stem(b) && stem(a) !== "") return 1;
  if (a.length > 3 && b.includes(a)) return 2;
  return editDistance(a, b);
}

/** Letters composed: another form of them is no other name to a reader. */
const folded = (name: string): string => name.normalize("NFC").toLowerCase();

const stem = (name: string): string => name.replace(/\.[^.]*$/, "");
