import { createRecent, mcpSafe } from "../../protocol/index.ts";
import { matchesStar, type StarPieces } from "./star.ts";

const PREFIX = "mcp__";

/** A tool of a server, or the whole server (`tool` absent), as a call names it. */
interface McpIdentity {
  /** The key under which the server is configured. */
  readonly server: string;
  readonly tool?: string;
}

/**
 * Whether an allow rule names the tool: its server part is the server's key, letter by letter,
 * and only the tool part may hold `*`.
 */
export function mcpAllows(ruleName: string, identity: McpIdentity): boolean {
  if (!ruleName.startsWith(PREFIX)) return false;
  const rest = ruleName.slice(PREFIX.length);
  return [identity.server, mcpSafe(identity.server)].some((server) => {
    if (rest === server || rest === `${server}__*`) return server !== "";
    if (identity.tool === undefined || !rest.startsWith(`${server}__`)) return false;
    return namesTool(rest.slice(server.length + 2).split("*"), identity.tool);
  });
}

function namesTool(pieces: StarPieces, tool: string): boolean {
  return matchesStar(pieces, tool) || matchesStar(pieces, mcpSafe(tool));
}

/** An MCP rule of deny or ask, ready to be compared. */
export type McpBinder = readonly StarPieces[];

/** Every split of a name counts, letter case and blanks do not, and `*` may stand anywhere. */
export function mcpBinder(ruleName: string): McpBinder {
  const pieces = foldMcpName(ruleName).split("*");
  return [pieces, [...pieces.slice(0, -1), `${pieces[pieces.length - 1] ?? ""}__`, ""]];
}

export function foldMcpName(name: string): string {
  return name.replace(/\s+/gu, "").toLowerCase();
}

/** @param names folded. */
export function mcpBinds(binder: McpBinder, names: readonly string[]): boolean {
  return names.some((name) => binder.some((pieces) => matchesStar(pieces, name)));
}

/** Every full name under which a server's tool may be meant. */
export function mcpNames(identity: McpIdentity): string[] {
  const tail = identity.tool === undefined ? "" : `__${identity.tool}`;
  const plain = `${PREFIX}${identity.server}${tail}`;
  const safe = mcpSafe(plain);
  return plain === safe ? [plain] : [plain, safe];
}

/** `mcpNames`, folded. The same few tools are asked for at every call. */
export function foldedMcpNames(server: string, tool: string): readonly string[] {
  // With its length, no server and tool can pass for another pair.
  const key = `${server.length} ${server}${tool}`;
  const known = foldedSets.get(key);
  if (known !== undefined) return known;
  const names = mcpNames({ server, tool }).map(foldMcpName);
  foldedSets.set(key, names);
  return names;
}

const foldedSets = createRecent<readonly string[]>(64);

/** Whether an allow rule for MCP tools can name anything: its server part must be there and literal. */
export function mcpAllowFault(ruleName: string): string | undefined {
  const rest = ruleName.slice(PREFIX.length);
  const server = rest.split("__")[0] ?? "";
  if (server === "") return "it names no server";
  if (server.includes("*")) return "an allow rule must name its server in full";
  return undefined;
}
