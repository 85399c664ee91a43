import { fileArtifacts } from "../artifacts/index.ts";
import type { Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore, Store } from "../protocol/index.ts";
import { jsonlStore, keptIn, storeHome } from "../sessions/index.ts";

/** Where sessions and their artifacts are kept. */
export interface StoreParts {
  readonly store: EventStore;
  readonly artifacts: ArtifactStore;
  /** All artifacts here belong to sessions there, so what none of them reaches may be deleted. */
  readonly isPair: boolean;
  /** What else that store keeps. */
  readonly ports: StorePorts;
  /** Its files and folders, and those of the home: tools must not change them unasked. */
  readonly kept: readonly string[];
}

/** An event store may stand alone. */
export type StorePorts = Partial<Pick<Store, "leases" | "approvals" | "wakes">>;

/** The stores that a program names; what it leaves out lies under `CASTELLAN_HOME`, else `~/.castellan`. */
export function storeParts(
  platform: Platform,
  store: EventStore | Store | undefined,
  artifacts: ArtifactStore | undefined,
  openFiles?: number,
): StoreParts {
  const home = storeHome(platform);
  if (store === undefined) {
    const own = artifacts ?? fileArtifacts(platform, `${home}/artifacts`);
    const files = jsonlStore({ platform, ...(openFiles === undefined ? {} : { openFiles }) });
    return {
      store: files,
      artifacts: own,
      isPair: artifacts === undefined,
      ports: files,
      kept: keptIn(home),
    };
  }
  const events = eventsOf(store);
  const blobs = artifacts ?? artifactsOf(store);
  const ports = portsOf(store);
  const kept = [...new Set([...keptIn(home), ...(events.files ?? [])])];
  if (blobs !== undefined) return { store: events, artifacts: blobs, isPair: true, ports, kept };
  // Beside those of other stores, whose pruning would take them for nobody's.
  return {
    store: events,
    artifacts: fileArtifacts(platform, `${home}/kept-artifacts`),
    isPair: false,
    ports,
    kept,
  };
}

/** The event store of what an option takes as a store. One that is both is itself: a program may have changed a method. */
export function eventsOf(store: EventStore | Store): EventStore {
  return "append" in store ? store : store.events;
}

/** What else is kept by what an option takes as a store. */
export function portsOf(store: EventStore | Store): StorePorts {
  return store as object as StorePorts;
}

function artifactsOf(store: EventStore | Store): ArtifactStore | undefined {
  return "artifacts" in store ? store.artifacts : undefined;
}
