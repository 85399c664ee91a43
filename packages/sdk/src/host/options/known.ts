/** Options of the public shape whose part is not built yet: naming one is an error that says so. */
export const LATER_OPTIONS: ReadonlySet<string> = new Set([
  "agent",
  "agents",
  "allowManagedHooksOnly",
  "classifier",
  "forwardSubagentText",
  "onElicitation",
  "onSampling",
  "permissionPromptToolName",
  "plugins",
  "resolveModel",
  "resolveModelTimeoutMs",
  "sandbox",
  "skills",
  "strictMcpConfig",
  "telemetry",
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
  "pathToQoderCLIExecutable",
  "pathToQoderCliExecutable",
  "spawnClaudeCodeProcess",
  "spawnProcess",
  "transport",
]);

/** Names of the one preset of tools and system prompt; the second is how other SDKs call theirs. */
export const PRESETS: readonly string[] = ["default", "claude_code"];

/** Names from elsewhere, too far from ours to be taken for a slip of the pen. */
export const MEANT_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["addDirs", "additionalDirectories"],
  ["approvalMode", "permissionMode"],
  ["approvedTools", "allowedTools"],
  ["autoApprove", "allowedTools"],
  ["blockedTools", "disallowedTools"],
  ["continueConversation", "continue"],
  ["deniedTools", "disallowedTools"],
  ["deny", "disallowedTools"],
  ["excludedTools", "disallowedTools"],
  ["forbiddenTools", "disallowedTools"],
  ["instructions", "systemPrompt"],
  ["maxSteps", "maxTurns"],
  ["maxThinkingTokens", "thinking"],
  ["mode", "permissionMode"],
  ["onPermissionRequest", "canUseTool"],
  ["permissionCallback", "canUseTool"],
  ["workdir", "cwd"],
  ["workingDirectory", "cwd"],
]);

/** Python spellings, as people paste them. */
export function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
