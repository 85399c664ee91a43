import type { JsonSchema, PromptContext, ToolDefinition } from "../protocol/index.ts";
import { nearestName } from "../schema/index.ts";
import { buildAliases } from "./aliases.ts";
import type { CatalogueOptions } from "./catalogue-options.ts";
import { chooseTools } from "./visible.ts";

/** A tool as a request carries it. */
export interface CatalogueText {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
}

/** The tools of one session. */
export interface Catalogue {
  /** Built-ins first, each part sorted by code units: the order of a request. */
  readonly visible: readonly ToolDefinition[];
  /** The visible tool of this name or alias. Names that only an object's prototype has find nothing. */
  resolve(name: string): ToolDefinition | undefined;
  /** The visible name that a wrong one probably meant. */
  nearest(name: string): string | undefined;
  /** What the model reads; computed at the first call and the same ever after. `builtins`: how many of them come first. */
  modelTools(context: PromptContext): { readonly tools: readonly CatalogueText[]; readonly builtins: number };
}

/**
 * Orders tools, decides which are seen, and finds them by name.
 *
 * @param definitions everything that is mounted, seen or not.
 * @throws CastellanError `duplicate_tool` when two tools share a name or an alias, naming both;
 * `invalid_option` for a name in `tools` or `toolAliases` that no tool has.
 */
export function createCatalogue(
  definitions: readonly ToolDefinition[],
  options: CatalogueOptions = {},
): Catalogue {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const visible = chooseTools(definitions, options).flatMap((name) => byName.get(name) ?? []);
  return catalogueOf(visible, options.toolAliases);
}

/**
 * The catalogue of tools that were chosen before.
 *
 * @param visible in the order of a request, as `chooseTools` gives their names.
 * @throws CastellanError as `createCatalogue`, for aliases.
 */
export function catalogueOf(
  visible: readonly ToolDefinition[],
  toolAliases: Readonly<Record<string, string>> = {},
): Catalogue {
  const { tools, names, aliases } = indexOf(visible, toolAliases);
  let text: ReturnType<Catalogue["modelTools"]> | undefined;
  return {
    visible: tools,
    resolve: (name) => names.get(name) ?? aliases.get(name),
    nearest: (name) => nearestName(name, names.keys()),
    modelTools: (context) => (text ??= writeText(tools, context)),
  };
}

/** Tools by name. Nothing in it changes. */
interface Index {
  readonly tools: readonly ToolDefinition[];
  readonly names: ReadonlyMap<string, ToolDefinition>;
  readonly aliases: ReadonlyMap<string, ToolDefinition>;
}

/** By the first tool, the index of the last list that began with it: most sessions have the same one. */
const indexes = new WeakMap<ToolDefinition, Index>();

function indexOf(visible: readonly ToolDefinition[], option: Readonly<Record<string, string>>): Index {
  const [first] = visible;
  const isPlain = Object.keys(option).length === 0;
  const known = first === undefined || !isPlain ? undefined : indexes.get(first);
  if (known !== undefined && isSame(known.tools, visible)) return known;
  const names = new Map(visible.map((tool) => [tool.name, tool]));
  const made = { tools: [...visible], names, aliases: buildAliases(visible, names, option) };
  if (first !== undefined && isPlain) indexes.set(first, made);
  return made;
}

function isSame(a: readonly ToolDefinition[], b: readonly ToolDefinition[]): boolean {
  return a.length === b.length && a.every((tool, at) => tool === b[at]);
}

function writeText(
  visible: readonly ToolDefinition[],
  context: PromptContext,
): ReturnType<Catalogue["modelTools"]> {
  const builtins = visible.filter((tool) => tool.source === "builtin");
  // A built-in's text may name only built-ins, or a new tool would change the prefix of the request.
  const known = new Set(builtins.map((tool) => tool.name));
  const narrow = { ...context, toolNames: new Set([...context.toolNames].filter((name) => known.has(name))) };
  return {
    builtins: builtins.length,
    tools: visible.map((tool) => textOf(tool, tool.prompt(tool.source === "builtin" ? narrow : context))),
  };
}

/** What a tool said last. Sessions share tools, and hold one text of each as long as it stays the same. */
const said = new WeakMap<ToolDefinition, CatalogueText>();

function textOf(tool: ToolDefinition, description: string): CatalogueText {
  const { name, inputSchema } = tool;
  const known = said.get(tool);
  if (known?.description === description && known.inputSchema === inputSchema && known.name === name) {
    return known;
  }
  const text = { name, description, inputSchema, ...(tool.strict === true ? { strict: true } : {}) };
  said.set(tool, text);
  return text;
}
