import { nearestName } from "../../protocol/index.ts";
import { WELL_KNOWN_TOOLS, wellKnownSpelling } from "../rule/names.ts";
import type { CompiledPolicy } from "./compile.ts";
import { type Finding, findingOf } from "./finding.ts";

/**
 * Rules that name no tool: neither a well-known one nor one of `toolNames`. Names of MCP tools are never
 * unknown: their server may connect later.
 */
export function unknownNames(policy: CompiledPolicy, toolNames: Iterable<string>): Finding[] {
  const known = new Set([...WELL_KNOWN_TOOLS, ...toolNames]);
  const folded = new Map([...known].map((name) => [name.toLowerCase(), name]));
  const findings: Finding[] = [];
  for (const [rule, toolName] of policy.named) {
    if (known.has(toolName)) continue;
    const plain = toolName.replace(/\s+/gu, "").toLowerCase();
    if (plain === "*" || plain.startsWith("mcp__")) continue;
    if (wellKnownSpelling(toolName) !== undefined) continue;
    const near = folded.get(plain) ?? nearestName(toolName, known);
    if (near === undefined) {
      const fix = "Mend the name or take the rule out.";
      findings.push(findingOf(rule, "unknown-name", `No tool is called ${toolName}.`, { fix }));
      continue;
    }
    const mended = `${near}${rule.text.slice(toolName.length)}`;
    const sameButCase = near.toLowerCase() === plain;
    findings.push(
      sameButCase
        ? findingOf(rule, "name-case", `The tool is spelled ${near}.`, { mended })
        : findingOf(rule, "unknown-name", `No tool is called ${toolName}.`, { mended }),
    );
  }
  return findings;
}
