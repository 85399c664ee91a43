import type { CompiledPolicy } from "./policy/compile.ts";
import { foldMcpName, mcpBinds } from "./rule/mcp-name.ts";
import { foldedName } from "./rule/names.ts";
import { parseRule } from "./rule/parse.ts";

/**
 * The tools that a deny rule on the whole tool takes out of sight. Rules that cannot be read, or that
 * expire, deny at the call instead, where the reason can be told.
 */
export function bareDenied(policy: CompiledPolicy, toolNames: Iterable<string>): Set<string> {
  const hides = (text: string, expires: number | undefined): boolean =>
    expires === undefined && !("error" in parseRule(text));
  const { deny } = policy;
  const every = deny.every.some(({ rule }) => hides(rule.text, rule.expires));
  const hidden = new Set<string>();
  for (const name of toolNames) {
    const bare =
      deny.whole.get(foldedName(name))?.some(({ rule }) => hides(rule.text, rule.expires)) ?? false;
    const folded = [foldMcpName(name)];
    const server = deny.mcp.all.some(
      ({ rule, binder }) => hides(rule.text, rule.expires) && mcpBinds(binder, folded),
    );
    if (every || bare || server) hidden.add(name);
  }
  return hidden;
}
