import { fileArtifacts, memoryArtifacts } from "../artifacts/index.ts";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { jsonlStore, memoryStore, storeHome } from "../sessions/index.ts";
import type { Settings } from "../settings/index.ts";
import { Client } from "./client.ts";
import { createHostModels, type HostModelOptions } from "./host-models.ts";
import { badOption } from "./options/fault.ts";
import { checkHostOptions, readPrompt } from "./options/params.ts";
import { parseOptions } from "./options/parse.ts";
import type { Options } from "./options/types.ts";
import { Query } from "./query.ts";
import type { QueryParams } from "./query-params.ts";
import { startRun } from "./running/session-run.ts";
import type { Shared } from "./shared.ts";

export interface HostOptions {
  /**
   * Where sessions are kept. Default: JSONL files under `CASTELLAN_HOME`, else `~/.castellan`. One that is given is not
   * closed with the host.
   */
  readonly store?: EventStore;
  /** Where large results go. Default: files beside the sessions. */
  readonly artifacts?: ArtifactStore;
  readonly platform?: Partial<Platform>;
  /**
   * Policy for every session, as the content of a managed settings file: it counts beside the machine's own, and no
   * option of a session lifts it.
   */
  readonly policy?: Settings;
  /** Prices and short names of models. */
  readonly models?: HostModelOptions;
  readonly limits?: {
    /** Neighbouring safe calls of one session that run at once; 1 to 100, default 10. */
    readonly toolConcurrency?: number;
  };
}

/** What sessions share. Two hosts never see each other's sessions, unless they share a store. */
export interface Host {
  /** As the top-level `query()`. @throws CastellanError `invalid_option`; `query_closed` once the host is closed */
  query(params: QueryParams): Query;
  /** One session over many turns, as `new AgentClient(options)`. @throws as `query()` */
  client(options?: Options): Client;
  readonly store: EventStore;
  /**
   * Ends all its sessions, then closes the store that it made and the connections that it kept. A store that was given
   * stays open: whoever made it closes it. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Makes a host. `query()` and the other top-level functions use one of their own, made on first use.
 *
 * @throws CastellanError `invalid_option`
 */
export function createHost(options: HostOptions = {}): Host {
  checkHostOptions(options);
  const platform: Platform = { ...nodePlatform(), ...options.platform };
  const host: Shared = {
    platform,
    store: options.store ?? jsonlStore({ platform }),
    artifacts: options.artifacts ?? fileArtifacts(platform, `${storeHome(platform)}/artifacts`),
    models: createHostModels(options.models, platform.clock),
    policy: options.policy,
    toolConcurrency: options.limits?.toolConcurrency ?? 10,
  };
  const running = new Set<Query>();
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    try {
      await Promise.all([...running].map((query) => query.close()));
      // What was given may serve others too, the store and the connections.
      if (options.store === undefined) await host.store.close();
    } finally {
      if (options.platform?.http === undefined) platform.http.close();
    }
  }

  function mustBeOpen(): void {
    if (closing === undefined) return;
    throw new CastellanError("query_closed", "This host is closed.", {
      fix: "Make another with createHost().",
    });
  }

  const door: Host = {
    store: host.store,
    client(options = {}) {
      mustBeOpen();
      return new Client(door.query, options);
    },
    query(params) {
      mustBeOpen();
      const prompt = readPrompt(params);
      const checked = parseOptions(params.options);
      const { resume, continue: goesOn } = checked.options;
      if (prompt === "" && resume === undefined && goesOn !== true) {
        throw badOption(
          "prompt",
          'prompt is "".',
          "Say what to do; only with options.resume or options.continue does it mean: go on.",
        );
      }
      const run = startRun({ shared: sharedBy(host, checked.options), checked, prompt });
      const query = new Query(run);
      running.add(query);
      void run.ended.then(() => running.delete(query));
      return query;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
  return door;
}

/** What a session gets of its host. One that is not to persist leaves nothing on the disk. */
function sharedBy(host: Shared, { platform, sessionStore, persistSession }: Options): Shared {
  const inMemory = persistSession === false;
  return {
    ...host,
    ...(platform === undefined ? {} : { platform: { ...host.platform, ...platform } }),
    ...(inMemory ? { store: memoryStore(), artifacts: memoryArtifacts() } : {}),
    ...(sessionStore === undefined ? {} : { store: sessionStore }),
  };
}
