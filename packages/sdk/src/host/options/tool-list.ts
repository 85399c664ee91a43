import { isJsonObject } from "../../schema/index.ts";
import { BUILTIN_TOOL_NAMES, definitionOf, nearestName, TOOL_NAME_ALIASES } from "../../tools/index.ts";
import { firstFault, oneOf, shape } from "./checks.ts";
import { type Check, type Fault, fault } from "./fault.ts";
import { PRESETS } from "./known.ts";
import { serverTools } from "./mcp-servers.ts";

const preset = shape(
  { type: oneOf(["preset"]), preset: oneOf(PRESETS) },
  'a list, or {type: "preset", preset: "default"}',
  ["type", "preset"],
);

/** `options.tools`: every name must be one of a built-in or of a tool in the list, and every tool's name its own. */
export const toolList: Check = (value, all) => {
  if (isJsonObject(value)) return preset(value);
  if (!Array.isArray(value)) {
    const fix = typeof value === "string" ? `Write [${JSON.stringify(value)}].` : undefined;
    return fault("a list of names and tools", value, "", fix);
  }
  const wrong = firstFault(value, nameOrTool);
  if (wrong !== undefined) return wrong;
  const brought = new Set([
    ...value.flatMap((item) => definitionOf(item)?.name ?? []),
    ...serverTools(all?.mcpServers).names,
  ]);
  return takenName(value) ?? firstFault(value, (item) => unknownName(item, value, brought));
};

const nameOrTool: Check = (item) => {
  const isGood = typeof item === "string" ? item.trim() !== "" : definitionOf(item) !== undefined;
  return isGood ? undefined : fault("a tool name, or an object made by tool()", item);
};

function takenName(list: readonly unknown[]): Fault | undefined {
  const taken = new Set(BUILTIN_TOOL_NAMES);
  return firstFault(list, (item) => {
    const name = definitionOf(item)?.name;
    if (name === undefined) return undefined;
    if (taken.has(name)) {
      const got = `a tool called ${JSON.stringify(name)}`;
      return { at: "", expected: "a tool whose name no other tool has", got, fix: "Rename one of the two." };
    }
    taken.add(name);
    return undefined;
  });
}

function unknownName(
  item: unknown,
  list: readonly unknown[],
  brought: ReadonlySet<string>,
): Fault | undefined {
  if (typeof item !== "string" || item.startsWith("mcp__")) return undefined;
  const target = Object.hasOwn(TOOL_NAME_ALIASES, item) ? TOOL_NAME_ALIASES[item] : item;
  const known = [...BUILTIN_TOOL_NAMES, ...brought];
  if (known.includes(target ?? item)) return undefined;
  if (list.some((other) => definitionOf(other)?.aliases.includes(item) === true)) return undefined;
  const near = nearestName(item, known);
  return fault(
    `one of ${known.join(", ")}`,
    item,
    "",
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}
