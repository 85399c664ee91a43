import type { CheckContext, ResolvedTarget, Target, ToolDefinition } from "../protocol/index.ts";
import type { Workspace } from "../workspace/index.ts";
import { Cancelled, isAbortError, messageOf, wait } from "./waiting.ts";

/** Targets that could not be had: nothing is known of what the call touches, so it is asked about in every mode. */
export type Gathered =
  | { readonly ok: true; readonly targets: readonly ResolvedTarget[] }
  | { readonly ok: false; readonly failed: string };

/** What the call touches, declared by its tool and looked up on the disk. */
export async function gatherTargets(
  tool: ToolDefinition,
  input: Parameters<ToolDefinition["targets"]>[0],
  context: CheckContext,
  workspace: Workspace,
): Promise<Gathered> {
  try {
    const declared: unknown = tool.targets(input, context);
    if (!Array.isArray(declared)) return { ok: false, failed: "its targets are no list" };
    const strange = declared.findIndex((target) => !isTarget(target));
    if (strange !== -1) return { ok: false, failed: `its targets[${strange}] is no target` };
    if (declared.length === 0) return { ok: true, targets: [] };
    const resolving = workspace.resolveTargets(declared as Target[], context.cwd, context.signal);
    return { ok: true, targets: await wait(resolving, context.signal) };
  } catch (error) {
    if (error instanceof Cancelled || (isAbortError(error) && context.signal.aborted)) throw new Cancelled();
    return { ok: false, failed: `its targets could not be computed: ${messageOf(error)}` };
  }
}

const ACCESSES: readonly unknown[] = ["read", "write", "remove", "walk", "list"];

function isTarget(value: unknown): value is Target {
  if (typeof value !== "object" || value === null) return false;
  const target = value as Record<string, unknown>;
  switch (target.kind) {
    case "command":
      return (
        typeof target.analysis === "object" && target.analysis !== null && Number.isInteger(target.command)
      );
    case "path":
      return typeof target.path === "string" && ACCESSES.includes(target.access);
    case "host":
      return target.host === undefined || typeof target.host === "string";
    case "mcp":
      return typeof target.server === "string" && typeof target.tool === "string";
    case "agent":
      return typeof target.type === "string";
    case "name":
      return typeof target.value === "string";
    default:
      return false;
  }
}
