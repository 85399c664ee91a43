import process from "node:process";

/**
 * Microseconds that each of `count` calls of `work` takes this thread, at most. CPU time counts what the engine compiles and
 * collects in other threads meanwhile, time on the clock counts what other processes take: the lower of both is nearer.
 */
export function microseconds(count: number, work: (index: number) => void): number {
  const began = performance.now();
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) work(i);
  const { user, system } = process.cpuUsage(before);
  return Math.min(user + system, (performance.now() - began) * 1_000) / count;
}

export function least(values: readonly number[]): number {
  return Math.min(...values);
}
