import type { PermissionRuleValue, ResolvedPathTarget } from "../../protocol/index.ts";
import { escapePathSpecifier } from "../rule/specifier.ts";

/**
 * Rules that name exactly this path, as given and with links followed; for a walk or a listing the tree.
 * Undefined for what is not known, for safety paths and for removals.
 */
export function pathRules(
  target: ResolvedPathTarget,
  need: "read" | "edit",
): readonly PermissionRuleValue[] | undefined {
  if (target.unknown || target.glob || target.access === "remove") return undefined;
  const rules = new Map<string, PermissionRuleValue>();
  for (const { given, real, suspicious, protected: guarded } of target.resolutions) {
    if (real === undefined || suspicious !== undefined) return undefined;
    if (guarded !== undefined && need === "edit") return undefined;
    for (const path of [given, real]) {
      const ruleContent = contentFor(path, target);
      rules.set(ruleContent, { toolName: need === "read" ? "Read" : "Edit", ruleContent });
    }
  }
  return [...rules.values()];
}

function contentFor(path: string, target: ResolvedPathTarget): string {
  const name = `//${escapePathSpecifier(path.replace(/^\/+/u, ""))}`;
  const tree = target.access === "walk" || target.access === "list" || target.recursive === true;
  return tree ? `${name.replace(/\/$/u, "")}/**` : name;
}
