import { join, resolve } from "node:path";
import type { Platform } from "../../platform/index.ts";

/**
 * The folder below which everything durable lies, absolute: `given`, else `CASTELLAN_HOME`, else `~/.castellan`.
 * A relative one starts at the working directory of the process.
 */
export function storeHome(platform: Pick<Platform, "env" | "homedir" | "cwd">, given?: string): string {
  const home = given ?? (platform.env.CASTELLAN_HOME || join(platform.homedir(), ".castellan"));
  return resolve(platform.cwd(), home);
}

/** What lies in such a folder, each absolute: nothing of it may be changed by a tool unasked. */
export function keptIn(home: string): readonly string[] {
  return KEPT.map((name) => join(home, name));
}

const KEPT = [
  ...["sessions", "approvals", "approvals.key", "leases", "wakes", "artifacts", "kept-artifacts"],
  ...databaseFiles("castellan.db"),
];

/** A database with what SQLite keeps beside it. */
export function databaseFiles(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];
}
