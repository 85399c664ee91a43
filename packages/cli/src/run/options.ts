import type { Effort, Options, PermissionMode, SettingSource, Thinking } from "@castellan/sdk";

export type OutputFormat = "text" | "json" | "stream-json";

/** The flags of `castellan run`, as commander gives them. */
export interface RunFlags {
  readonly model?: string;
  readonly cwd?: string;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly title?: string;
  readonly permissionMode?: string;
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly tools?: readonly string[];
  readonly addDir?: readonly string[];
  readonly maxTurns?: number;
  readonly fallbackModel?: string;
  readonly maxBudgetUsd?: number;
  readonly maxTokensBudget?: number;
  readonly effort?: Effort;
  readonly thinking?: Thinking;
  /** A file, or JSON. */
  readonly outputSchema?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly trustWorkspace?: boolean;
  /** A file, or JSON. */
  readonly settings?: string;
  readonly approvals?: "callback" | "durable";
  readonly onPending?: "wait" | "pause";
  readonly settingSources?: readonly SettingSource[];
  readonly outputFormat?: OutputFormat;
  readonly json?: boolean;
  readonly includePartialMessages?: boolean;
  readonly debug?: boolean;
}

/** The flag behind each option whose name differs from its flag's. */
const FLAGS: Readonly<Record<string, string>> = {
  allowedTools: "--allow",
  disallowedTools: "--deny",
  additionalDirectories: "--add-dir",
  outputFormat: "--output-schema",
};

/** The session options that the flags name, and the settings files that a session here reads. What a flag leaves out stays out, so that a resume keeps it. */
export function runOptions(flags: RunFlags): Options {
  return defined({
    model: flags.model,
    cwd: flags.cwd,
    resume: flags.resume,
    continue: flags.continue,
    title: flags.title,
    permissionMode: flags.permissionMode as PermissionMode | undefined,
    allowDangerouslySkipPermissions: flags.allowDangerouslySkipPermissions,
    allowedTools: flags.allow,
    disallowedTools: flags.deny,
    tools: flags.tools,
    approvals: approvalsOption(flags),
    additionalDirectories: flags.addDir,
    fallbackModel: flags.fallbackModel,
    effort: flags.effort,
    thinking: flags.thinking,
    maxTurns: flags.maxTurns,
    maxBudgetUsd: flags.maxBudgetUsd,
    maxTokensBudget: flags.maxTokensBudget,
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    trustWorkspace: flags.trustWorkspace,
    settingSources: flags.settingSources ?? ["user", "project", "local"],
    compat: ["claude", "qoder"],
    includePartialMessages: flags.includePartialMessages,
    debug: flags.debug,
  });
}

function approvalsOption({ approvals: mode, onPending }: RunFlags): Options["approvals"] {
  if (mode === undefined || onPending === undefined) return mode;
  return { mode, onPending };
}

/** An error of the library with the flags of this program instead of its option names. */
export function inFlagWords(message: string): string {
  return withoutProgramFixes(message).replace(/\b(?:options\.)(\w+)/g, (_, option: string) =>
    Object.hasOwn(FLAGS, option)
      ? (FLAGS[option] ?? option)
      : `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

/** What only a program can do is no fix on a command line. */
export function withoutProgramFixes(message: string): string {
  return message
    .replace(", or give the option `auth`", "")
    .replace("Give the option `model`", "Give --model")
    .replace("give the settings as an object", "give them as JSON")
    .replace("or set trustWorkspace: true", "or pass --trust-workspace")
    .replace(/Tell it: createHost\(.*$/s, "Use --max-tokens-budget instead.");
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
