/** The part of a .cpuprofile that is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** The functions in which most time was spent, without what they called. */
export function topFunctions({ nodes, samples, timeDeltas }: CpuProfile, count: number): string {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || "(anonymous)"} ${url.split("/").slice(-2).join("/")}:${lineNumber + 1}`,
    ]),
  );
  const times = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const name = names.get(id) ?? "?";
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  }
  const busy = [...times].filter(([name]) => !name.startsWith("(idle)"));
  const all = busy.reduce((sum, [, time]) => sum + time, 0);
  return busy
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(
      ([name, time]) =>
        `${(time / 1_000).toFixed(1).padStart(8)} ms ${((100 * time) / all).toFixed(1).padStart(5)} %  ${name}`,
    )
    .join("\n");
}
