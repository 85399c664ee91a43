import type { ToolDefinition } from "../../protocol/index.ts";
import {
  type Catalogue,
  catalogueOf,
  chooseTools,
  definitionOf,
  fullName,
  isNamedBy,
  type MountedTool,
} from "../../tools/index.ts";
import type { Options } from "../options/types.ts";
import { OUTPUT_TOOL } from "./output-format.ts";

type ToolList = Extract<Options["tools"], readonly unknown[]>;

/** What a session's catalogue is made of. */
export interface CatalogueParts {
  /** The built-in tools that the session could have. */
  readonly builtins: readonly MountedTool[];
  /** Makes those of these names; not called when none is seen. */
  make(names: ReadonlySet<string>): Promise<readonly ToolDefinition[]>;
  readonly option: Options["tools"];
  /** The tools of the servers. */
  readonly servers: readonly ToolDefinition[];
  readonly toolAliases: Options["toolAliases"];
  /** On a resume without `tools`: the names that the log recorded. */
  readonly recorded: { readonly tools: readonly string[]; readonly servers: readonly string[] } | undefined;
  /** The names among these that a bare deny removes. */
  denied(names: readonly string[]): ReadonlySet<string>;
  notify(level: "warning", message: string): void;
}

/**
 * Names and tool objects of `options.tools` as one catalogue. Only the built-ins that are seen are made.
 *
 * Rejects with a CastellanError `invalid_option` or `duplicate_tool`, as `chooseTools` and `catalogueOf` throw.
 */
export async function sessionCatalogue(parts: CatalogueParts): Promise<Catalogue> {
  const { builtins, servers } = parts;
  const { own, names, exact } = wishOf(parts);
  const mounted: readonly MountedTool[] = [...builtins, ...servers, ...own];
  // The tool of an output format is there with the format, whatever the list says.
  const output = builtins.filter(({ name }) => name === OUTPUT_TOOL).map(({ name }) => name);
  const chosen = chooseTools(mounted, {
    ...(names === undefined ? {} : { tools: [...output, ...names] }),
    exact,
    disallowedTools: gone(new Set(mounted.map(({ name }) => name)), servers, parts.denied),
  });
  const definitions = new Map([...servers, ...own].map((definition) => [definition.name, definition]));
  const unmade = chosen.filter((name) => !definitions.has(name));
  if (unmade.length > 0) {
    for (const made of await parts.make(new Set(unmade))) definitions.set(made.name, made);
  }
  const visible = chosen.flatMap((name) => definitions.get(name) ?? []);
  return catalogueOf(visible, parts.toolAliases);
}

/** What a list of tools comes to. */
interface Wish {
  /** The tools of the program. */
  readonly own: readonly ToolDefinition[];
  /** What may be seen; absent where nothing limits it. */
  readonly names?: readonly string[];
  /** The tools of servers must be named too. */
  readonly exact: boolean;
}

function wishOf(parts: CatalogueParts): Wish {
  const { option, recorded } = parts;
  if (option !== undefined && isList(option)) return fromOption(option, parts);
  if (option === undefined && recorded !== undefined) return fromRecord(recorded, parts);
  return { own: [], exact: false };
}

function fromOption(list: ToolList, { servers, notify }: CatalogueParts): Wish {
  const own = list.flatMap((item) => definitionOf(item) ?? []);
  const names = list.map((item) => definitionOf(item)?.name ?? String(item));
  tellUnmatched(names, servers, notify);
  return { own, names, exact: false };
}

/** What the session had and this program brings, and what servers have brought since. */
function fromRecord(
  { tools, servers: before }: NonNullable<CatalogueParts["recorded"]>,
  { builtins, servers, notify }: CatalogueParts,
): Wish {
  const known = new Set([...builtins, ...servers].map(({ name }) => name));
  // The output format of an earlier run is not that of this one.
  const had = tools.filter((name) => name !== OUTPUT_TOOL);
  tellMissing(had, known, notify);
  const names = [...had.filter((name) => known.has(name)), ...newTools(servers, before)];
  return { own: [], names, exact: true };
}

/** On a resume: the tools of servers that the session has not had before. */
function newTools(servers: readonly ToolDefinition[], before: readonly string[]): readonly string[] {
  return servers.flatMap(({ name, mcpInfo }) => (before.includes(mcpInfo?.serverName ?? "") ? [] : [name]));
}

/** The names that a bare deny removes. It may write a tool of a server in full, whatever the model sees. */
function gone(
  known: ReadonlySet<string>,
  servers: readonly ToolDefinition[],
  denied: CatalogueParts["denied"],
): string[] {
  const seen = new Map(servers.map(({ name, mcpInfo }) => [fullNameOf(mcpInfo), name]));
  return [...denied([...known, ...seen.keys()])].map((name) => seen.get(name) ?? name);
}

function fullNameOf(info: ToolDefinition["mcpInfo"]): string {
  return info === undefined ? "" : fullName(info.serverName, info.toolName);
}

function tellUnmatched(
  names: readonly string[],
  servers: readonly ToolDefinition[],
  notify: CatalogueParts["notify"],
): void {
  for (const name of names) {
    if (!name.startsWith("mcp__") || servers.some((tool) => isNamedBy(name, tool))) continue;
    notify("warning", `options.tools names ${name}, but no server of options.mcpServers has such a tool.`);
  }
}

function tellMissing(
  names: readonly string[],
  known: ReadonlySet<string>,
  notify: CatalogueParts["notify"],
): void {
  for (const name of names) {
    if (known.has(name)) continue;
    notify(
      "warning",
      `The session had a tool ${name}, which this program does not bring: calls of it will fail.`,
    );
  }
}

function isList(option: NonNullable<Options["tools"]>): option is ToolList {
  return Array.isArray(option);
}
