import type { RuleBehavior, SourcedRule } from "../../packages/sdk/src/protocol/index.ts";

/**
 * `count` rules as they gather over years: commands (a tenth of them sharing four program names), folders, tools of
 * servers, hosts. None is on a whole tool, so that every decision has to look.
 */
export function rulesOf(count: number): SourcedRule[] {
  return Array.from({ length: count }, (_, i): SourcedRule => {
    const [behavior, text] = SHAPES[i % SHAPES.length]?.(i) ?? (["allow", "Bash(ls:*)"] as const);
    return { text, behavior, source: "projectSettings", file: ".castellan/settings.json", position: i + 1 };
  });
}

const COMMON = ["git", "npm", "docker", "cargo"];

const SHAPES: readonly ((i: number) => readonly [RuleBehavior, string])[] = [
  (i) => ["allow", `Bash(tool-${i} test:*)`],
  (i) => ["allow", `Read(/src/area-${i}/**)`],
  (i) => ["deny", `Bash(tool-${i} push:*)`],
  (i) => ["allow", `mcp__server-${i % 40}__tool_${i}`],
  (i) => ["allow", `Edit(/src/area-${i}/**)`],
  (i) => ["deny", `Read(secret-${i}/**)`],
  (i) => ["allow", `Bash(${COMMON[((i / 10) % 4) | 0]} run task-${i}:*)`],
  (i) => ["ask", `Bash(deploy-${i} *)`],
  (i) => ["deny", `Edit(/generated/part-${i}/*.ts)`],
  (i) =>
    i % 20 === 9 ? ["deny", `mcp__server-${i % 40}__drop_${i}`] : ["allow", `WebFetch(domain:host-${i}.dev)`],
];
