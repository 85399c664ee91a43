import type { ToolDefinition } from "../protocol/index.ts";
import {
  type Catalogue,
  catalogueOf,
  chooseTools,
  definitionOf,
  fullName,
  isNamedBy,
  type MountedTool,
} from "../tools/index.ts";
import type { Options } from "./options/types.ts";
import { OUTPUT_TOOL } from "./output-format.ts";

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
 * Rejects with a CastellanError `invalid_option` or `duplicate_tool`, as `createCatalogue` throws.
 */
export async function sessionCatalogue(parts: CatalogueParts): Promise<Catalogue> {
  const { builtins, option, recorded, servers } = parts;
  const list = option === undefined ? recorded?.tools : isList(option) ? option : undefined;
  const own: ToolDefinition[] = [...servers];
  // The tool of an output format is there with the format, whatever the list says.
  const isOutput = (name: string): boolean => name === OUTPUT_TOOL;
  const names = list === undefined ? [] : builtins.map(({ name }) => name).filter(isOutput);
  for (const item of list ?? []) {
    const definition = definitionOf(item);
    if (definition !== undefined) own.push(definition);
    const name = definition?.name ?? String(item);
    if (definition !== undefined || option !== undefined || !isOutput(name)) names.push(name);
  }
  const mounted: readonly MountedTool[] = [...builtins, ...own];
  const known = new Set(mounted.map(({ name }) => name));
  const wanted = option === undefined ? names.filter((name) => known.has(name)) : names;
  if (option === undefined) {
    tellMissing(names, known, parts.notify);
    wanted.push(...newTools(servers, recorded?.servers ?? []));
  } else {
    tellUnmatched(names, servers, parts.notify);
  }
  const chosen = chooseTools(mounted, {
    ...(list === undefined ? {} : { tools: wanted }),
    exact: option === undefined,
    disallowedTools: gone(known, servers, parts.denied),
  });
  const definitions = new Map(own.map((definition) => [definition.name, definition]));
  const unmade = chosen.filter((name) => !definitions.has(name));
  if (unmade.length > 0) {
    for (const made of await parts.make(new Set(unmade))) definitions.set(made.name, made);
  }
  const visible = chosen.flatMap((name) => definitions.get(name) ?? []);
  return catalogueOf(visible, parts.toolAliases);
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

function isList(
  option: NonNullable<Options["tools"]>,
): option is Extract<Options["tools"], readonly unknown[]> {
  return Array.isArray(option);
}
