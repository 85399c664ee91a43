import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of the repository, with a trailing separator. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** One TypeScript or JavaScript file of the repository. */
export interface SourceFile {
  /** From the top folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** All code files under the given folders of the repository, without what is installed or built. */
export function sourcesUnder(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) => filesIn(join(root, folder))).map(read);
}

/** Whether a file is a test beside the code, a table of cases (`*.cases.ts`) or a room's `test-kit.ts`. */
export function isTest(path: string): boolean {
  return /(\.(test|test-d|cases)|\/test-kit)\.ts$/.test(path);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : filesIn(path);
    return /\.(ts|mts|mjs|js)$/.test(entry.name) ? [path] : [];
  });
}

function read(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return {
    path: relative(root, path).split(sep).join("/"),
    text,
    lines: text.replace(/\n$/, "").split("\n").length,
  };
}
