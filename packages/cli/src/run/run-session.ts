import { type Options, query, type SDKMessage, type SDKResultMessage } from "@castellan/sdk";
import { type ExitCode, exitCodeOf } from "../exit-codes.ts";

export interface SessionParts {
  readonly prompt: string;
  readonly options: Options;
  onMessage(message: SDKMessage): void;
}

export interface SessionOutcome {
  readonly exitCode: ExitCode;
  readonly result: SDKResultMessage | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Runs one session to its end. Ctrl-C interrupts; a second one closes, and a third leaves at once.
 */
export async function runSession(parts: SessionParts): Promise<SessionOutcome> {
  const session = query({ prompt: parts.prompt, options: parts.options });
  let presses = 0;
  const onInterrupt = (): void => {
    presses += 1;
    if (presses === 1) void session.interrupt().catch(() => {});
    else if (presses === 2) void session.close();
    else process.exit(130);
  };
  const onTerminate = (): void => {
    void session.close();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  let result: SDKResultMessage | undefined;
  let sessionId: string | undefined;
  let nobodyAsked = false;
  try {
    for await (const message of session) {
      sessionId = message.session_id;
      if (message.type === "result") result = message;
      if (message.type === "system" && message.subtype === "permission_denied") {
        nobodyAsked ||= message.reason.type === "noApprover";
      }
      parts.onMessage(message);
    }
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
    await session.close();
  }
  return { exitCode: exitCodeOf(result, nobodyAsked), result, sessionId };
}
