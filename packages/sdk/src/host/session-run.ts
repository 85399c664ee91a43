import { runUserTurn } from "../loop/index.ts";
import type { Platform } from "../platform/index.ts";
import type {
  CancelCode,
  PermissionMode,
  PermissionUpdate,
  SDKMessage,
  SDKResultMessage,
} from "../protocol/index.ts";
import { AbortError, CastellanError } from "../protocol/index.ts";
import { cancelReason } from "../scheduler/index.ts";
import { project } from "../sessions/index.ts";
import { createInbox, type Inbox, pumpPrompts } from "./inbox.ts";
import { createMessageQueue, type MessageQueue } from "./message-queue.ts";
import { type OpenSession, openSession } from "./open-session.ts";
import type { Options } from "./options/types.ts";
import type { Shared } from "./shared.ts";
import { textPrompt } from "./user-message.ts";

/** A session on its way, from its first step to the last message. It runs whether it is read or not. */
export interface SessionRun {
  readonly queue: MessageQueue;
  readonly inbox: Inbox;
  /** Resolves when everything is written and let go of; never rejects. */
  readonly ended: Promise<void>;
  /** The session once it is open; rejects with what kept it from opening. */
  readonly session: Promise<OpenSession>;
  interrupt(code: CancelCode): void;
  close(): Promise<void>;
}

export interface RunParts {
  readonly shared: Shared;
  readonly options: Options;
  readonly warnings: readonly string[];
  readonly prompt: string | AsyncIterable<unknown>;
}

/** Starts a session at once and returns its handles. */
export function startRun(parts: RunParts): SessionRun {
  const { shared, options } = parts;
  const { platform } = shared;
  const newId = options.sessionId ?? platform.ids.uuid();
  let sessionId = options.resume ?? newId;
  const queue = createMessageQueue();
  const stop = new AbortController();
  let turn: AbortController | undefined;
  let held: SDKMessage[] = [];
  let closing = false;

  const interrupt = (code: CancelCode): void => {
    turn?.abort(cancelReason(code));
  };
  const inbox = createInbox(() => interrupt("new_message"));
  const notify = (level: "info" | "warning" | "error", message: string): void => {
    if (level !== "info" || options.debug === true) options.stderr?.(`${level}: ${message}`);
    queue.push({
      ...{ type: "system", subtype: "notification", level, message },
      uuid: platform.ids.uuid(),
      session_id: sessionId,
    });
  };
  const outer = options.abortController?.signal;
  const onOuterAbort = (): void => {
    inbox.discard();
    stop.abort();
    interrupt("abort");
  };
  outer?.addEventListener("abort", onOuterAbort, { once: true });

  const session = openSession({
    ...{ shared, options, newId, inbox, queue, notify },
    onId(id) {
      sessionId = id;
      for (const warning of parts.warnings) notify("warning", warning);
    },
    onEvent(event, state) {
      const messages = project(event, state);
      // A result is told only once it is written: runTurns lets it go.
      if (event.type === "result") held.push(...messages);
      else for (const message of messages) queue.push(message);
    },
  });
  // Whoever awaits it sees the failure; nobody has to.
  session.catch(() => {});

  async function runTurns(): Promise<void> {
    const open = await session;
    const oneTurn = async (): Promise<void> => {
      turn = new AbortController();
      if (outer?.aborted === true) turn.abort(cancelReason("abort"));
      if (closing) turn.abort(cancelReason("close"));
      try {
        await runUserTurn(open.loop, turn.signal);
        for (const message of held) queue.push(message);
      } finally {
        held = [];
        turn = undefined;
      }
    };
    if (typeof parts.prompt === "string") {
      if (parts.prompt !== "") inbox.push(textPrompt(parts.prompt));
      inbox.end();
      if (parts.prompt === "") {
        if (!open.unfinished) throw nothingToDo(open.sessionId);
        await oneTurn();
      }
    } else void pumpPrompts(parts.prompt, inbox, stop.signal);
    for (;;) {
      const message = await inbox.next();
      if (message === undefined) break;
      if (closing) break;
      open.log.record("user.message", { message });
      await oneTurn();
    }
    await open.log.barrier();
  }

  async function run(): Promise<void> {
    try {
      await runTurns();
    } catch (error) {
      queue.push(failure(platform, sessionId, error));
    }
    stop.abort();
    outer?.removeEventListener("abort", onOuterAbort);
    inbox.discard();
    const open = await session.catch(() => undefined);
    await open?.log.close().catch(() => {});
    await shared.store.release?.(sessionId).catch(() => {});
    if (outer?.aborted === true && !closing) queue.end(new AbortError());
    else queue.end();
  }
  const ended = run();

  return {
    queue,
    inbox,
    ended,
    session,
    interrupt,
    close() {
      closing = true;
      inbox.discard();
      stop.abort();
      interrupt("close");
      return ended;
    },
  };
}

function nothingToDo(sessionId: string): CastellanError {
  return new CastellanError("invalid_option", `Session ${sessionId} has nothing left to go on with.`, {
    subject: "prompt",
    fix: "Give a prompt.",
  });
}

/** A result for a run that could not be written to its log, or never had one. */
function failure(platform: Platform, sessionId: string, error: unknown): SDKResultMessage {
  const message = error instanceof Error ? error.message : String(error);
  const none = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  return {
    type: "result",
    subtype: "error_during_execution",
    uuid: platform.ids.uuid(),
    session_id: sessionId,
    is_error: true,
    duration_ms: 0,
    num_turns: 0,
    usage: none,
    modelUsage: {},
    total_cost_usd: 0,
    errors: [message],
    permission_denials: [],
    stop_reason: null,
    terminal_reason: error instanceof CastellanError ? error.code : "internal",
  };
}

/** How a session's mode and rules are changed from outside. */
export async function changePolicy(
  run: SessionRun,
  change: PermissionUpdate | { readonly mode: PermissionMode | "yolo" },
): Promise<void> {
  const { policy, log } = await run.session;
  const result =
    "mode" in change && !("type" in change)
      ? policy.setMode(change.mode, "control")
      : policy.update([change as PermissionUpdate], "control");
  if (!result.ok) throw new CastellanError("invalid_option", result.error, { subject: "permissionMode" });
  await log.barrier();
}
