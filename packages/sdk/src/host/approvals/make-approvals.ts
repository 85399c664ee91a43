import { type Approvals, createApprovals, fileSigner } from "../../approvals/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { ApprovalStore } from "../../protocol/index.ts";
import { storeHome } from "../../sessions/index.ts";

/** The inbox over a store; loaded when it is first used. */
export function makeApprovals(platform: Platform, store: ApprovalStore): Approvals {
  return createApprovals({ store, platform, signer: fileSigner(platform, storeHome(platform)) });
}
