import { parseHostPattern } from "../../rule/host-pattern.ts";
import { mcpAllowFault } from "../../rule/mcp-name.ts";
import { canonicalName, foldedName } from "../../rule/names.ts";
import type { Subject } from "../subject.ts";
import type { CoverIndex } from "./cover.ts";

/** Rules on whole tools, on servers, and on hosts: found by the names that would cover a rule. */
export function nameCover(subjects: readonly Subject[]): CoverIndex {
  const byKey = new Map<string, Subject>();
  for (const subject of subjects) {
    for (const key of keysOf(subject)) if (!byKey.has(key)) byKey.set(key, subject);
  }
  return {
    cover(subject) {
      for (const key of coveringKeys(subject)) {
        const found = byKey.get(key);
        if (found !== undefined && found !== subject && found.rule.text !== subject.rule.text) return found;
      }
      return undefined;
    },
  };
}

function keysOf({ binds, family, specifier, tool, toolName }: Subject): string[] {
  // In allow the server must be named in full.
  if (family === "mcp" && !binds && mcpAllowFault(toolName) !== undefined) return [];
  if (family === "mcp") return [`mcp ${toolName.toLowerCase().replace(/(?:__)?\*$/u, "")}`];
  if (specifier === undefined) return family === "any" && !binds ? [] : [`tool ${tool.toLowerCase()}`];
  if (family !== "domain") return [];
  const pattern = parseHostPattern(specifier);
  if ("error" in pattern) return [];
  return [pattern.every ? "host" : pattern.below ? `below ${pattern.host}` : `host ${pattern.host}`];
}

/** From the widest down. */
function* coveringKeys({ family, specifier, toolName }: Subject): Iterable<string> {
  yield "tool *";
  if (family === "mcp") {
    const parts = toolName.toLowerCase().split("__");
    for (let end = 1; end < Math.min(parts.length, 9); end += 1)
      yield `mcp ${parts.slice(0, end).join("__")}`;
    return;
  }
  if (specifier === undefined) return;
  // `Write(path)` binds more than the tool Write: no rule on that tool alone covers it.
  if (family !== "read" && family !== "edit") {
    yield `tool ${foldedName(toolName)}`;
    yield `tool ${canonicalName(toolName).toLowerCase()}`;
  }
  if (family !== "domain") return;
  const pattern = parseHostPattern(specifier);
  if ("error" in pattern || pattern.every) return;
  yield "host";
  const labels = pattern.host.split(".").slice(0, 40);
  for (let start = labels.length - 1; start > 0; start -= 1) yield `below ${labels.slice(start).join(".")}`;
}
