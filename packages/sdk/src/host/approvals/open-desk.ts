import type { LoopHooks } from "../../loop/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import { approvalsSetting } from "../options/approvals.ts";
import type { Options } from "../options/types.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";
import { type SessionDesk, sessionDesk } from "./session-desk.ts";

/**
 * The inbox of a session that opens.
 *
 * @throws CastellanError `invalid_option` for durable approvals over a store that keeps none
 */
export function openDesk(parts: {
  readonly shared: Shared;
  readonly options: Options;
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly hooks: LoopHooks;
  readonly teller: Teller;
  atEnd(release: () => Promise<void>): void;
}): SessionDesk | undefined {
  const { shared, options, sessionId, log, hooks, teller, atEnd } = parts;
  const setting = approvalsSetting(options.approvals);
  const { approvals: store } = shared.ports;
  if (store !== undefined) {
    // Written out: what is spread gets a hidden class of its own, and holds what else is in it.
    const desk = sessionDesk({ shared, store, setting, sessionId, log, hooks, teller });
    atEnd(() => desk.close());
    return desk;
  }
  if (setting.mode === "callback") return undefined;
  throw new CastellanError(
    "invalid_option",
    "options.approvals is durable, but the store of this session keeps no approvals.",
    { subject: "approvals", fix: "Give a store with approvals, such as jsonlStore(), or none." },
  );
}
