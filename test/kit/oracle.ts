import type { JsonObject, Options, PermissionUpdate } from "@castellan/sdk";
import {
  applyUpdates,
  compilePolicy,
  type Decision,
  decide,
  type HookEffect,
  type PermissionContext,
  type SourcedRule,
} from "@castellan/sdk/permissions";
import { builtinTools } from "../../packages/sdk/src/builtins/index.ts";
import { toolFacts } from "../../packages/sdk/src/gate/index.ts";
import { nodePlatform, type Platform } from "../../packages/sdk/src/platform/index.ts";
import type { ToolDefinition, ToolServices } from "../../packages/sdk/src/protocol/index.ts";
import { definitionOf } from "../../packages/sdk/src/tools/index.ts";
import { createWorkspace, findProjectRoot } from "../../packages/sdk/src/workspace/index.ts";

/**
 * A second opinion about calls, with nothing of a session in it: its own policy, compiled of the same options, its own
 * look at the disk, and the public `decide()`.
 */
export interface Oracle {
  /** What `decide()` says of this call at this moment; `invalid` when the input does not fit the tool. */
  ask(name: string, input: JsonObject, hooks?: HookEffect): Promise<Decision["behavior"] | "invalid">;
  /** What a person's answer changed. */
  update(updates: readonly PermissionUpdate[]): void;
}

export async function createOracle(cwd: string, options: Options): Promise<Oracle> {
  const platform = nodePlatform();
  const home = platform.homedir();
  const workspace = await createWorkspace({
    ...{ platform, home, startDirectory: cwd },
    additionalDirectories: () => [...context.additionalDirectories.keys()],
  });
  let context: PermissionContext = {
    mode: options.permissionMode === "yolo" ? "bypassPermissions" : (options.permissionMode ?? "default"),
    startDirectory: cwd,
    startDirectoryReal: workspace.startDirectoryReal,
    projectRoot: await findProjectRoot(platform, cwd),
    home,
    additionalDirectories: new Map(
      (options.additionalDirectories ?? []).map((path) => [path, "cliArg"] as const),
    ),
    rules: rulesOf(options),
    isBypassAvailable: options.allowDangerouslySkipPermissions === true,
    planMode: "ceiling",
    avoidPrompts: false,
    trusted: false,
    caseInsensitiveFiles: workspace.caseInsensitive,
  };
  const services = servicesAt(cwd, platform, (path) => workspace.isInside(path));
  const tools = new Map<string, ToolDefinition>();
  for (const definition of await builtinTools({ platform, services })) tools.set(definition.name, definition);
  for (const item of Array.isArray(options.tools) ? options.tools : []) {
    const definition = definitionOf(item);
    if (definition !== undefined) tools.set(definition.name, definition);
  }
  return {
    async ask(name, input, hooks) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      const scope = { cwd, sessionId: "oracle", signal: new AbortController().signal, services };
      const parsed = await tool.parseInput(input);
      if (!parsed.ok) return "invalid";
      const targets = await workspace.resolveTargets(
        [...tool.targets(parsed.input, scope)],
        cwd,
        scope.signal,
      );
      const call = { tool: toolFacts(tool, parsed.input), input: parsed.input, targets };
      return decide(
        { ...call, ...(hooks === undefined ? {} : { hooks }) },
        compilePolicy(context),
        Date.now(),
      ).behavior;
    },
    update(updates) {
      const next = applyUpdates(context, updates);
      if ("error" in next) throw new Error(next.error);
      context = next.context;
    },
  };
}

function rulesOf({ allowedTools = [], disallowedTools = [], settings }: Options): SourcedRule[] {
  if (typeof settings === "string") throw new Error("This oracle reads no file of settings.");
  const { allow = [], deny = [], ask = [] } = settings?.permissions ?? {};
  const rule =
    (behavior: SourcedRule["behavior"], source: SourcedRule["source"]) =>
    (text: string): SourcedRule => ({ text, behavior, source });
  return [
    ...allowedTools.map(rule("allow", "cliArg")),
    ...disallowedTools.map(rule("deny", "cliArg")),
    ...allow.map(rule("allow", "flagSettings")),
    ...deny.map(rule("deny", "flagSettings")),
    ...ask.map(rule("ask", "flagSettings")),
  ];
}

/** Nothing is called through these. */
function servicesAt(
  cwd: string,
  platform: Platform,
  isInside: (path: string) => Promise<boolean>,
): ToolServices {
  return {
    mayRead: () => true,
    spawner: platform.spawner({}),
    files: { get: () => undefined, note: () => {} },
    shell: { startDirectory: cwd, cwd: () => cwd, setCwd: () => {}, isInside },
    todos: { get: () => [], set: () => {} },
  };
}

/** A platform that counts the processes that tools start. */
export function countingPlatform(): {
  readonly platform: Pick<Platform, "spawner">;
  readonly spawned: () => number;
} {
  let count = 0;
  const platform = {
    spawner(env: Readonly<Record<string, string>>) {
      const real = nodePlatform().spawner(env);
      return {
        env: real.env,
        spawn(request: Parameters<typeof real.spawn>[0]) {
          count += 1;
          return real.spawn(request);
        },
      };
    },
  };
  return { platform, spawned: () => count };
}
