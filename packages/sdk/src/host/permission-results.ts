import type { PermissionAllow, PermissionDeny, PermissionUpdate } from "../protocol/index.ts";

/**
 * An answer of `canUseTool` that allows; the plain object `{ behavior: "allow" }` is as good.
 *
 * @example
 * ```ts
 * import { PermissionResultAllow } from "@castellan/sdk";
 *
 * const answer = new PermissionResultAllow({ updatedInput: { command: "npm test -- --run" } });
 * ```
 */
export class PermissionResultAllow implements PermissionAllow {
  readonly behavior = "allow" as const;
  readonly updatedInput?: { readonly [key: string]: unknown } | undefined;
  readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;

  /** @param fields what is to change; by default nothing: the call runs with the input that was asked about. */
  constructor(fields: Omit<PermissionAllow, "behavior"> = {}) {
    this.updatedInput = fields.updatedInput;
    this.updatedPermissions = fields.updatedPermissions;
  }
}

/**
 * An answer of `canUseTool` that denies; the plain object `{ behavior: "deny", message }` is as good.
 *
 * @example
 * ```ts
 * import { PermissionResultDeny } from "@castellan/sdk";
 *
 * const answer = new PermissionResultDeny({ message: "Not on a Friday.", interrupt: true });
 * ```
 */
export class PermissionResultDeny implements PermissionDeny {
  readonly behavior = "deny" as const;
  readonly message: string;
  readonly interrupt: boolean;

  /** @param fields `message` is what the model reads; `interrupt` ends the run, default false. */
  constructor(fields: Omit<PermissionDeny, "behavior">) {
    this.message = fields.message;
    this.interrupt = fields.interrupt ?? false;
  }
}
