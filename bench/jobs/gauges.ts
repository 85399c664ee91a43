import { readFileSync } from "node:fs";
import process from "node:process";

/** Milliseconds of CPU that this process and the children that it has waited for have used. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

/** Only Linux tells; a tick there is 10 ms. */
function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

export function rssMb(): number {
  return process.memoryUsage.rss() / 1_048_576;
}

/** Epoch milliseconds with fractions, comparable between processes of one machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
