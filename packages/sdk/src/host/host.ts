import type { Approvals } from "../approvals/index.ts";
import { memoryArtifacts } from "../artifacts/index.ts";
import { createSemaphore, nodePlatform, type Platform } from "../platform/index.ts";
import type { ArtifactStore, EventStore, Store } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { memoryStore, type Redact } from "../sessions/index.ts";
import type { Settings } from "../settings/index.ts";
import { approvalsOver } from "./approvals/approvals-of.ts";
import { Client } from "./client.ts";
import { createHostModels, type HostModelOptions } from "./host-models.ts";
import { badOption } from "./options/fault.ts";
import { checkHostOptions, readPrompt } from "./options/params.ts";
import { parseOptions } from "./options/parse.ts";
import type { Options } from "./options/types.ts";
import { Query } from "./query.ts";
import type { QueryParams } from "./query-params.ts";
import { startRun } from "./running/session-run.ts";
import { createCleaner } from "./sessions/cleaner.ts";
import { sessionsOf } from "./sessions/sessions-of.ts";
import type { Sessions } from "./sessions/types.ts";
import type { Shared } from "./shared.ts";
import { storeParts } from "./store-parts.ts";
import type { Wakes } from "./timers/wake-types.ts";
import { wakesOf } from "./timers/wakes.ts";
import { type WorkerOptions, workerLease } from "./worker-lease.ts";

export interface HostOptions {
  /**
   * Where sessions are kept. Default: JSONL files under `CASTELLAN_HOME`, else `~/.castellan`. One that is given is not
   * closed with the host.
   */
  readonly store?: EventStore | Store;
  /** Where large results go: one of its own for each event store. Default: that of `store`, else files beside the sessions. */
  readonly artifacts?: ArtifactStore;
  readonly platform?: Partial<Platform>;
  /**
   * Policy for every session, as the content of a managed settings file: it counts beside the machine's own, and no
   * option of a session lifts it.
   */
  readonly policy?: Settings;
  /** Prices and short names of models. */
  readonly models?: HostModelOptions;
  /**
   * Runs over each event before it is recorded, and takes out of its texts what must not be kept: it gets a copy, and
   * returns it with other texts in it, or `undefined` to leave it as it is. The run that goes on still works with what
   * was said; the log, and so every resume, export and listing, has the redacted text only. Texts that go to the artifact
   * store are given to it as the content of a `tool.finished`; baselines of files, and bytes that are no text, are not.
   *
   * A redactor that throws, or returns something else than the event with other texts, ends the session: nothing from
   * that event on is recorded.
   */
  readonly redact?: Redact;
  /**
   * What a recorded event outlasts before anything goes on that waits for it. `process` (default): the end of this
   * process, also by kill -9. `power`: a power cut as well, which costs a flush of the disk before each call that must
   * not run twice, and at the end of each turn; calls that only read, or may be repeated, never wait for one.
   */
  readonly durability?: "process" | "power";
  /** Takes a lease in `store`, which must keep leases: for a store that several machines write. Default: none. */
  readonly worker?: WorkerOptions;
  readonly limits?: HostLimits;
}

/** How much a host does at once. What is over a limit waits its turn, in order of arrival. */
export interface HostLimits {
  /** Neighbouring safe calls of one session; 1 to 100, default 10. */
  readonly toolConcurrency?: number;
  /** Processes of all sessions; 1 or more, default 4 a core. Those in the background do not count. */
  readonly processes?: number;
  /** Answers of models that stream, over all sessions; 1 or more, default 256. One that waits for its reader does not count. */
  readonly modelStreams?: number;
  /** Open log files of the default store; 1 or more, default 256. */
  readonly logFiles?: number;
}

/** What sessions share. Two hosts never see each other's sessions, unless they share a store. */
export interface Host {
  /** As the top-level `query()`. @throws CastellanError `invalid_option`; `query_closed` once the host is closed */
  query(params: QueryParams): Query;
  /** One session over many turns, as `new AgentClient(options)`. @throws as `query()` */
  client(options?: Options): Client;
  readonly store: EventStore;
  /** What is known of the sessions in its store, and what can be done with those that do not run. */
  readonly sessions: Sessions;
  /** What waits in its store for somebody's word, and what is decided about it. */
  readonly approvals: Approvals;
  /** What wakes its sessions at some time: timers that they have set. */
  readonly wakes: Wakes;
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
  const { limits = {}, worker } = options;
  const parts = storeParts(platform, options.store, options.artifacts, limits.logFiles);
  const host: Shared = {
    platform,
    ...parts,
    cleaner:
      options.store === undefined
        ? createCleaner(sessionsOf({ ...parts, platform, redact: options.redact }), parts.ports.leases)
        : undefined,
    models: createHostModels(options.models, platform.clock),
    policy: options.policy,
    redact: options.redact,
    toolConcurrency: limits.toolConcurrency ?? 10,
    processes: createSemaphore(limits.processes ?? 4 * platform.cores),
    streams: createSemaphore(limits.modelStreams ?? 256),
    syncWrites: options.durability === "power",
    lease: worker === undefined ? undefined : workerLease(worker, options.store, platform),
  };
  const running = new Set<Query>();
  let closing: Promise<void> | undefined;
  const atClose = new Set<() => void>();

  async function closeAll(): Promise<void> {
    try {
      await Promise.all([...running].map((query) => query.close()));
      await host.lease?.release();
      await host.cleaner?.done();
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

  function onClose(end: () => void): () => void {
    atClose.add(end);
    return () => void atClose.delete(end);
  }

  const door: Host = {
    store: host.store,
    sessions: sessionsOf(host, mustBeOpen),
    approvals: approvalsOver(platform, host.ports.approvals, mustBeOpen, onClose),
    wakes: wakesOf({ shared: host, query: (params) => door.query(params), mustBeOpen, onClose }),
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
      if (closing !== undefined) return closing;
      closing = closeAll();
      for (const end of atClose) end();
      return closing;
    },
  };
  return door;
}

/** What a session gets of its host. One that is not to persist leaves nothing on the disk. */
function sharedBy(host: Shared, { platform, sessionStore, persistSession }: Options): Shared {
  const inMemory = persistSession === false;
  if (!inMemory && platform === undefined && sessionStore === undefined) return host;
  return {
    ...host,
    ...(platform === undefined ? {} : { platform: { ...host.platform, ...platform } }),
    // Both are of the host's own store.
    ...(inMemory || sessionStore !== undefined ? { lease: undefined, cleaner: undefined } : {}),
    ...(inMemory ? inMemoryParts(host) : {}),
    ...(sessionStore === undefined ? {} : storeParts(host.platform, sessionStore, undefined)),
  };
}

function inMemoryParts({ platform }: Shared): Pick<Shared, "store" | "artifacts" | "ports"> {
  const store = memoryStore();
  return { store, artifacts: memoryArtifacts(platform.clock.now), ports: store };
}
