import { fileArtifacts } from "../artifacts/index.ts";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore, SDKUserMessage } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { jsonlStore, memoryStore, storeHome } from "../sessions/index.ts";
import { createHostModels, type HostModelOptions } from "./models.ts";
import { isPlainObject, shown } from "./options/checks.ts";
import { parseOptions } from "./options/parse.ts";
import type { Options } from "./options/types.ts";
import { Query } from "./query.ts";
import { startRun } from "./session-run.ts";

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
  query(params: QueryParams): Query;
  readonly store: EventStore;
  /** Ends all its sessions, then closes the store. */
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
  const store = options.store ?? jsonlStore({ platform });
  const artifacts = options.artifacts ?? fileArtifacts(platform, `${storeHome(platform)}/artifacts`);
  const toolConcurrency = options.limits?.toolConcurrency ?? 10;
  const models = createHostModels(options.models, platform.clock);
  const running = new Set<Query>();

  return {
    store,
    query(params) {
      const prompt = checkPrompt(params);
      const { options: checked, warnings } = parseOptions(params.options);
      if (prompt === "" && checked.resume === undefined) {
        throw new CastellanError("invalid_option", "prompt is an empty string.", {
          subject: "prompt",
          fix: "Say what to do; only with options.resume does it mean: go on.",
        });
      }
      const shared = {
        platform: checked.platform === undefined ? platform : { ...platform, ...checked.platform },
        store: checked.sessionStore ?? (checked.persistSession === false ? memoryStore() : store),
        artifacts,
        models,
        toolConcurrency,
      };
      const run = startRun({ shared, options: checked, warnings, prompt });
      const query = new Query(run);
      running.add(query);
      void run.ended.then(() => running.delete(query));
      return query;
    },
    async close() {
      await Promise.all([...running].map((query) => query.close()));
      await store.close();
    },
  };
}

function checkPrompt(params: unknown): string | AsyncIterable<unknown> {
  if (!isPlainObject(params)) {
    throw new CastellanError("invalid_option", `query() takes {prompt, options?}, got ${shown(params)}.`, {
      subject: "prompt",
      fix: typeof params === "string" ? `Write query({ prompt: ${shown(params)} }).` : "Give an object.",
    });
  }
  for (const key of Object.keys(params)) {
    if (key === "prompt" || key === "options") continue;
    throw new CastellanError("invalid_option", `query() has no parameter ${key}.`, {
      subject: key,
      fix: `Put it in options: query({ prompt, options: { ${key}: … } }).`,
    });
  }
  const { prompt } = params;
  if (typeof prompt === "string") return prompt;
  if (typeof prompt === "object" && prompt !== null && Symbol.asyncIterator in prompt) {
    return prompt as AsyncIterable<unknown>;
  }
  throw new CastellanError(
    "invalid_option",
    `prompt must be a string or an async iterable, got ${shown(prompt)}.`,
    {
      subject: "prompt",
      fix: "Give a string, or an async generator of user messages.",
    },
  );
}

function checkHostOptions(options: HostOptions): void {
  const known = ["store", "artifacts", "platform", "models", "limits"];
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    throw new CastellanError("invalid_option", `createHost() has no option ${key}.`, {
      subject: key,
      fix: `Known options: ${known.join(", ")}.`,
    });
  }
  const limit = options.limits?.toolConcurrency;
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= 100)) {
    throw new CastellanError(
      "invalid_option",
      `limits.toolConcurrency must be a whole number from 1 to 100, got ${shown(limit)}.`,
      {
        subject: "limits.toolConcurrency",
      },
    );
  }
}
