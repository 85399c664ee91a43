import type { Host, Options, SDKMessage, SDKResultMessage } from "@castellan/sdk";
import { type ExitCode, exitCodeOf } from "../exit-codes.ts";

export interface SessionParts {
  readonly host: Host;
  readonly prompt: string;
  readonly options: Options;
  onMessage(message: SDKMessage): void;
}

export interface SessionOutcome {
  readonly exitCode: ExitCode;
  readonly result: SDKResultMessage | undefined;
  readonly sessionId: string | undefined;
  /** The tools whose calls were denied because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
}

/**
 * Runs one session to its end, and closes the host. Ctrl-C interrupts, a second one closes, a third leaves at once.
 * The session is closed, too, when the process is to end or nobody reads standard output any more.
 */
export async function runSession(parts: SessionParts): Promise<SessionOutcome> {
  const session = parts.host.query({ prompt: parts.prompt, options: parts.options });
  let presses = 0;
  const close = (): void => void session.close();
  const onInterrupt = (): void => {
    presses += 1;
    if (presses === 1) {
      process.stderr.write("castellan: interrupting; Ctrl-C again closes at once\n");
      void session.interrupt().catch(() => {});
    } else if (presses === 2) close();
    else process.exit(130);
  };
  process.on("SIGINT", onInterrupt);
  for (const signal of ENDINGS) process.on(signal, close);
  process.stdout.on("error", close);
  let result: SDKResultMessage | undefined;
  let sessionId: string | undefined;
  const unasked = new Set<string>();
  try {
    for await (const message of session) {
      sessionId = message.session_id;
      if (message.type === "result") result = message;
      if (message.type === "system" && message.subtype === "permission_denied") {
        if (message.reason.type === "noApprover") unasked.add(message.tool_name);
      }
      parts.onMessage(message);
    }
    await parts.host.close();
  } finally {
    process.off("SIGINT", onInterrupt);
    // What is pressed while the process leaves changes nothing about how it ends.
    if (presses > 0) process.on("SIGINT", () => process.exit(130));
    for (const signal of ENDINGS) process.off(signal, close);
    process.stdout.off("error", close);
  }
  return { exitCode: exitCodeOf(result, unasked.size > 0), result, sessionId, unasked };
}

const ENDINGS = ["SIGTERM", "SIGHUP"] as const;
