import type { PermissionRuleValue } from "../../protocol/index.ts";
import type { ToolFacts } from "../call.ts";
import type { UncoveredPart } from "../cover/part.ts";
import { foldHost } from "../rule/host-pattern.ts";
import { escapeSpecifier } from "../rule/specifier.ts";

/** Tools that run a program of any kind: no rule on the whole of them is ever offered. */
const NEVER_WHOLE: ReadonlySet<string> = new Set(["Bash", "PowerShell", "REPL", "Monitor", "Workflow"]);

/** The narrowest rule for a part that is no command and no path. */
export function toolRule(
  part: Extract<UncoveredPart, { kind: "target" | "tool" }>,
  tool: ToolFacts,
): readonly PermissionRuleValue[] | undefined {
  if (NEVER_WHOLE.has(tool.name)) return undefined;
  if (part.kind === "tool") return [{ toolName: tool.name }];
  const { target } = part;
  switch (target.kind) {
    case "host":
      if (target.host === undefined) return undefined;
      return [{ toolName: "WebFetch", ruleContent: `domain:${foldHost(target.host)}` }];
    case "agent":
      return [{ toolName: "Agent", ruleContent: escapeSpecifier(target.type) }];
    case "mcp":
      // A resource of a server: not its tools as well.
      return [{ toolName: tool.mcp === undefined ? `mcp__${target.server}__${target.tool}` : tool.name }];
    case "name":
      return target.value === tool.name
        ? [{ toolName: tool.name }]
        : [{ toolName: tool.name, ruleContent: escapeSpecifier(target.value) }];
  }
}
