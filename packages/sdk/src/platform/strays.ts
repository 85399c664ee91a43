import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** Processes that a program has started and that have left its group, each with its start time. */
export type Strays = Map<number, string>;

const MOST_BYTES = 64 * 1024;

/** Adds the living descendants of a process to `strays`. Only where the system has a `/proc`; elsewhere none are found. */
export function findStrays(pid: number, strays: Strays): void {
  for (const child of childrenOf(pid)) {
    const found = statOf(child);
    if (found === undefined || strays.has(child)) continue;
    if (found.group !== pid) strays.set(child, found.start);
    findStrays(child, strays);
  }
}

/** Signals those that are still the same processes. */
export function signalStrays(strays: Strays, signal: "SIGTERM" | "SIGKILL"): void {
  for (const [pid, start] of strays) {
    if (statOf(pid)?.start !== start) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It is gone by now, or somebody else's.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      contentOf(`/proc/${pid}/task/${thread}/children`).split(" ").map(Number).filter(isPid),
    );
  } catch {
    return [];
  }
}

function isPid(value: number): boolean {
  return Number.isSafeInteger(value) && value > 1;
}

/** The system answers from memory. @throws when the process is gone */
function contentOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, MOST_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

function statOf(pid: number): { readonly group: number; readonly start: string } | undefined {
  try {
    const stat = contentOf(`/proc/${pid}/stat`);
    // The name in parentheses may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { group: Number(fields[2]), start: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
