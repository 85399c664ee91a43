import type { Approvals, WatchApprovalsOptions } from "../../approvals/index.ts";
import { nodePlatform, type Platform } from "../../platform/index.ts";
import type { ApprovalStore, Store } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { portsOf } from "../store-parts.ts";

/**
 * The inbox over a store. Its code is loaded when it is first used.
 *
 * @param onClose calls what it is given when the host closes, and gives what takes it back.
 */
export function approvalsOver(
  platform: Platform,
  store: ApprovalStore | undefined,
  mustBeOpen: () => void = () => {},
  onClose: (end: () => void) => () => void = () => () => {},
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
      const approvals = await inbox();
      // The host may have closed while the code came in.
      mustBeOpen();
      const closed = new AbortController();
      const unlisten = onClose(() => closed.abort());
      try {
        yield* approvals.watch({ ...options, signal: either(options?.signal, closed.signal) });
      } finally {
        unlisten();
      }
    },
  };
}

/** Fires with the signal that a watch was given, too; one that is none is left to who reads the options. */
function either(signal: WatchApprovalsOptions["signal"], closed: AbortSignal): AbortSignal {
  if (signal === undefined) return closed;
  return signal instanceof AbortSignal ? AbortSignal.any([signal, closed]) : signal;
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
