import { createContextMeter, type InstructionFile, loadInstructions } from "../../context/index.ts";
import type { PolicyHolder } from "../../gate/index.ts";
import type { LoopContext } from "../../loop/index.ts";
import { contextWindow, type LanguageModel } from "../../model/index.ts";
import { mayRead } from "../../permissions/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { EventStore, PastHistory } from "../../protocol/index.ts";
import { originals, type SessionLog } from "../../sessions/index.ts";
import type { Workspace } from "../../workspace/index.ts";
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
  const total = (): number => log.state.compacted?.taken ?? 0;
  return {
    total,
    async read(offset, limit) {
      const through = log.state.compacted?.data.through ?? 0;
      const events = await store.read(log.state.sessionId);
      const found = originals(events.filter(({ seq }) => seq <= through));
      return found.slice(offset, Math.min(offset + limit, total())).map(({ message }) => message);
    },
  };
}

/** How the history of a session is kept short enough. */
export function loopContext(parts: {
  readonly options: Options;
  readonly store: EventStore;
  readonly log: SessionLog;
  readonly head: RequestHead;
  readonly canRecall: boolean;
  readonly notify: Teller["notify"];
}): LoopContext {
  const { options, store, log, head, canRecall, notify } = parts;
  const { compaction = true } = options;
  const own = typeof compaction === "object" ? compaction : {};
  return {
    meter: createContextMeter(),
    prefix: () => head.current(),
    isAutomatic: compaction !== false,
    threshold: own.threshold ?? THRESHOLD,
    window: (model) => windowOf(model, own.contextWindow),
    events: (afterSeq) => store.read(log.state.sessionId, afterSeq),
    canRecall: () => canRecall,
    quietBelow: 0,
    notify,
  };
}

function windowOf(model: LanguageModel, option: number | undefined): number | undefined {
  return option ?? model.contextWindow ?? contextWindow(model.id);
}
