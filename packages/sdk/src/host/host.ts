import { fileArtifacts, memoryArtifacts } from "../artifacts/index.ts";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore, SDKUserMessage } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { jsonlStore, memoryStore, storeHome } from "../sessions/index.ts";
import { createHostModels, type HostModelOptions } from "./models.ts";
import { badOption } from "./options/fault.ts";
import { checkHostOptions, readPrompt } from "./options/params.ts";
import { parseOptions } from "./options/parse.ts";
import type { Options } from "./options/types.ts";
import { Query } from "./query.ts";
import { startRun } from "./session-run.ts";
import type { Shared } from "./shared.ts";

/** What `query()` takes. */
export interface QueryParams {
  /**
   * A string gives one result. A stream gives one result for each message, until it ends.
   * With `resume`, an empty string goes on where the session stopped.
   */
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  readonly options?: Options;
}

export interface HostOptions {
  /** Where sessions are kept. Default: JSONL files under `CASTELLAN_HOME`, else `~/.castellan`. */
  readonly store?: EventStore;
  /** Where large results go. Default: files beside the sessions. */
  readonly artifacts?: ArtifactStore;
  readonly platform?: Partial<Platform>;
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
  readonly store: EventStore;
  /** Ends all its sessions, then closes the store. Idempotent. */
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
    toolConcurrency: options.limits?.toolConcurrency ?? 10,
  };
  const running = new Set<Query>();
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await Promise.all([...running].map((query) => query.close()));
    await host.store.close();
  }

  return {
    store: host.store,
    query(params) {
      if (closing !== undefined) {
        throw new CastellanError("query_closed", "This host is closed.", {
          fix: "Make another with createHost().",
        });
      }
      const prompt = readPrompt(params);
      const checked = parseOptions(params.options);
      if (prompt === "" && checked.options.resume === undefined) {
        throw badOption(
          "prompt",
          'prompt is "".',
          "Say what to do; only with options.resume does it mean: go on.",
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
