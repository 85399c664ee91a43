import type { ApprovalStore } from "../protocol/index.ts";

/** Who listens to changes that this process makes, by store. */
const listeners = new WeakMap<ApprovalStore, Set<(id: string) => void>>();

/** Tells all that listen in this process that a record was made or a decision came. */
export function ring(store: ApprovalStore, id: string): void {
  for (const listener of [...(listeners.get(store) ?? [])]) listener(id);
}

/** Gives what stops the listening. */
export function onRing(store: ApprovalStore, listener: (id: string) => void): () => void {
  const all = listeners.get(store) ?? new Set();
  listeners.set(store, all);
  all.add(listener);
  return () => void all.delete(listener);
}
