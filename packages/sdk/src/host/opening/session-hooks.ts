import type { PolicyHolder } from "../../gate/index.ts";
import type { HookTable } from "../../hooks/index.ts";
import type { LoopHooks } from "../../loop/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";

/** The hooks of one session, with what each input holds and what is told of their runs. */
export function sessionHooks(parts: {
  readonly shared: Shared;
  readonly options: Options;
  readonly sessionId: string;
  readonly cwd: string;
  readonly log: SessionLog;
  readonly policy: PolicyHolder;
  readonly hooks: HookTable;
  readonly teller: Teller;
}): LoopHooks {
  const { shared, options, sessionId, cwd, log, policy, teller } = parts;
  let transcript: string | undefined;
  return {
    table: parts.hooks,
    input() {
      transcript ??= shared.store.locate?.(sessionId, cwd) ?? "";
      return {
        session_id: sessionId,
        transcript_path: transcript,
        cwd: log.state.shellCwd,
        permission_mode: policy.current().context.mode,
      };
    },
    ...(options.includeHookEvents === true ? { started: teller.hookStarted } : {}),
    notify: teller.notify,
  };
}
