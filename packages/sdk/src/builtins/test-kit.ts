import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memoryArtifacts, putArtifact } from "../artifacts/index.ts";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type {
  ArtifactRef,
  BuiltinContext,
  JsonObject,
  PermissionMode,
  SeenFile,
  TodoItem,
  ToolDefinition,
  ToolProgress,
  ToolResult,
  ToolServices,
} from "../protocol/index.ts";
import { scratchWorkspace } from "../workspace/test-kit.ts";
import { builtinTools } from "./index.ts";

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

export interface KitOptions {
  readonly mayRead?: (path: string) => boolean;
  readonly ripgrep?: string | false;
  readonly env?: Record<string, string>;
  readonly platform?: Partial<Platform>;
  readonly additionalDirectories?: readonly string[];
}

export async function builtinKit(options: KitOptions = {}): Promise<Kit> {
  const platform: Platform = { ...nodePlatform(), ...options.platform };
  const { cwd, workspace, remove } = await scratchWorkspace(
    platform,
    () => options.additionalDirectories ?? [],
  );
  const store = memoryArtifacts();
  const seen = new Map<string, SeenFile>();
  const shell = { cwd };
  const plan: { mode: PermissionMode } = { mode: "default" };
  const progress: ToolProgress[] = [];
  const services: ToolServices = {
    files: { get: (path) => seen.get(path), note: (path, file) => void seen.set(path, file) },
    mayRead: options.mayRead ?? (() => true),
    spawner: platform.spawner(options.env ?? { PATH: process.env.PATH ?? "", HOME: cwd }),
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
    remove,
  };
  return kit;
}
