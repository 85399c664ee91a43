/**
 * What runs in the thread of a SQLite store: it opens the database and runs the statements that it is sent. It is a
 * text, so that it needs no file beside a bundle and no loader for TypeScript. All that decides anything is outside.
 *
 * A write is one transaction over all its jobs. A job ends where a step that must change something changes nothing; then
 * its `otherwise` is read. A write that is to be flushed makes the log of the database go to the disk.
 */
export const PROGRAM: string = `"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { driver, module, file, schema } = workerData;

function connect() {
  const loaded = require(module);
  if (driver === "node:sqlite") return new loaded.DatabaseSync(file);
  return new (loaded.default ?? loaded)(file);
}

let db;
const prepared = new Map();

function open() {
  if (db !== undefined) return;
  const opened = connect();
  try {
    opened.exec("PRAGMA busy_timeout = 5000");
    opened.exec("PRAGMA journal_mode = WAL");
    opened.exec("PRAGMA synchronous = NORMAL");
    const [{ user_version: version }] = opened.prepare("PRAGMA user_version").all();
    if (version > schema.version) {
      const error = new Error("it was made by a newer release (layout " + version + ")");
      error.code = "TOO_NEW";
      throw error;
    }
    if (version < schema.version) {
      opened.exec("BEGIN IMMEDIATE");
      for (const each of schema.statements) opened.exec(each);
      opened.exec("PRAGMA user_version = " + schema.version);
      opened.exec("COMMIT");
    }
  } catch (error) {
    opened.close();
    throw error;
  }
  db = opened;
}

function statement(sql) {
  let found = prepared.get(sql);
  if (found === undefined) prepared.set(sql, (found = db.prepare(sql)));
  return found;
}

function rows({ sql, params }) {
  return statement(sql).all(...params);
}

// SQLite joins a page of rows to one text: a row by itself costs more than what stands in it. Each page goes out as it
// is there, and is read on the other side while the next one is made.
function texts({ id, sql, params: [session, after] }) {
  let last = after;
  let size = PAGE;
  db.exec("BEGIN");
  try {
    for (;;) {
      const page = pageOf(sql, session, last, size);
      if (page === undefined) size = Math.ceil(size / 10);
      else if (page.data === null) return;
      else {
        parentPort.postMessage({ id, text: page.data });
        last = Number(page.last);
      }
    }
  } finally {
    db.exec("COMMIT");
  }
}

const PAGE = 1000;

// Undefined: so many events are too long for one text.
function pageOf(sql, session, last, size) {
  try {
    return rows({ sql, params: [session, last, size] })[0];
  } catch (error) {
    if (size === 1) throw error;
    return undefined;
  }
}

const KINDS = { read: rows, texts, write };

function runJob({ steps, otherwise }) {
  let changes = 0;
  for (const { sql, params, must } of steps) {
    const target = statement(sql);
    changes = 0;
    for (const each of params) changes += Number(target.run(...each).changes);
    if (must && changes === 0) return { done: false, changes, row: otherwise && rows(otherwise)[0] };
  }
  return { done: true, changes };
}

function write({ jobs, flush }) {
  if (flush) db.exec("PRAGMA synchronous = FULL");
  try {
    db.exec("BEGIN IMMEDIATE");
    try {
      const results = jobs.map(runJob);
      if (flush) statement("UPDATE flushes SET n = n + 1").run();
      db.exec("COMMIT");
      return results;
    } catch (error) {
      try {
        db.exec("ROLLBACK");
      } catch {
        // It was rolled back by what went wrong.
      }
      throw error;
    }
  } finally {
    if (flush) db.exec("PRAGMA synchronous = NORMAL");
  }
}

parentPort.on("message", (message) => {
  if (message.kind === "close") {
    db?.close();
    parentPort.postMessage({ id: message.id, value: undefined });
    parentPort.close();
    return;
  }
  try {
    open();
    const value = KINDS[message.kind](message);
    parentPort.postMessage({ id: message.id, value });
  } catch (error) {
    const { message: text, code, errcode } = error;
    parentPort.postMessage({ id: message.id, error: { text: String(text), code: String(code ?? ""), errcode } });
  }
});
`;
