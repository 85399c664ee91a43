import type { SDKResultMessage } from "@castellan/sdk";

/** What the exit code of every command means. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  limit: 4,
  paused: 5,
  configuration: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a run, from its last result. `nobodyAsked`: a call was denied because nobody could be asked. */
export function exitCodeOf(result: SDKResultMessage | undefined, nobodyAsked: boolean): ExitCode {
  if (result === undefined) return EXIT.failed;
  switch (result.subtype) {
    case "success":
      return nobodyAsked ? EXIT.denied : EXIT.done;
    case "error_max_turns":
    case "error_max_budget_usd":
      return EXIT.limit;
    case "paused":
      return EXIT.paused;
    default:
      break;
  }
  const code = exitCodeOfReason(result.terminal_reason);
  return code === EXIT.failed && nobodyAsked ? EXIT.denied : code;
}

/** The exit code for the code of an error, or for the `terminal_reason` of a result that is no success. */
export function exitCodeOfReason(reason: string): ExitCode {
  switch (reason) {
    case "max_tokens_budget":
      return EXIT.limit;
    case "interrupted":
    case "closed":
    case "aborted":
    // Ctrl-C while a question stood there.
    case "denied_interrupt":
      return EXIT.interrupted;
    case "invalid_option":
      return EXIT.usage;
    case "invalid_model":
    case "missing_key":
    case "invalid_settings":
    case "invalid_rule":
    case "session_not_found":
    case "log_too_new":
      return EXIT.configuration;
    default:
      return EXIT.failed;
  }
}
