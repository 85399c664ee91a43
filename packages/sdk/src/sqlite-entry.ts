export type { SqliteDriver, SqliteStoreOptions } from "./sessions/index.ts";
export { sqliteStore } from "./sessions/index.ts";
