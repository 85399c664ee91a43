/** The tables of a database, made in one transaction. A later layout has a higher number and the steps to it. */
export const SCHEMA: { readonly version: number; readonly statements: readonly string[] } = {
  version: 1,
  // Texts from outside are kept as JSON where they may hold a zero character: a driver cuts them there.
  statements: [
    `CREATE TABLE IF NOT EXISTS sessions (
      id TEXT PRIMARY KEY, project TEXT NOT NULL, seq INTEGER NOT NULL, batch TEXT NOT NULL,
      created INTEGER NOT NULL, updated INTEGER NOT NULL)`,
    "CREATE INDEX IF NOT EXISTS sessions_updated ON sessions (updated)",
    `CREATE TABLE IF NOT EXISTS events (
      session TEXT NOT NULL, seq INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, seq))`,
    `CREATE TABLE IF NOT EXISTS snapshots (
      session TEXT PRIMARY KEY, data TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS owners (
      session TEXT PRIMARY KEY, store TEXT NOT NULL, pid INTEGER NOT NULL, start TEXT NOT NULL,
      lease INTEGER NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS leases (
      epoch INTEGER PRIMARY KEY AUTOINCREMENT, worker TEXT NOT NULL UNIQUE, expires INTEGER NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS approvals (
      id TEXT PRIMARY KEY, session TEXT NOT NULL, requested INTEGER NOT NULL, data TEXT NOT NULL)`,
    "CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, data TEXT NOT NULL)",
    `CREATE TABLE IF NOT EXISTS wakes (
      id TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL)`,
    "CREATE INDEX IF NOT EXISTS wakes_at ON wakes (at, id)",
    "CREATE TABLE IF NOT EXISTS artifacts (hash TEXT PRIMARY KEY, at INTEGER NOT NULL, bytes BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS flushes (n INTEGER NOT NULL)",
    "INSERT INTO flushes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM flushes)",
  ],
};
