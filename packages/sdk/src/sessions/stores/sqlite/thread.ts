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
   * The events of a session behind one of them, in few texts: what stands in them is joined by `TEXT_JOINT`. All are of
   * one moment. Each is given as it comes; what `take` throws is rejected with, once the last one was there.
   */
  texts(sessionId: string, afterSeq: number, take: (text: string) => void): Promise<void>;
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

/** A page of events. Whoever folds them refuses them in another order. */
const PAGE = `SELECT group_concat(data, '${TEXT_JOINT}') AS data, max(seq) AS last
  FROM (SELECT seq, data FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?)`;

interface Waiting {
  readonly jobs: readonly SqlJob[];
  readonly flush: boolean;
  resolve(results: readonly SqlJobResult[]): void;
  reject(error: unknown): void;
}

type Answer = {
  readonly id: number;
  /** One of several texts: the answer comes behind them. */
  readonly text?: string;
  readonly value?: unknown;
  readonly error?: SqlFault;
};

interface Call {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly take: ((text: string) => void) | undefined;
}

/** @param file absolute; made with mode 0600, its folder with 0700, at the first use. */
export function sqlThread(
  platform: Pick<Platform, "fs" | "cwd">,
  file: string,
  driver: SqliteDriver | undefined,
): SqlThread {
  const calls = new Map<number, Call>();
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
    started.on("message", ({ id, text, value, error }: Answer) => {
      const call = calls.get(id);
      if (text !== undefined) {
        call?.take?.(text);
        return;
      }
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

  /** @param take must not throw */
  async function call(message: object, take?: (text: string) => void): Promise<unknown> {
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
      calls.set(id, { resolve, reject, take });
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
    async texts(sessionId, afterSeq, take) {
      if (closing !== undefined) throw closedStore();
      let failure: { readonly error: unknown } | undefined;
      await call({ kind: "texts", sql: PAGE, params: [sessionId, afterSeq] }, (text) => {
        if (failure !== undefined) return;
        try {
          take(text);
        } catch (error) {
          failure = { error };
        }
      });
      if (failure !== undefined) throw failure.error;
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
