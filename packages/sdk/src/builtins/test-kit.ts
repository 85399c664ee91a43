import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memoryArtifacts, putArtifact } from "../artifacts/index.ts";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type {
  ArtifactRef,
  ArtifactStore,
  BuiltinContext,
  JsonObject,
  Message,
  PermissionMode,
  Recorder,
  SeenFile,
  SessionTimers,
  TodoItem,
  ToolDefinition,
  ToolProgress,
  ToolResult,
  ToolServices,
} from "../protocol/index.ts";
import { scratchWorkspace } from "../workspace/test-kit.ts";
import type { LoggedTask } from "./background-shells/create-shells.ts";
import { builtinTools, lazyCheckpoints, lazyShells, type SessionShells } from "./index.ts";

// For tests: the built-in tools over a real directory, real processes and a real workspace.

export interface Kit {
  readonly cwd: string;
  readonly platform: Platform;
  readonly services: ToolServices;
  readonly tools: readonly ToolDefinition[];
  readonly seen: Map<string, SeenFile>;
  readonly progress: ToolProgress[];
  readonly shell: { cwd: string };
  readonly plan: { mode: PermissionMode };
  readonly todos: readonly TodoItem[];
  readonly shells: SessionShells;
  readonly artifacts: ArtifactStore;
  /** What was recorded, in order: types and data. */
  readonly events: { type: string; data: unknown }[];
  /** What the commands are recorded with; a test may put in a method of its own. */
  readonly recorder: Recorder;
  /** Told as warnings. */
  readonly notes: string[];
  /** Parses, validates, resolves and calls, as a session would without asking anyone. */
  call(name: string, input: JsonObject, signal?: AbortSignal): Promise<Answer>;
  /** What a call touches, resolved as it is now, to be used in a later `run`. */
  prepare(name: string, input: JsonObject): Promise<(signal?: AbortSignal) => Promise<Answer>>;
  put(file: string, content: string | Uint8Array): Promise<string>;
  bytes(file: string): Promise<Buffer>;
  stored(ref: ArtifactRef | undefined): Promise<string>;
  remove(): Promise<void>;
}

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly result: ToolResult;
}

/** Timers of a session that has none and gets none. */
const NO_TIMERS: SessionTimers = {
  list: () => [],
  set: async () => "There is no clock here.",
  clear: async () => undefined,
  sleep: async (_, ms) => ({ kind: "stopped", sleptMs: 0, leftMs: ms }),
  rests: () => false,
  restsFor: () => false,
};

export interface KitOptions {
  readonly mayRead?: (path: string) => boolean;
  readonly ripgrep?: string | false;
  readonly env?: Record<string, string>;
  readonly platform?: Partial<Platform>;
  readonly additionalDirectories?: readonly string[];
  /** Baselines are kept before files change. */
  readonly checkpoints?: boolean;
  readonly artifacts?: Partial<ArtifactStore>;
  readonly timers?: SessionTimers;
  /** What was summed up. */
  readonly history?: readonly Message[];
}

