import {
  type ContextMeter,
  createContextMeter,
  type InstructionFile,
  loadInstructions,
  type RequestPrefix,
} from "../../context/index.ts";
import type { PolicyHolder } from "../../gate/index.ts";
import type { LoopContext } from "../../loop/index.ts";
import type { LanguageModel } from "../../model/index.ts";
import { mayRead } from "../../permissions/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { EventStore, Message, PastHistory, SessionEvent } from "../../protocol/index.ts";
import { originals, type SessionLog } from "../../sessions/index.ts";
import type { Workspace } from "../../workspace/index.ts";
import type { HostModels } from "../host-models.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import type { RequestHead } from "./request-head.ts";
import type { SessionSettings } from "./settings-parts.ts";

/** The share of the window at which a history is summed up, unless the options say otherwise. */
const THRESHOLD = 0.8;

/** The tool with which the model looks back. Of the default set, it is shown once there is something to look back to. */
export const RECALL_TOOL = "Recall";

/** The instruction files of a session: those of the sources that it reads; of the project only where it is trusted. */
export function sessionInstructions(parts: {
  readonly options: Options;
  readonly settings: SessionSettings;
  readonly platform: Platform;
  readonly cwd: string;
  readonly policy: PolicyHolder;
  readonly workspace: Workspace;
  readonly notify: Teller["notify"];
}): Promise<readonly InstructionFile[]> {
  const { options, settings, platform, cwd, policy, workspace, notify } = parts;
  return loadInstructions({
    fs: platform.fs,
    home: platform.homedir(),
    projectRoot: settings.projectRoot,
    cwd,
    sources: options.settingSources ?? [],
    compat: options.compat ?? [],
    trusted: settings.trusted,
    mayRead: (path) => mayRead(policy.current().policy)(path),
    isInside: (path) => workspace.isInside(path),
    notify,
  });
}

/** What Recall reads: the log. */
export function pastHistory(store: EventStore, log: Pick<SessionLog, "state">): PastHistory {
  return new LoggedHistory(store, log);
}

class LoggedHistory implements PastHistory {
  readonly #store: EventStore;
  readonly #log: Pick<SessionLog, "state">;

  constructor(store: EventStore, log: Pick<SessionLog, "state">) {
    this.#store = store;
    this.#log = log;
  }

  total(): number {
    return this.#log.state.compacted?.taken ?? 0;
  }

  async read(offset: number, limit: number): Promise<readonly Message[]> {
    const { sessionId, compacted } = this.#log.state;
    const through = compacted?.data.through ?? 0;
    const events = await this.#store.read(sessionId);
    const found = originals(events.filter(({ seq }) => seq <= through));
    return found.slice(offset, Math.min(offset + limit, this.total())).map(({ message }) => message);
  }
}

interface ContextParts {
  readonly options: Options;
  readonly models: HostModels;
  readonly store: EventStore;
  readonly log: SessionLog;
  readonly head: RequestHead;
  readonly canRecall: boolean;
  readonly notify: Teller["notify"];
}

/** How the history of a session is kept short enough. */
export function loopContext(parts: ContextParts): LoopContext {
  return new SessionContext(parts);
}

class SessionContext implements LoopContext {
  readonly meter: ContextMeter = createContextMeter();
  readonly isAutomatic: boolean;
  readonly threshold: number;
  readonly notify: Teller["notify"];
  quietBelow = 0;
  readonly #store: EventStore;
  readonly #log: SessionLog;
  readonly #head: RequestHead;
  readonly #canRecall: boolean;
  readonly #window: number | undefined;
  readonly #models: HostModels;

  constructor({ options, models, store, log, head, canRecall, notify }: ContextParts) {
    const { compaction = true } = options;
    const own = typeof compaction === "object" ? compaction : {};
    this.isAutomatic = compaction !== false;
    this.threshold = own.threshold ?? THRESHOLD;
    this.notify = notify;
    this.#store = store;
    this.#log = log;
    this.#head = head;
    this.#canRecall = canRecall;
    this.#window = own.contextWindow;
    this.#models = models;
  }

  prefix(): RequestPrefix {
    return this.#head.current();
  }

  window(model: LanguageModel): number | undefined {
    return this.#window ?? this.#models.contextWindow(model);
  }

  events(afterSeq: number): Promise<readonly SessionEvent[]> {
    return this.#store.read(this.#log.state.sessionId, afterSeq);
  }

  canRecall(): boolean {
    return this.#canRecall;
  }
}
