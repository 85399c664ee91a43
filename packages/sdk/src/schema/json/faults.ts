import type { InputIssue } from "../../protocol/index.ts";
import { gotText } from "../issues.ts";

/** A place in the value, as a chain towards the root; undefined is the root itself. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** Names and positions of the value that some keyword has already judged. */
export interface Seen {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/**
 * Judges one value. Without `faults` it stops at the first fault; with it, it collects them.
 * What it judged is noted in `seen`, where somebody wants to know.
 */
export type Check = (
  value: unknown,
  place: Place | undefined,
  faults: InputIssue[] | undefined,
  seen: Seen | undefined,
) => boolean;

const MAX_FAULTS = 50;

/** One step deeper; only where somebody collects faults and so will ask for the way. */
export function step(
  faults: InputIssue[] | undefined,
  parent: Place | undefined,
  key: string | number,
): Place | undefined {
  return faults === undefined ? undefined : { parent, key };
}

export function newSeen(): Seen {
  return { keys: new Set(), items: new Set() };
}

export function mergeSeen(into: Seen | undefined, from: Seen): void {
  if (into === undefined) return;
  for (const key of from.keys) into.keys.add(key);
  for (const item of from.items) into.items.add(item);
}

/** `items.0.name`; empty for the root. */
export function dotted(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse().join(".");
}

/** Notes a fault where somebody collects them. Always false, so that a check can return it. */
export function fail(
  faults: InputIssue[] | undefined,
  place: Place | undefined,
  message: string,
  value: unknown,
  expected?: string,
): false {
  if (faults !== undefined && faults.length < MAX_FAULTS) {
    faults.push({
      path: dotted(place),
      message,
      ...(expected === undefined ? {} : { expected }),
      got: gotText(value),
    });
  }
  return false;
}
