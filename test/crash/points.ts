/** The moment in which a process is killed. */
export type Point =
  /** Event n stands in the memory of the process, and in no log yet. */
  | { readonly kind: "recorded"; readonly event: number }
  /** Event n is reported written; the log ends there. */
  | { readonly kind: "written"; readonly event: number }
  /** A part of an append stands in the file. */
  | { readonly kind: "torn"; readonly write: number; readonly cut: string }
  /** A command of the foreground runs, and has done what it does. */
  | { readonly kind: "running" }
  /** A step of the session at another port of the store is about to be made, or made. */
  | { readonly kind: "step"; readonly step: string; readonly nth: number; readonly side: "before" | "behind" }
  /** A person is told of the nth thing that waits. */
  | { readonly kind: "told"; readonly nth: number }
  /** An append stands in a transaction of the database. */
  | { readonly kind: "transaction"; readonly write: number; readonly stage: string };

export type Kind = "jsonl" | "sqlite";

/** A point over a store. */
export interface Kill {
  readonly store: Kind;
  readonly point: Point;
  /** Kills the process that resumes as well, where it has recorded so many events. */
  readonly again?: number;
  /** Starts are flushed to the disk too. */
  readonly durability: "process" | "power";
}

const CUTS = [
  "one byte",
  "the half of it",
  "its first line",
  "all but its last line",
  "all but the line break",
  "all",
];
const STAGES = ["behind its first event", "before the commit", "behind the commit"];

/** How many events and appends a run has that nobody kills. */
export interface Whole {
  readonly events: number;
  readonly appends: number;
  /** Steps at other ports, in their order: `approvals.put`. */
  readonly steps?: readonly string[];
  /** How many things a person was told of. */
  readonly told?: number;
}

/** Every event border and every append of a run, with each way to be in the middle of one. */
export function allKills(store: Kind, { events, appends, steps, told = 0 }: Whole): readonly Kill[] {
  // A session without such steps has a command that runs instead.
  const points: Point[] = steps === undefined ? [{ kind: "running" }] : [...stepPoints(steps)];
  for (let nth = 1; nth <= told; nth += 1) points.push({ kind: "told", nth });
  for (let event = 1; event <= events; event += 1) {
    points.push({ kind: "recorded", event }, { kind: "written", event });
  }
  for (let write = 1; write <= appends; write += 1) {
    if (store === "jsonl") points.push(...CUTS.map((cut) => ({ kind: "torn", write, cut }) as const));
    else points.push(...STAGES.map((stage) => ({ kind: "transaction", write, stage }) as const));
  }
  return points.map((point) => ({ store, point, durability: "process" }));
}

function* stepPoints(steps: readonly string[]): Generator<Point> {
  const counts = new Map<string, number>();
  for (const step of steps) {
    const nth = (counts.get(step) ?? 0) + 1;
    counts.set(step, nth);
    yield { kind: "step", step, nth, side: "before" };
    yield { kind: "step", step, nth, side: "behind" };
  }
}

/** So many of them, spread evenly: always the same ones. All, where there are no more. */
export function spread<T>(all: readonly T[], most: number, seed: number): readonly T[] {
  if (all.length <= most) return all;
  const step = all.length / most;
  const shift = (seed * 0.618_033_988_75) % 1;
  return Array.from({ length: most }, (_, i) => all[Math.floor((i + shift) * step)] as T);
}

/** Every third is killed again on the way back, by turns behind the first to the fifth event; every fourth flushes. */
export function varied(kills: readonly Kill[]): readonly Kill[] {
  return kills.map((kill, i) => ({
    ...kill,
    ...(i % 3 === 2 ? { again: 1 + (Math.floor(i / 3) % 5) } : {}),
    ...(i % 4 === 1 ? { durability: "power" } : {}),
  }));
}

/** For people, in a failure. */
export function describeKill({ store, point, again, durability }: Kill): string {
  const flushed = durability === "power" ? ", flushed" : "";
  const more = again === undefined ? flushed : `${flushed}, and its resume at ${again} more`;
  return `${store}: ${describePoint(point)}${more}`;
}

function describePoint(point: Point): string {
  switch (point.kind) {
    case "running":
      return "a command running";
    case "torn":
      return `append ${point.write}, ${point.cut} written`;
    case "step":
      return `${point.step} ${point.nth}, ${point.side} it`;
    case "told":
      return `thing ${point.nth} told`;
    case "transaction":
      return `append ${point.write}, ${point.stage}`;
    default:
      return `event ${point.event} ${point.kind}`;
  }
}
