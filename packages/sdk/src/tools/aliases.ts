import { CastellanError, type ToolDefinition } from "../protocol/index.ts";
import { nearestName } from "../schema/index.ts";
import { duplicate } from "./duplicate.ts";
import { TOOL_NAME_ALIASES } from "./names.ts";

/**
 * Every other name of the visible tools. A tool's own name always wins over an alias that ships with a built-in.
 *
 * @throws CastellanError `duplicate_tool` or `invalid_option`.
 */
export function buildAliases(
  visible: readonly ToolDefinition[],
  names: ReadonlyMap<string, ToolDefinition>,
  option: Readonly<Record<string, string>>,
): ReadonlyMap<string, ToolDefinition> {
  const aliases = new Map<string, ToolDefinition>();
  for (const tool of visible) {
    for (const alias of tool.aliases) {
      const shipped = tool.source === "builtin" && Object.hasOwn(TOOL_NAME_ALIASES, alias);
      const other = names.get(alias) ?? aliases.get(alias);
      if (other === undefined) aliases.set(alias, tool);
      else if (other !== tool && !shipped) throw duplicate(alias, other, tool);
    }
  }
  for (const [alias, name] of Object.entries(option)) {
    const tool = names.get(name);
    if (tool === undefined || names.has(alias)) throw wrongOption(alias, name, names);
    aliases.set(alias, tool);
  }
  return aliases;
}

function wrongOption(
  alias: string,
  name: string,
  names: ReadonlyMap<string, ToolDefinition>,
): CastellanError {
  if (names.has(name)) {
    return new CastellanError("invalid_option", `toolAliases: "${alias}" is the name of a tool itself.`, {
      subject: "toolAliases",
      fix: "Choose a name that no visible tool has.",
    });
  }
  const near = nearestName(name, names.keys());
  return new CastellanError(
    "invalid_option",
    `toolAliases: "${alias}" leads to "${name}", which is no visible tool.`,
    {
      subject: "toolAliases",
      fix: near === undefined ? "Name a tool that is visible." : `Did you mean ${near}?`,
    },
  );
}
