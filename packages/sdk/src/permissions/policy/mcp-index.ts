import { createRecent, mcpSafe } from "../../protocol/index.ts";
import { foldMcpName, type McpBinder, mcpAllows, mcpBinds } from "../rule/mcp-name.ts";
import { type BoundRule, isLive } from "./bound-rule.ts";

/** An MCP rule; `name` is its whole text (`mcp__server__tool`). */
export interface McpRule extends BoundRule {
  readonly name: string;
  readonly binder: McpBinder;
}

/** A rule with its place in the order of all rules. */
interface Placed {
  readonly bound: McpRule;
  readonly at: number;
}

/** Rules on tools of servers. The names that a call may be meant by are few, so that most rules need no look. */
export interface McpIndex {
  readonly all: readonly McpRule[];
  /** By the rule's whole text. */
  readonly byName: ReadonlyMap<string, readonly Placed[]>;
  /** The same texts as deny and ask compare them; `mcp__server__*` stands under its server. */
  readonly byFolded: ReadonlyMap<string, readonly Placed[]>;
  /** Rules with `*` that none of the names leads to, for deny and ask. */
  readonly wild: readonly Placed[];
  /** The same for allow: there `mcp__a__b__*` is about a tool of `a`. */
  readonly wildTools: readonly Placed[];
}

export function indexMcp(rules: readonly McpRule[]): McpIndex {
  const byName = new Map<string, Placed[]>();
  const byFolded = new Map<string, Placed[]>();
  const wild: Placed[] = [];
  const wildTools: Placed[] = [];
  rules.forEach((bound, at) => {
    push(byName, bound.name, { bound, at });
    if (bound.name.includes("*") && !WHOLE_SERVER.test(bound.name)) wildTools.push({ bound, at });
    const folded = foldMcpName(bound.name);
    const plain = folded.endsWith("__*") ? folded.slice(0, -3) : folded;
    if (plain.includes("*")) wild.push({ bound, at });
    else push(byFolded, plain, { bound, at });
  });
  return { all: rules, byName, byFolded, wild, wildTools };
}

/** In no other way can it be taken apart into a server and a tool. */
const WHOLE_SERVER = /^mcp__(?:_?[^_*])+__\*$/u;

function push(map: Map<string, Placed[]>, key: string, placed: Placed): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [placed]);
  else list.push(placed);
}

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
  const allows = ({ bound }: Placed): boolean =>
    isLive(bound, now) && (bound.name === called || mcpAllows(bound.name, identity));
  let first = called === undefined ? undefined : earlier(undefined, index.byName.get(called), allows);
  for (const name of namesOf(identity.server, identity.tool)) {
    first = earlier(first, index.byName.get(name), allows);
  }
  return earlier(first, index.wildTools, allows)?.bound;
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
  const binds = ({ bound }: Placed): boolean => isLive(bound, now) && mcpBinds(bound.binder, names);
  let first: Placed | undefined;
  for (const name of names) {
    first = earlier(first, index.byFolded.get(name), binds);
    // Every split of a name counts: what stands before any `__` may be the rule.
    for (let at = name.indexOf("__"); at >= 0; at = name.indexOf("__", at + 1)) {
      first = earlier(first, index.byFolded.get(name.slice(0, at)), binds);
    }
  }
  return earlier(first, index.wild, binds)?.bound;
}

/** The first of the list that fits, if it stands before `found` in the order of all rules. */
function earlier(
  found: Placed | undefined,
  list: readonly Placed[] | undefined,
  fits: (placed: Placed) => boolean,
): Placed | undefined {
  if (list === undefined) return found;
  for (const placed of list) {
    if (found !== undefined && placed.at > found.at) return found;
    if (fits(placed)) return placed;
  }
  return found;
}
