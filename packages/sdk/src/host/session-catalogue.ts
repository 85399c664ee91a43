import type { ToolDefinition } from "../protocol/index.ts";
import { type Catalogue, createCatalogue, definitionOf } from "../tools/index.ts";
import type { Options } from "./options/types.ts";
import { OUTPUT_TOOL } from "./output-format.ts";

/** What a session's catalogue is made of. */
export interface CatalogueParts {
  readonly builtins: readonly ToolDefinition[];
  readonly option: Options["tools"];
  /** On a resume without `tools`: the names that the log recorded. */
  readonly recorded: readonly string[] | undefined;
  /** The names among these that a bare deny removes. */
  denied(names: readonly string[]): ReadonlySet<string>;
  notify(level: "warning", message: string): void;
}

/**
 * Names and tool objects of `options.tools` as one catalogue.
 *
 * @throws CastellanError `invalid_option` or `duplicate_tool`, as `createCatalogue`.
 */
export function sessionCatalogue(parts: CatalogueParts): Catalogue {
  const { option } = parts;
  const list = option === undefined ? parts.recorded : isList(option) ? option : undefined;
  const definitions = [...parts.builtins];
  // The tool of an output format is there with the format, whatever the list says.
  const isOutput = (name: string): boolean => name === OUTPUT_TOOL;
  const names = list === undefined ? [] : definitions.map(({ name }) => name).filter(isOutput);
  for (const item of list ?? []) {
    const definition = definitionOf(item);
    if (definition !== undefined) definitions.push(definition);
    const name = definition?.name ?? String(item);
    if (definition !== undefined || option !== undefined || !isOutput(name)) names.push(name);
  }
  const known = new Set(definitions.map((definition) => definition.name));
  const wanted = option === undefined ? names.filter((name) => known.has(name)) : names;
  if (option === undefined) tellMissing(names, known, parts.notify);
  return createCatalogue(definitions, {
    ...(list === undefined ? {} : { tools: wanted }),
    disallowedTools: [...parts.denied([...known])],
  });
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
