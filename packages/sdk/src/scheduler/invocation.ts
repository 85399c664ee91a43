import { putArtifact } from "../artifacts/index.ts";
import type { RunVerdict } from "../gate/index.ts";
import { lazySignal } from "../platform/index.ts";
import type { BuiltinContext, CancelCode, ToolProgress } from "../protocol/index.ts";
import { copyJson } from "../tools/index.ts";
import { cancelReason } from "./cancel-reason.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import type { CallTool, Nest } from "./nest.ts";
import type { SchedulerDeps } from "./types.ts";

/** The context of one call, and the strings by which it is held. */
export interface Invocation {
  readonly context: BuiltinContext;
  /** Fires the call's signal. */
  stop(code: CancelCode): void;
  /** From here on progress and log lines of the call are dropped. */
  close(): void;
}

export function createInvocation(
  callId: string,
  verdict: RunVerdict,
  assistantMessageId: string,
  deps: SchedulerDeps,
  nest: Nest,
): Invocation {
  const { tool, targets } = verdict;
  const offered = lazySignal();
  let open = true;
  let callTool: CallTool | undefined;
  const context: BuiltinContext = {
    toolUseId: callId,
    sessionId: deps.sessionId,
    ...(deps.agentId === undefined ? {} : { agentId: deps.agentId }),
    assistantMessageId,
    cwd: deps.services.shell?.cwd() ?? deps.cwd,
    get signal() {
      return offered.signal();
    },
    metadata: { taskId: deps.agentId ?? deps.sessionId },
    artifacts: { put: (body, mediaType) => putArtifact(deps.artifacts, deps.platform, body, mediaType) },
    progress(update) {
      const progress = open ? readProgress(update) : undefined;
      if (progress !== undefined) deps.emit({ callId, name: tool.name, progress });
    },
    log(level, message) {
      if (open) deps.log?.(level, String(message).slice(0, 10_000), callId);
    },
    callTool(name, input) {
      callTool ??= nest({
        id: callId,
        exclusive: !isConcurrencySafe(verdict),
        signal: offered.signal,
        isOpen: () => open,
      });
      return callTool(name, input);
    },
    targets,
    services: deps.services,
  };
  return {
    context,
    stop(code) {
      offered.abort(cancelReason(code));
    },
    close() {
      open = false;
    },
  };
}

/** Tools may report anything; only a text or a JSON object goes out. */
function readProgress(update: unknown): ToolProgress | undefined {
  if (typeof update === "string") return update;
  if (typeof update !== "object" || update === null || Array.isArray(update)) return undefined;
  const copied = copyJson(update);
  return copied.ok ? (copied.value as ToolProgress) : undefined;
}
