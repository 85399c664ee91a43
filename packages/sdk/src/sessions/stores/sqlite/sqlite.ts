import { join, resolve } from "node:path";
import { nodePlatform, type Platform } from "../../../platform/index.ts";
import type { FullStore } from "../../../protocol/index.ts";
import { databaseFiles, storeHome } from "../store-home.ts";
import type { SqliteDriver } from "./drivers.ts";
import { sqliteArtifacts } from "./sqlite-artifacts.ts";
import { sqliteEvents } from "./sqlite-events.ts";
import { sqliteApprovals, sqliteLeases, sqliteWakes } from "./sqlite-ports.ts";
import { sqlThread } from "./thread.ts";

/** Where a SQLite store keeps its database, and what opens it. */
export interface SqliteStoreOptions {
  /** The database; a relative path starts at the working directory. Default: `castellan.db` in the home folder. */
  readonly file?: string;
  /** Default: `CASTELLAN_HOME`, else `~/.castellan`. */
  readonly home?: string;
  /** Default: the first that is there of `libsql`, `better-sqlite3` and, on Node 22.13 or newer, `node:sqlite`. */
  readonly driver?: SqliteDriver;
  readonly platform?: Platform;
}

/**
 * All ports in one SQLite database, opened in a thread of its own at the first use.
 *
 * What was appended survives kill -9 once it resolved; with `sync`, a power cut too. Appends that come while one is being
 * committed share the next transaction. The first append claims a session for this store until `release()` or `close()`,
 * as in the JSONL store.
 *
 * Every call rejects with a CastellanError: `store_failed` (no driver, no space, not writable), `log_corrupt`,
 * `log_too_new`; each names the file and what to do.
 *
 * @example
 * const host = createHost({ store: sqliteStore({ file: "/srv/agent/sessions.db" }) });
 */
export function sqliteStore(options: SqliteStoreOptions = {}): FullStore {
  const platform = options.platform ?? nodePlatform();
  const file = resolve(
    platform.cwd(),
    options.file ?? join(storeHome(platform, options.home), "castellan.db"),
  );
  const thread = sqlThread(platform, file, options.driver);
  const events = sqliteEvents(platform, thread, file);
  const store = {
    ...events,
    files: databaseFiles(file),
    artifacts: sqliteArtifacts(platform, thread, file),
    leases: sqliteLeases(platform, thread),
    approvals: sqliteApprovals(thread),
    wakes: sqliteWakes(thread),
    async close() {
      await events.close().catch(() => {});
      await thread.close();
    },
  };
  return Object.assign(store, { events: store });
}
