/** Options of the public shape whose part is not built yet: naming one is an error that says so. */
export const LATER_OPTIONS: ReadonlySet<string> = new Set([
  "agent",
  "agents",
  "allowManagedHooksOnly",
  "approvals",
  "classifier",
  "compat",
  "enableFileCheckpointing",
  "forkSession",
  "forwardSubagentText",
  "includeHookEvents",
  "managedSettings",
  "mcpServers",
  "onElicitation",
  "onSampling",
  "permissionPromptToolName",
  "permissionRules",
  "plugins",
  "resolveModel",
  "resolveModelTimeoutMs",
  "resumeSessionAt",
  "sandbox",
  "settingSources",
  "skills",
  "strictMcpConfig",
  "telemetry",
  "toolAliases",
  "toolConfig",
]);

/** Keys of SDKs that start another process. They have no meaning here: one warning, no effect. */
export const HOST_ONLY_OPTIONS: ReadonlySet<string> = new Set([
  "betas",
  "executable",
  "executableArgs",
  "extraArgs",
  "pathToClaudeCodeExecutable",
  "pathToExecutable",
  "pathToQoderCliExecutable",
  "spawnClaudeCodeProcess",
  "spawnProcess",
  "transport",
]);

/** Python spellings, as people paste them. */
export function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
