// Loaded into each thread before anything else: in the thread of the database it stops the driver in the middle of one
// append, between its statements and its commit.
const { isMainThread } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const Module = require("node:module");

const point = JSON.parse(process.env.CASTELLAN_CRASH_POINT ?? "{}");

function standStill() {
  writeSync(1, `${JSON.stringify({ there: true })}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function watched(Driver) {
  return function open(file) {
    const database = new Driver(file);
    let appends = 0;
    let holdsEvents = false;
    const prepare = database.prepare.bind(database);
    const exec = database.exec.bind(database);
    const at = (stage) => {
      if (appends === point.write && holdsEvents && point.stage === stage) standStill();
    };
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (!sql.startsWith("INSERT INTO events ")) return statement;
      const run = statement.run.bind(statement);
      statement.run = (...values) => {
        const result = run(...values);
        if (!holdsEvents) appends += 1;
        holdsEvents = true;
        at("behind its first event");
        return result;
      };
      return statement;
    };
    database.exec = (sql) => {
      if (sql === "COMMIT") at("before the commit");
      const result = exec(sql);
      if (sql === "COMMIT") at("behind the commit");
      if (sql === "COMMIT" || sql === "ROLLBACK") holdsEvents = false;
      return result;
    };
    return database;
  };
}

if (!isMainThread) {
  const load = Module._load;
  Module._load = function loadWatched(request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    return /[\\/]libsql[\\/][^\\/]+$/.test(request) ? watched(loaded.default ?? loaded) : loaded;
  };
}
