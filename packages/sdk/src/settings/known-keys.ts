/** Keys that stand beside `permissions` or inside it. */
export const SWITCHES = [
  "disableBypassPermissionsMode",
  "disableAutoMode",
  "denyInsteadOfPrompting",
  "blockReadsOutsideWorkingDirectories",
  "blockWritesOutsideWorkingDirectories",
  "allowManagedPermissionRulesOnly",
] as const;

/** Keys of `permissions` alone. */
export const PERMISSION_KEYS = [
  "allow",
  "deny",
  "ask",
  "rules",
  "defaultMode",
  "additionalDirectories",
] as const;

/** Keys of the file alone. */
export const ROOT_KEYS = [
  "permissions",
  "env",
  "model",
  "hooks",
  "sandbox",
  "cleanupPeriodDays",
  "mcpServers",
] as const;

/** Lists of rules. */
export const RULE_LISTS = ["allow", "deny", "ask"] as const;

/** What only ever tightens: a slip in one of these must not pass for nothing. */
export const TIGHTENING: ReadonlySet<string> = new Set(["permissions", "deny", "ask", "rules", ...SWITCHES]);
