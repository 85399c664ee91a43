import * as fs from "node:fs";
import * as fsp from "node:fs/promises";
import { promisify } from "node:util";
import type { FileSystem } from "./port.ts";

/** The files of this machine. */
export const nodeFiles: FileSystem = {
  ...fsp,
  closeSync: fs.closeSync,
  fdatasync: promisify(fs.fdatasync),
  fstatSync: fs.fstatSync,
  ftruncateSync: fs.ftruncateSync,
  linkSync: fs.linkSync,
  lstatSync: fs.lstatSync,
  openSync: fs.openSync,
  readSync: fs.readSync,
  readdirSync: fs.readdirSync,
  // The other one walks in JavaScript, and keeps the letter case that it was given.
  realpathSync: fs.realpathSync.native,
  statSync: fs.statSync,
  unlinkSync: fs.unlinkSync,
  watchFolder(path, listener) {
    const watcher = fs.watch(path, { persistent: false }, () => listener());
    // The folder went away: whoever watches looks by itself as well.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  },
  writeSync: fs.writeSync,
};
