import { createRecent, mcpSafe } from "../../protocol/index.ts";
import { foldMcpName, type McpBinder, mcpAllows, mcpBinds } from "../rule/mcp-name.ts";
import { type BoundRule, isLive } from "./bound-rule.ts";
import { listAt } from "./list-at.ts";
import { earlier, type Placed } from "./placed.ts";

/** An MCP rule; `name` is its whole text (`mcp__server__tool`). */
export interface McpRule extends BoundRule {
  readonly name: string;
  readonly binder: McpBinder;
}

/** Rules on tools of servers. The names that a call may be meant by are few, so that most rules need no look. */
export interface McpIndex {
  readonly all: readonly McpRule[];
  /** By the rule's whole text. */
  readonly byName: ReadonlyMap<string, readonly Placed<McpRule>[]>;
  /** The same texts as deny and ask compare them; `mcp__server__*` stands under its server. */
  readonly byFolded: ReadonlyMap<string, readonly Placed<McpRule>[]>;
  /** Rules with `*` that none of the names leads to, for deny and ask. */
  readonly wild: readonly Placed<McpRule>[];
  /** The same for allow: there `mcp__a__b__*` is about a tool of `a`. */
  readonly wildTools: readonly Placed<McpRule>[];
}

export function indexMcp(rules: readonly McpRule[]): McpIndex {
  const byName = new Map<string, Placed<McpRule>[]>();
  const byFolded = new Map<string, Placed<McpRule>[]>();
  const wild: Placed<McpRule>[] = [];
  const wildTools: Placed<McpRule>[] = [];
  rules.forEach((rule, at) => {
    listAt(byName, rule.name).push({ rule, at });
    if (rule.name.includes("*") && !WHOLE_SERVER.test(rule.name)) wildTools.push({ rule, at });
    const folded = foldMcpName(rule.name);
    const plain = folded.endsWith("__*") ? folded.slice(0, -3) : folded;
    if (plain.includes("*")) wild.push({ rule, at });
    else listAt(byFolded, plain).push({ rule, at });
  });
  return { all: rules, byName, byFolded, wild, wildTools };
}

/** In no other way can it be taken apart into a server and a tool. */
const WHOLE_SERVER = /^mcp__(?:_?[^_*])+__\*$/u;

/**
 * The first allow rule that names the tool, by its server's key.
 *
 * @param called the name that the model sees, where a rule may go by that too.
 */
export function findAllowedMcp(
  index: McpIndex,
  identity: { readonly server: string; readonly tool?: string },
  now: number,
  called?: string,
): McpRule | undefined {
  if (index.all.length === 0) return undefined;
  const allows = (rule: McpRule): boolean =>
    isLive(rule, now) && (rule.name === called || mcpAllows(rule.name, identity));
  let first = called === undefined ? undefined : earlier(undefined, index.byName.get(called), allows);
  for (const name of namesOf(identity.server, identity.tool)) {
    first = earlier(first, index.byName.get(name), allows);
  }
  return earlier(first, index.wildTools, allows)?.rule;
}

/** Every text, but for those with `*` in the tool's name, by which an allow rule may name the tool. */
function namesOf(server: string, tool: string | undefined): readonly string[] {
  const key = `${server.length} ${server}${tool === undefined ? "" : ` ${tool}`}`;
  const known = sets.get(key);
  if (known !== undefined) return known;
  const names: string[] = [];
  for (const own of new Set([server, mcpSafe(server)])) {
    names.push(`mcp__${own}`, `mcp__${own}__*`);
    if (tool !== undefined) names.push(`mcp__${own}__${tool}`, `mcp__${own}__${mcpSafe(tool)}`);
  }
  sets.set(key, names);
  return names;
}

/** The same few tools are asked for at every call. */
const sets = createRecent<readonly string[]>(64);

/** The first deny or ask rule that binds one of the names, which are folded. */
export function findBindingMcp(index: McpIndex, names: readonly string[], now: number): McpRule | undefined {
  if (index.all.length === 0 || names.length === 0) return undefined;
  const binds = (rule: McpRule): boolean => isLive(rule, now) && mcpBinds(rule.binder, names);
  let first: Placed<McpRule> | undefined;
  for (const name of names) {
    first = earlier(first, index.byFolded.get(name), binds);
    // Every split of a name counts: what stands before any `__` may be the rule.
    for (let at = name.indexOf("__"); at >= 0; at = name.indexOf("__", at + 1)) {
      first = earlier(first, index.byFolded.get(name.slice(0, at)), binds);
    }
  }
  return earlier(first, index.wild, binds)?.rule;
}
