import type { PermissionContext, SourcedRule } from "../../protocol/index.ts";
import type { MergedPermissions } from "../../settings/index.ts";

/** The switches of settings, as a context holds them. */
export function settingsContext(
  merged: MergedPermissions,
  broken: string | undefined,
): Pick<
  PermissionContext,
  | "brokenSettings"
  | "bypassDisabled"
  | "denyInsteadOfPrompting"
  | "blockReadsOutside"
  | "blockWritesOutside"
  | "managedRulesOnly"
> {
  const { disableBypass, denyInsteadOfPrompting, blockReadsOutside, blockWritesOutside } = merged;
  const { managedRulesOnly } = merged;
  return {
    ...(broken === undefined ? {} : { brokenSettings: broken }),
    ...(disableBypass === undefined ? {} : { bypassDisabled: disableBypass }),
    ...(denyInsteadOfPrompting === undefined ? {} : { denyInsteadOfPrompting }),
    ...(blockReadsOutside === undefined ? {} : { blockReadsOutside }),
    ...(blockWritesOutside === undefined ? {} : { blockWritesOutside }),
    ...(managedRulesOnly === undefined ? {} : { managedRulesOnly }),
  };
}

/** The rules that count where only the machine's policy may allow. */
export function countingRules(
  rules: readonly SourcedRule[],
  { managedRulesOnly }: Pick<MergedPermissions, "managedRulesOnly">,
): readonly SourcedRule[] {
  if (managedRulesOnly === undefined) return rules;
  return rules.filter(({ behavior, source }) => behavior !== "allow" || source === "policySettings");
}
