import process from "node:process";

/** Microseconds of CPU time for each of `count` calls of `work`. Of CPU time, because other things run on the machine. */
export function microseconds(count: number, work: (index: number) => void): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) work(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

export function least(values: readonly number[]): number {
  return Math.min(...values);
}
