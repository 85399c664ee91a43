import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { CastellanError } from "../../../protocol/index.ts";

/** What can open a SQLite database. */
export type SqliteDriver = "libsql" | "better-sqlite3" | "node:sqlite";

/** A driver that is there. */
export interface FoundDriver {
  readonly name: SqliteDriver;
  /** What to `require`: an absolute path, or the name of a module of Node. */
  readonly module: string;
}

/** The order in which they are tried: what somebody installed comes before what Node brings. */
const DRIVERS: readonly SqliteDriver[] = ["libsql", "better-sqlite3", "node:sqlite"];

/**
 * The driver to use: the wanted one, else the first that is there. Packages are looked for from where this package lies,
 * and then from the working directory.
 *
 * @throws `store_failed` that names what is missing, and how to get it.
 */
export function findDriver(wanted: SqliteDriver | undefined, cwd: string): FoundDriver {
  for (const name of wanted === undefined ? DRIVERS : [wanted]) {
    const module = find(name, cwd);
    if (module !== undefined) return { name, module };
  }
  throw missing(wanted);
}

function find(name: SqliteDriver, cwd: string): string | undefined {
  if (name === "node:sqlite") return isBuiltin(name) ? name : undefined;
  for (const from of [import.meta.url, join(cwd, "package.json")]) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // Not from there.
    }
  }
  return undefined;
}

function missing(wanted: SqliteDriver | undefined): CastellanError {
  const what = wanted === undefined ? "SQLite driver" : `SQLite driver "${wanted}"`;
  const fix =
    wanted === "node:sqlite"
      ? "Use Node 22.13 or newer, or install another driver: npm install libsql"
      : `Install it: npm install ${wanted ?? "libsql"}`;
  return new CastellanError("store_failed", `The ${what} is not there.`, {
    subject: wanted ?? "libsql",
    fix,
  });
}
