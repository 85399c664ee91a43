import type { Approvals } from "../../approvals/index.ts";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import type { ApprovalStore, Store } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { portsOf } from "../store-parts.ts";

/** The inbox over a store. Its code is loaded when it is first used. */
export function approvalsOver(
  platform: Platform,
  store: ApprovalStore | undefined,
  mustBeOpen: () => void = () => {},
): Approvals {
  let made: Promise<Approvals> | undefined;

  function inbox(): Promise<Approvals> {
    mustBeOpen();
    if (store === undefined) throw noApprovals();
    made ??= load(platform, store);
    return made;
  }

  return {
    list: async (options) => (await inbox()).list(options),
    get: async (id) => (await inbox()).get(id),
    decisionOf: async (id) => (await inbox()).decisionOf(id),
    approve: async (id, options) => (await inbox()).approve(id, options),
    reject: async (id, options) => (await inbox()).reject(id, options),
    async *watch(options) {
      yield* (await inbox()).watch(options);
    },
  };
}

async function load(platform: Platform, store: ApprovalStore): Promise<Approvals> {
  const { makeApprovals } = await import("./make-approvals.ts");
  return makeApprovals(platform, store);
}

function noApprovals(): CastellanError {
  return new CastellanError("invalid_option", "The store of this host keeps no approvals.", {
    subject: "store",
    fix: "Give a store with approvals, such as jsonlStore(), or none.",
  });
}

/**
 * The inbox of a store: what waits for somebody's word in any session of it.
 *
 * @throws CastellanError `invalid_option` for a store that keeps no approvals
 */
export function approvalsOf(store: Store): Approvals {
  const { approvals } = portsOf(store);
  if (approvals === undefined) throw noApprovals();
  return approvalsOver(nodePlatform(), approvals);
}
