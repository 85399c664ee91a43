import type { ResolvedSettings } from "../settings/index.ts";
import type { ResolveOptions } from "./settings/resolve-settings.ts";
import type { TrustOptions, TrustResult } from "./settings/trust-workspace.ts";

// Their code is loaded when one is first asked for.

/**
 * What the settings files of a place come to, where each value was set, and what is wrong with them. Nothing starts.
 *
 * Rejects with a CastellanError `invalid_option`; `invalid_settings` where the machine's policy cannot be read;
 * `invalid_rule` where an example of a rule fails.
 *
 * @example
 * const { effective, provenance } = await resolveSettings({ cwd: "/work/app" });
 * console.log(effective.permissions?.deny, provenance["permissions.deny"]);
 */
export async function resolveSettings(options: ResolveOptions = {}): Promise<ResolvedSettings> {
  return (await import("./settings/resolve-settings.ts")).resolveSettings(options);
}

/**
 * Records that the user trusts a workspace: allow rules, directories, modes and variables of its own settings count from
 * the next session on. With `remove` it takes that back.
 *
 * Rejects with a CastellanError `invalid_option`, or `invalid_settings` where the record cannot be read or written.
 */
export async function trustWorkspace(options: TrustOptions = {}): Promise<TrustResult> {
  return (await import("./settings/trust-workspace.ts")).trustWorkspace(options);
}
