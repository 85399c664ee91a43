import type { EventStore, FullStore, Store } from "../../protocol/index.ts";

/** What the stores of this room are: every port but artifacts, which are not its affair. */
export type SessionStore = Omit<FullStore, "artifacts">;

/** An event store that brings its other ports along. */
export function sessionStore(
  events: EventStore,
  ports: Pick<Store, "leases" | "approvals" | "wakes">,
): SessionStore {
  const store = { ...events, ...ports };
  return Object.assign(store, { events: store });
}
