import type { ToolDefinition, ToolServices } from "../protocol/index.ts";
import { type MountedTool, mountedBuiltin } from "../tools/index.ts";
import type { DeclaredTool } from "./declaration.ts";
import type { BuiltinDeps } from "./deps.ts";

type Make = (deps: BuiltinDeps) => ToolDefinition;

interface Mounting {
  readonly name: string;
  /** It is made of a service, so each session has its own. All others take services from the context of a call. */
  readonly isOwn?: true;
  readonly needs: readonly (keyof ToolServices)[];
  /** Loads the tool's code, which an import of the library does not bring. */
  load(): Promise<Make>;
}

const others = () => import("./other-tools.ts");
const timers = () => import("./timers/timer-tools.ts");

const MOUNTINGS: readonly Mounting[] = [
  { name: "AskUserQuestion", needs: [], load: async () => (await others()).askUserQuestionTool },
  {
    name: "Bash",
    needs: ["spawner", "shell"],
    load: async () => (await import("./bash/bash-tool.ts")).bashTool,
  },
  { name: "BashOutput", needs: ["backgroundShells"], load: async () => (await others()).bashOutputTool },
  { name: "CronCreate", needs: ["timers"], load: async () => (await timers()).cronCreateTool },
  { name: "CronDelete", needs: ["timers"], load: async () => (await timers()).cronDeleteTool },
  { name: "CronList", needs: ["timers"], load: async () => (await timers()).cronListTool },
  { name: "Edit", needs: ["files"], load: async () => (await others()).editTool },
  {
    name: "EnterPlanMode",
    needs: ["planMode"],
    load: async () => (await others()).enterPlanModeTool,
  },
  { name: "ExitPlanMode", needs: ["planMode"], load: async () => (await others()).exitPlanModeTool },
  { name: "Glob", needs: ["mayRead"], load: async () => (await others()).globTool },
  { name: "Grep", needs: ["mayRead"], load: async () => (await others()).grepTool },
  { name: "KillShell", needs: ["backgroundShells"], load: async () => (await others()).killShellTool },
  { name: "LS", needs: ["mayRead"], load: async () => (await others()).lsTool },
  { name: "Read", needs: ["files"], load: async () => (await others()).readTool },
  { name: "Recall", needs: ["history"], load: async () => (await others()).recallTool },
  { name: "ScheduleWakeup", needs: ["timers"], load: async () => (await timers()).scheduleWakeupTool },
  { name: "Sleep", needs: ["timers"], load: async () => (await timers()).sleepTool },
  {
    name: "StructuredOutput",
    isOwn: true,
    needs: ["answer"],
    load: async () => (await others()).structuredOutputTool,
  },
  { name: "TodoWrite", needs: ["todos"], load: async () => (await others()).todoWriteTool },
  { name: "Write", needs: ["files"], load: async () => (await others()).writeTool },
];

/** What can be said of the built-in tools of a session before one is made. One whose service is missing is not among them. */
export function mountedBuiltins(services: ToolServices): MountedTool[] {
  return MOUNTINGS.filter((mounting) => hasServices(mounting, services)).map(({ name }) =>
    mountedBuiltin(name),
  );
}

/**
 * Loads and makes built-in tools of a session, by name. One whose service is missing is not among them.
 *
 * @param wanted the names of those to make. Absent: all.
 *
 * @example
 * const tools = await builtinTools({ platform: nodePlatform(), services }, new Set(["Read"]));
 */
export async function builtinTools(
  deps: BuiltinDeps,
  wanted?: ReadonlySet<string>,
): Promise<ToolDefinition[]> {
  const mountings = MOUNTINGS.filter(
    (mounting) => hasServices(mounting, deps.services) && (wanted?.has(mounting.name) ?? true),
  );
  const shared = sharedTools(deps);
  return Promise.all(
    mountings.map(async ({ name, isOwn, load }) => {
      const make = await load();
      if (isOwn === true) return make(deps);
      const tool = shared.get(name) ?? make(deps);
      shared.set(name, tool);
      return tool;
    }),
  );
}

/** Tools of all sessions over one platform: hundreds of sessions that wait hold them once. */
const made = new WeakMap<object, Map<string, ToolDefinition>>();

function sharedTools({ platform, ripgrep }: BuiltinDeps): Map<string, ToolDefinition> {
  if (ripgrep !== undefined) return new Map();
  const shared = made.get(platform) ?? new Map<string, ToolDefinition>();
  made.set(platform, shared);
  return shared;
}

/**
 * Loads the built-in tools that no session mounts yet, by name: what is judged of a call of theirs is what will be
 * judged once they run. For looking at rules; none of them can be called.
 */
export async function declaredTools(): Promise<readonly DeclaredTool[]> {
  return (await import("./declared-tools.ts")).DECLARED_TOOLS;
}

function hasServices({ needs }: Mounting, services: ToolServices): boolean {
  return needs.every((name) => services[name] !== undefined);
}
