import { memoryArtifacts } from "../artifacts/index.ts";
import type { Gate } from "../gate/index.ts";
import type { HookTable } from "../hooks/index.ts";
import type { Platform } from "../platform/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type {
  ArtifactStore,
  BaseHookInput,
  EventData,
  JsonValue,
  Recorder,
  ToolCallPart,
  ToolServices,
} from "../protocol/index.ts";
import type { ProgressNote, Scheduler, SchedulerDeps } from "./index.ts";
import { createScheduler } from "./index.ts";

// For tests: a scheduler over a given gate.

interface GateSide {
  readonly gate: Gate;
  readonly recorder: Recorder;
  readonly cwd: string;
  readonly deps: {
    readonly hooks: HookTable;
    hookInput(): BaseHookInput;
    readonly services: ToolServices;
    readonly platform: Platform;
  };
}

export interface SchedulerKit {
  readonly scheduler: Scheduler;
  readonly artifacts: ArtifactStore;
  readonly progress: ProgressNote[];
  readonly logs: string[];
  readonly notes: string[];
}

export function schedulerKit(side: GateSide, more: Partial<SchedulerDeps> = {}): SchedulerKit {
  const artifacts = memoryArtifacts();
  const progress: ProgressNote[] = [];
  const logs: string[] = [];
  const notes: string[] = [];
  const scheduler = createScheduler({
    gate: side.gate,
    recorder: side.recorder,
    hooks: side.deps.hooks,
    hookInput: side.deps.hookInput,
    services: side.deps.services,
    platform: side.deps.platform,
    artifacts,
    sessionId: "session",
    cwd: side.cwd,
    emit: (note) => void progress.push(note),
    notify: (_, message) => void notes.push(message),
    log: (level, message) => void logs.push(`${level}: ${message}`),
    ...more,
  });
  return { scheduler, artifacts, progress, logs, notes };
}

export function call(id: string, name: string, input: JsonValue = {}): ToolCallPart {
  return { type: "toolCall", id, name, input };
}

/** All timers fire fifty times sooner: a grace of two seconds takes forty milliseconds. */
export function hastyPlatform(): Platform {
  const plain = nodePlatform();
  return {
    ...plain,
    clock: { ...plain.clock, timer: (ms, fire, idle) => plain.clock.timer(ms / 50, fire, idle) },
  };
}

export function textOf(finished: EventData<"tool.finished"> | undefined): string {
  return (finished?.content ?? [])
    .map((part) => (part.type === "text" ? part.text : `<${part.mediaType}>`))
    .join("\n");
}
