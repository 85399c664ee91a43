import type { Options, PermissionMode } from "@castellan/sdk";

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
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly trustWorkspace?: boolean;
  readonly outputFormat?: "text" | "json" | "stream-json";
  readonly json?: boolean;
  readonly includePartialMessages?: boolean;
  readonly debug?: boolean;
}

/** The session options that the flags name. What a flag leaves out stays out, so that a resume keeps it. */
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
    additionalDirectories: flags.addDir,
    maxTurns: flags.maxTurns,
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    trustWorkspace: flags.trustWorkspace,
    includePartialMessages: flags.includePartialMessages,
    debug: flags.debug,
  });
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
