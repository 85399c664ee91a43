import type { LoopHooks } from "../../loop/index.ts";
import type { ApprovalStore } from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { ApprovalsSetting } from "../options/approvals.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";

/** What the inbox of one session is made of. */
export interface SessionDeskParts {
  readonly shared: Shared;
  readonly store: ApprovalStore;
  readonly setting: ApprovalsSetting;
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly hooks: LoopHooks;
  readonly teller: Teller;
}
