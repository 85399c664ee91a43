import { TOOL } from "../task.ts";

interface Rules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** Rules as they gather over time: commands, paths and tools of all kinds, and one that allows the tool of the bench. */
export function manyRules(count: number): Rules {
  const allow: string[] = [TOOL.name];
  const ask: string[] = [];
  const deny: string[] = [];
  for (let i = 1; i < count; i++) {
    switch (i % 6) {
      case 0:
        deny.push(`Bash(tool-${i} push *)`);
        break;
      case 1:
        allow.push(`Bash(tool-${i} test *)`);
        break;
      case 2:
        allow.push(`Read(src/area-${i}/**)`);
        break;
      case 3:
        ask.push(`Edit(src/area-${i}/**)`);
        break;
      case 4:
        deny.push(`Read(secret-${i}/**)`);
        break;
      default:
        allow.push(`mcp__server-${i % 40}__tool_${i}`);
    }
  }
  return { allow, ask, deny };
}
