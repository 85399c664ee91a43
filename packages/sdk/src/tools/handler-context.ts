import type { ToolInvocationContext } from "../protocol/index.ts";
import type { HandlerContext } from "./types.ts";

/** What a handler sees of a call: no services and no resolved targets, and the names that MCP handlers look for. */
export function handlerContext(context: ToolInvocationContext): HandlerContext {
  return {
    toolUseId: context.toolUseId,
    sessionId: context.sessionId,
    ...(context.agentId === undefined ? {} : { agentId: context.agentId }),
    assistantMessageId: context.assistantMessageId,
    cwd: context.cwd,
    // Read when somebody asks for it: most handlers never look at their signal.
    get signal() {
      return context.signal;
    },
    metadata: context.metadata,
    artifacts: context.artifacts,
    progress: (update) => context.progress(update),
    log: (level, message) => context.log(level, message),
    callTool: (name, input) => context.callTool(name, input),
    requestId: context.toolUseId,
    _meta: { progressToken: context.toolUseId },
    async sendNotification({ method, params = {} }) {
      if (method === "notifications/progress") {
        const { progress, total, message } = params;
        const facts = Object.entries({ progress, total, message }).filter(
          ([, value]) => typeof value === "number" || typeof value === "string",
        );
        context.progress(Object.fromEntries(facts) as { [key: string]: number | string });
      } else if (method === "notifications/message") {
        const text = typeof params.data === "string" ? params.data : (JSON.stringify(params.data) ?? "");
        context.log(logLevel(params.level), text);
      }
    },
  };
}

function logLevel(level: unknown): "debug" | "info" | "warn" | "error" {
  if (level === "debug" || level === "info") return level;
  if (level === "notice") return "info";
  return level === "warning" || level === "warn" ? "warn" : "error";
}
