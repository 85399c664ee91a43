import { BUILTIN_TOOL_NAMES, definitionOf, nearestName } from "../../tools/index.ts";
import { record, text } from "./checks.ts";
import { type Check, fault } from "./fault.ts";
import { serverTools } from "./mcp-servers.ts";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const texts = record(text, "an object of names, each with the name of the tool that it stands for");

/** `options.toolAliases`: each leads to a tool that there is, as far as that is known before the session is open. */
export const toolAliases: Check = (value, all) => {
  const wrong = texts(value);
  if (wrong !== undefined) return wrong;
  const servers = serverTools(all?.mcpServers);
  const own = Array.isArray(all?.tools) ? all.tools.flatMap((item) => definitionOf(item)?.name ?? []) : [];
  const known = [...BUILTIN_TOOL_NAMES, ...own, ...servers.names];
  for (const [alias, name] of Object.entries(value as Record<string, string>)) {
    if (!NAME.test(alias)) {
      return {
        at: "",
        expected: "an object whose keys are 1 to 64 letters, digits, _ or -",
        got: `one with the key ${JSON.stringify(alias)}`,
      };
    }
    if (known.includes(name) || (!servers.isAll && name.startsWith("mcp__"))) continue;
    const near = nearestName(name, known);
    return fault(
      "the name of a tool",
      name,
      `.${alias}`,
      near === undefined ? undefined : `Did you mean ${near}?`,
    );
  }
  return undefined;
};
