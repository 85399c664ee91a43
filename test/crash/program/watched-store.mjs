// A store that tells of every append before the library knows of it, and stands still at its point.
import { writeSync as writeOut } from "node:fs";
import { nodePlatform } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";

export const tell = (what) => writeOut(1, `${JSON.stringify(what)}\n`);

export function standStill() {
  tell({ there: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** A platform for the log files whose disk takes only a part of one write. */
function tornDisk(point) {
  const platform = nodePlatform();
  let writes = 0;
  const writeSync = (descriptor, bytes, offset, length, position) => {
    const text = Buffer.from(bytes.subarray(offset, offset + length));
    if (text.subarray(0, 5).toString() === '{"v":' && ++writes === point.write) {
      const part = partOf(text, point.cut);
      platform.fs.writeSync(descriptor, bytes, offset, part, position);
      standStill();
    }
    return platform.fs.writeSync(descriptor, bytes, offset, length, position);
  };
  return { ...platform, fs: { ...platform.fs, writeSync } };
}

function partOf(text, cut) {
  const firstLine = text.indexOf("\n") + 1;
  const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
  return {
    "one byte": 1,
    "the half of it": Math.floor(text.length / 2),
    "its first line": firstLine === text.length ? text.length - 2 : firstLine,
    "all but its last line": lastLine === 0 ? text.length >> 2 : lastLine,
    "all but the line break": text.length - 1,
    all: text.length,
  }[cut];
}

async function openStore(kind, home, point) {
  if (kind === "sqlite") return (await import("@castellan/sdk/stores/sqlite")).sqliteStore({ home });
  return jsonlStore(point?.kind === "torn" ? { home, platform: tornDisk(point) } : { home });
}

/** A port of the store that stands still right before or behind a step of the session: `approvals.put`. */
function watchedPort(inner, name, methods, point) {
  const watched = { ...inner };
  for (const method of methods) {
    const step = `${name}.${method}`;
    let count = 0;
    watched[method] = async (...values) => {
      count += 1;
      tell({ step });
      const isMeant = point?.kind === "step" && point.step === step && point.nth === count;
      if (isMeant && point.side === "before") standStill();
      const result = await inner[method](...values);
      if (isMeant) standStill();
      return result;
    };
  }
  return watched;
}

export async function watchedStore({ kind, home, point }) {
  const inner = await openStore(kind, home, point);
  /** Tells of what is written before anybody else knows. */
  async function append(batch) {
    const [result] = await inner.append([batch]);
    if (result.ok) tell({ written: batch.events });
    else tell({ refused: result });
    return result;
  }

  /** Each event as an append of its own, so that the log can end behind any of them. */
  async function appendOneByOne(batch) {
    let result;
    for (const [i, event] of batch.events.entries()) {
      const isLast = i === batch.events.length - 1;
      const batchId = isLast ? batch.batchId : `${batch.batchId}-${i}`;
      const expectedSeq = batch.expectedSeq + i;
      const { fresh, ...rest } = batch;
      const one = { ...rest, ...(i === 0 && fresh ? { fresh } : {}), expectedSeq, batchId, events: [event] };
      result = await append(one);
      if (!result.ok) return result;
      if (event.seq === point.event) standStill();
    }
    return result;
  }

  const store = {
    ...inner,
    approvals: watchedPort(inner.approvals, "approvals", ["put", "decide"], point),
    wakes: watchedPort(inner.wakes, "wakes", ["put", "remove"], point),
    async append(batches) {
      const results = [];
      const one = point?.kind === "written" ? appendOneByOne : append;
      for (const batch of batches) results.push(await one(batch));
      return results;
    },
  };

  /** The redactor sees each event in the step that records it, before it is written. */
  function redact(event) {
    if (event.seq === point.event) standStill();
    return event;
  }

  return { inner, store, redact };
}
