import { userInfo } from "node:os";
import type { ApprovalRecord, Host } from "@castellan/sdk";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { printable } from "../terminal/safe-text.ts";

/**
 * The approval that `given` names: by its id, by a beginning of one that is pending, or of any.
 *
 * @throws Fault for none, and for several
 */
export async function findApproval(host: Host, given: string): Promise<ApprovalRecord> {
  const exact = given === "" ? undefined : await host.approvals.get(given);
  if (exact !== undefined) return exact;
  const all = (await host.approvals.list({ skipped: () => {} })).filter(({ id }) => isBegun(id, given));
  const pending = all.filter(({ status }) => status === "pending");
  const found = pending.length > 0 ? pending : all;
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    throw new Fault(EXIT.failed, `There is no approval ${printable(given)}. See castellan approvals list.`);
  }
  const shown = found.slice(0, 5).map(({ id }) => id);
  throw new Fault(
    EXIT.usage,
    `${found.length} approvals begin with ${printable(given)}: ${shown.join(", ")}. Give more of the id.`,
  );
}

/** The `apr_` in front of every id need not be typed. */
function isBegun(id: string, given: string): boolean {
  return given !== "" && (id.startsWith(given) || id.replace(/^apr_/, "").startsWith(given));
}

/** Who sits at this machine. */
export function userName(): string {
  try {
    return userInfo().username || "human";
  } catch {
    return "human";
  }
}
