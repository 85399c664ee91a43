import { dirname } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Platform } from "../../../platform/index.ts";
import { closedStore, storeFailed } from "../store-errors.ts";
import { findDriver, type SqliteDriver } from "./drivers.ts";
import { PROGRAM } from "./program.ts";
import { SCHEMA } from "./schema.ts";
import { databaseError, type SqlFault } from "./sql-errors.ts";

/** What a statement is given; SQLite's own kinds but null, which not every driver can bind. */
export type SqlValue = string | number | Uint8Array;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlQuery {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** A statement that writes, once for each list of values. */
export interface SqlStep {
  readonly sql: string;
  readonly params: readonly (readonly SqlValue[])[];
  /** The job ends here when nothing was changed. */
  readonly must?: boolean;
}

/** Steps that go together. */
export interface SqlJob {
  readonly steps: readonly SqlStep[];
  /** Read when the job ends early: its first row is `row`. */
  readonly otherwise?: SqlQuery;
}

export interface SqlJobResult {
  readonly done: boolean;
  /** Rows that the last step changed. */
  readonly changes: number;
  readonly row?: SqlRow;
}

/** The one connection of a store, in a thread of its own: SQLite waits for the disk where nobody else does. */
export interface SqlThread {
  read(sql: string, ...params: SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * The column `data` of all rows, in few texts: what stands in them is joined by `TEXT_JOINT`.
   */
  texts(sql: string, ...params: SqlValue[]): Promise<readonly string[]>;
  /**
   * Resolves when the jobs are committed. Those that come while a transaction runs share the next one.
   * @param flush the commit is on the disk too
   */
  write(jobs: readonly SqlJob[], flush?: boolean): Promise<readonly SqlJobResult[]>;
  /** A write of one job. */
  run(...steps: readonly SqlStep[]): Promise<SqlJobResult>;
  close(): Promise<void>;
}

/** JSON may have it between two values and never within one. */
export const TEXT_JOINT = ",\n";

interface Waiting {
  readonly jobs: readonly SqlJob[];
  readonly flush: boolean;
  resolve(results: readonly SqlJobResult[]): void;
  reject(error: unknown): void;
}

type Answer = { readonly id: number; readonly value?: unknown; readonly error?: SqlFault };

/** @param file absolute; made with mode 0600, its folder with 0700, at the first use. */
export function sqlThread(
  platform: Pick<Platform, "fs" | "cwd">,
  file: string,
  driver: SqliteDriver | undefined,
): SqlThread {
  const calls = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let worker: Promise<Worker> | undefined;
  let lastId = 0;
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
  let current: Worker | undefined;
  let closing: Promise<void> | undefined;

  async function start(): Promise<Worker> {
    const { name, module } = findDriver(driver, platform.cwd());
    try {
      await platform.fs.mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await (await platform.fs.open(file, "a", 0o600)).close();
    } catch (error) {
      throw storeFailed(file, "Opening", error);
    }
    const threads = await import("node:worker_threads");
    const started = new threads.Worker(PROGRAM, {
      eval: true,
      // The warning that node:sqlite is new, and nothing of what this process was started with.
      execArgv: ["--no-warnings"],
      workerData: { driver: name, module, file, schema: SCHEMA },
    });
    current = started;
    started.unref();
    started.on("message", ({ id, value, error }: Answer) => {
      const call = calls.get(id);
      calls.delete(id);
      if (calls.size === 0) started.unref();
      if (error === undefined) call?.resolve(value);
      else call?.reject(databaseError(file, error));
    });
    started.on("error", (error) => ended(started, error));
    started.on("exit", (code) => ended(started, new Error(`it ended with code ${code}`)));
    return started;
  }

  /** The next call starts another thread. */
  function ended(which: Worker, why: unknown): void {
    if (current !== which) return;
    current = undefined;
    worker = undefined;
    const error = storeFailed(file, "The thread of the database", why);
    const all = [...calls.values()];
    calls.clear();
    for (const { reject } of all) reject(error);
  }

  async function call(message: object): Promise<unknown> {
    worker ??= start();
    const mine = worker;
    let port: Worker;
    try {
      port = await mine;
    } catch (error) {
      if (worker === mine) worker = undefined;
      throw error;
    }
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      calls.set(id, { resolve, reject });
      port.ref();
      port.postMessage({ ...message, id });
    });
  }

  async function commit(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const jobs = group.flatMap((each) => each.jobs);
      try {
        const flush = group.some((each) => each.flush);
        const results = (await call({ kind: "write", jobs, flush })) as SqlJobResult[];
        let at = 0;
        for (const each of group) {
          each.resolve(results.slice(at, at + each.jobs.length));
          at += each.jobs.length;
        }
      } catch (error) {
        for (const each of group) each.reject(error);
      }
    }
    committing = undefined;
  }

  function write(jobs: readonly SqlJob[], flush = false): Promise<readonly SqlJobResult[]> {
    if (closing !== undefined) return Promise.reject(closedStore());
    return new Promise((resolve, reject) => {
      waiting.push({ jobs, flush, resolve, reject });
      committing ??= commit();
    });
  }

  async function end(): Promise<void> {
    await committing;
    if (worker === undefined) return;
    await call({ kind: "close" }).catch(() => {});
    const port = await worker?.catch(() => undefined);
    await port?.terminate();
  }

  return {
    async read(sql, ...params) {
      if (closing !== undefined) throw closedStore();
      return (await call({ kind: "read", sql, params })) as SqlRow[];
    },
    async texts(sql, ...params) {
      if (closing !== undefined) throw closedStore();
      return (await call({ kind: "texts", sql, params })) as string[];
    },
    write,
    async run(...steps) {
      const [result] = await write([{ steps }]);
      return result ?? { done: false, changes: 0 };
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}