export async function builtinKit(options: KitOptions = {}): Promise<Kit> {
  const platform: Platform = { ...nodePlatform(), ...options.platform };
  const { cwd, workspace, remove } = await scratchWorkspace(
    platform,
    () => options.additionalDirectories ?? [],
  );
  const store = { ...memoryArtifacts(), ...options.artifacts };
  const events: { type: string; data: unknown }[] = [];
  const notes: string[] = [];
  const tasks = new Map<string, LoggedTask>();
  const recorder: Recorder = {
    record(type, data) {
      events.push({ type, data });
      const task = data as { taskId: string };
      if (type === "task.started") tasks.set(task.taskId, { started: data as LoggedTask["started"] });
      const known = type === "task.finished" ? tasks.get(task.taskId) : undefined;
      if (known !== undefined) tasks.set(task.taskId, { ...known, finished: data as never });
    },
    barrier: async () => {},
  };
  const notify = (_: string, message: string): void => void notes.push(message);
  const seen = new Map<string, SeenFile>();
  const shell = { cwd };
  const plan: { mode: PermissionMode } = { mode: "default" };
  const progress: ToolProgress[] = [];
  const spawner = platform.spawner(options.env ?? { PATH: process.env.PATH ?? "", HOME: cwd });
  const shells = lazyShells({
    ...{ platform, spawner, artifacts: store, recorder, notify },
    tasks: () => tasks,
  });
  const checkpoints = lazyCheckpoints({
    ...{ platform, artifacts: store, recorder, notify },
    userMessageId: () => "message",
  });
  const services: ToolServices = {
    ...(options.checkpoints === true ? { checkpoints } : {}),
    backgroundShells: shells,
    files: { get: (path) => seen.get(path), note: (path, file) => void seen.set(path, file) },
    mayRead: options.mayRead ?? (() => true),
    history: {
      total: () => options.history?.length ?? 0,
      read: async (offset, limit) => (options.history ?? []).slice(offset, offset + limit),
    },
    spawner,
    shell: {
      startDirectory: cwd,
      cwd: () => shell.cwd,
      setCwd: (path) => {
        shell.cwd = path;
      },
      isInside: (path) => workspace.isInside(path),
    },
    planMode: {
      mode: () => plan.mode,
      enter: () => void Object.assign(plan, { mode: "plan" }),
      leave: () => void Object.assign(plan, { mode: "default" }),
    },
    timers: options.timers ?? NO_TIMERS,
    todos: { get: () => kit.todos, set: (todos) => void Object.assign(kit, { todos }) },
  };
  const tools = await builtinTools({
    platform,
    services,
    ...(options.ripgrep === undefined ? {} : { ripgrep: options.ripgrep }),
  });

  async function prepare(
    name: string,
    input: JsonObject,
  ): Promise<(signal?: AbortSignal) => Promise<Answer>> {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = await tool.parseInput(input);
    if (!parsed.ok) {
      const text = parsed.issues.map((issue) => `${issue.path}: ${issue.message}`).join("\n");
      return async () => ({ text, isError: true, result: {} });
    }
    const never = new AbortController().signal;
    const check = { cwd: shell.cwd, sessionId: "s", signal: never, services };
    const valid = await tool.validateInput(parsed.input, check);
    if (!valid.ok) return async () => ({ text: valid.message, isError: true, result: {} });
    const targets = await workspace.resolveTargets(tool.targets(parsed.input, check), shell.cwd, never);
    return async (signal = never) => {
      const context: BuiltinContext = {
        toolUseId: "call_1",
        sessionId: "s",
        assistantMessageId: "m",
        cwd: shell.cwd,
        signal,
        metadata: { taskId: "s" },
        artifacts: { put: (body, mediaType) => putArtifact(store, platform, body, mediaType) },
        progress: (update) => void progress.push(update),
        log: () => {},
        callTool: async () => ({ content: [], isError: true }),
        targets,
        services,
      };
      const result = (await tool.call(
        parsed.input,
        context,
        (update) => void progress.push(update),
      )) as ToolResult;
      const text = (result.content ?? [])
        .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
        .join("\n");
      return { text, isError: result.isError === true, result };
    };
  }

  const kit: Kit = {
    cwd,
    platform,
    services,
    tools,
    seen,
    progress,
    shell,
    plan,
    todos: [],
    shells,
    artifacts: store,
    events,
    recorder,
    notes,
    prepare,
    call: async (name, input, signal) => (await prepare(name, input))(signal),
    async put(file, content) {
      const path = join(cwd, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    bytes: (file) => readFile(join(cwd, file)),
    async stored(ref) {
      const bytes = ref === undefined ? undefined : await store.get(ref.hash);
      return Buffer.from(bytes ?? []).toString("utf8");
    },
    async remove() {
      await shells.close();
      await remove();
    },
  };
  return kit;
}
