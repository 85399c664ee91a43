/**
 * `node:child_process`, loaded when the first process is started: it brings sockets and datagrams with it, which most
 * sessions never need.
 */
export function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}
