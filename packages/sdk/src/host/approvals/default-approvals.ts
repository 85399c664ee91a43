import type { Approvals } from "../../approvals/index.ts";
import { defaultHost } from "../default-host.ts";

/**
 * The inbox of the default store (`~/.castellan`): calls of all its sessions that wait for somebody's word, whatever
 * process runs them.
 *
 * @example
 * ```ts
 * import { approvals } from "@castellan/sdk";
 *
 * for (const { id, title } of await approvals.list({ status: "pending" })) {
 *   console.log(title);
 *   await approvals.approve(id, { by: "ann", note: "looked at it" });
 * }
 * ```
 */
export const approvals: Approvals = {
  list: (options) => defaultHost().approvals.list(options),
  get: (id) => defaultHost().approvals.get(id),
  decisionOf: (id) => defaultHost().approvals.decisionOf(id),
  approve: (id, options) => defaultHost().approvals.approve(id, options),
  reject: (id, options) => defaultHost().approvals.reject(id, options),
  watch: (options) => defaultHost().approvals.watch(options),
};
