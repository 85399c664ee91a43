import { tool } from "@castellan/sdk";

/** The demo's own tool, and the counter that only its handler moves. */
export interface DemoTools {
  readonly tools: readonly ReturnType<typeof tool>[];
  /** What the handler was called with, in order. */
  readonly fixes: readonly { readonly file: string; readonly summary: string }[];
}

/** A function of this process as a tool: it notes a fix. Low risk, so it needs no rule. */
export function demoTools(): DemoTools {
  const fixes: { file: string; summary: string }[] = [];
  const logFix = tool({
    name: "log_fix",
    version: "1.0.0",
    description: "Notes a fix in the project's fix log. Call it once, when the tests are green.",
    inputSchema: { file: "string", summary: "string" },
    riskLevel: "low",
    execute: async ({ file, summary }) => {
      fixes.push({ file, summary });
      return { content: [{ type: "text", text: `Fix ${fixes.length} noted: ${file}.` }] };
    },
  });
  return { tools: [logFix], fixes };
}
