import type { SystemPromptOption } from "../../context/index.ts";
import type { AiSdkModel, Auth, Effort, LanguageModel, ModelAddress, Thinking } from "../../model/index.ts";
import type { Platform } from "../../platform/index.ts";
import type {
  CanUseTool,
  EventStore,
  HooksOption,
  JsonSchema,
  PermissionMode,
  Store,
} from "../../protocol/index.ts";
import type { CompatHost, RuleObject, SettingSource, Settings } from "../../settings/index.ts";
import type { AnyTool, McpServerConfig } from "../../tools/index.ts";
import type { ApprovalsOption } from "./approvals.ts";

/** The flag layer: settings given by the program that starts the session. */
export type SettingsObject = Settings;

/**
 * Everything that a session may be told. All of it is optional, every key is checked, and an
 * unknown one is an error that names the nearest.
 */
export interface Options {
  /**
   * `provider/model`, a known name, an address, `scripted:<file>`, or a model object, ours or
   * one of the AI SDK. Absent: `CASTELLAN_MODEL`, else
   * the first provider with a key.
   */
  readonly model?: string | LanguageModel | AiSdkModel | ModelAddress;
  /** Takes over for the rest of a user turn when `model` cannot be reached after ten retries. */
  readonly fallbackModel?: string | LanguageModel | AiSdkModel | ModelAddress;
  /** The key of the provider of `model`. It is never sent to another one. Default: the provider's usual variable. */
  readonly auth?: Auth;
  /** How much the model thinks. Default: its own. `budgetTokens` is at least 1,024. */
  readonly thinking?: Thinking;
  /** How hard the model works. Default: its own. */
  readonly effort?: Effort;
  /** The answer is data that fits this schema, in `structured_output` of the result. Three tries. */
  readonly outputFormat?: { readonly type: "json_schema"; readonly schema: JsonSchema };
  /**
   * US dollars that the session may spend, from its start on. It ends before the first request behind that; the
   * price of the model must be known.
   */
  readonly maxBudgetUsd?: number;
  /** Tokens of all kinds that the session may use; as `maxBudgetUsd`. */
  readonly maxTokensBudget?: number;
  /** Replaces or extends the default system prompt. */
  readonly systemPrompt?: SystemPromptOption;
  /** Stands as a block of its own behind the system prompt. */
  readonly appendSystemPrompt?: string;
  /** Model requests for each user message; at least 1. No limit when absent. */
  readonly maxTurns?: number;
  /**
   * Whether the history is summed up by itself: at a share of the model's context window, and where the model refuses a
   * history as too long. `threshold` is that share (above 0, at most 1; default 0.8), `contextWindow` the window in tokens,
   * for a model of which the SDK does not know it. `false`: never. A person sums up with the message `/compact`. Default true.
   */
  readonly compaction?: boolean | { readonly threshold?: number; readonly contextWindow?: number };
  /** Also give `stream_event` messages while an answer is being written. Default false. */
  readonly includePartialMessages?: boolean;

  /**
   * What the model sees: built-in names and tool objects mixed. Absent or the preset: the default
   * set. `[]`: no tools at all.
   */
  readonly tools?:
    | readonly (string | AnyTool)[]
    | { readonly type: "preset"; readonly preset: "default" | "claude_code" };
  /**
   * Servers in this process: what `createSdkMcpServer()` made, or an `McpServer` of `@modelcontextprotocol/sdk` as
   * `{ type: "sdk", name, instance }`. Their tools are called `mcp__{key}__{tool}` and stay visible unless `tools`
   * names one that begins with `mcp__`, or is empty. In a list, each server's name is its key.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | readonly McpServerConfig[];
  /** Other names that the model may use, each for the name of a tool. Rules, hooks and callbacks see the real name. */
  readonly toolAliases?: Readonly<Record<string, string>>;
  /** Pre-approval rules; they say nothing about what is visible. */
  readonly allowedTools?: readonly string[];
  /** A bare name removes the tool from sight; a rule with a specifier denies. */
  readonly disallowedTools?: readonly string[];

  /** Default `default`. */
  readonly permissionMode?: PermissionMode | "yolo";
  /** The danger flag: without it `bypassPermissions` (`yolo`) is refused, at start and later. */
  readonly allowDangerouslySkipPermissions?: boolean;
  /** `ceiling` (default): plan mode denies what does not read. `advisory`: rules alone decide. */
  readonly planMode?: "ceiling" | "advisory";
  /** Asked when rules and mode left a call open. */
  readonly canUseTool?: CanUseTool;
  /** `every-call`: asked before each call that is not denied; it can then only tighten. Default `ask`. */
  readonly canUseToolScope?: "ask" | "every-call";
  /** Milliseconds until an unanswered question denies. No limit when absent. */
  readonly canUseToolTimeoutMs?: number;
  /**
   * Who answers a call that rules, mode and hooks leave open: `canUseTool` (`callback`, the default), or whoever decides
   * in the inbox (`durable`), in this process or another, now or after a restart.
   */
  readonly approvals?: "callback" | "durable" | ApprovalsOption;
  /** Further directories that count as working directories. Relative ones start at `cwd`. */
  readonly additionalDirectories?: readonly string[];
  /**
   * The workspace is trusted: allow rules, directories, modes and variables of the project's own settings count, and
   * git's read-only commands need no rule. Default: where `settingSources` names any, what `castellan trust` has
   * recorded, else false.
   */
  readonly trustWorkspace?: boolean;
  /** The flag layer: settings as an object, or the path of a file of settings (from `cwd`). */
  readonly settings?: SettingsObject | string;
  /** Which settings files are read: `user`, `project`, `local`. Default none. The machine's policy always counts. */
  readonly settingSources?: readonly SettingSource[];
  /** Policy that this program adds to the machine's. No other option, file or grant lifts it. */
  readonly managedSettings?: SettingsObject;
  /** Other hosts whose folders (`.claude`, `.qoder`) are read beside `.castellan`. Default none. */
  readonly compat?: readonly CompatHost[];
  /** Rules with more about them: a reason, an end, examples that are tried when the session opens. */
  readonly permissionRules?: readonly RuleObject[];
  /** Callbacks around tool calls, messages of the user and the end of a run. */
  readonly hooks?: HooksOption;
  /** Also give `system/hook_started` and `system/hook_response` messages. Default false. */
  readonly includeHookEvents?: boolean;

  /** The start directory. Default: the process's own; on resume the session's. */
  readonly cwd?: string;
  /**
   * Added to (or with `undefined` taken from) the environment that tools' processes get. `HOME`, where it is an absolute
   * path, is then what `~` means in rules and to tools as well; deny and ask rules keep meaning your own home too.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A UUID for the new session. */
  readonly sessionId?: string;
  /** The id of a session to go on with. */
  readonly resume?: string;
  /** Goes on with the newest session of `cwd`; a new one when there is none. */
  readonly continue?: boolean;
  /**
   * With `resume` or `continue`: the history goes on in a new session, and the old one stays as it is. Mode and rules
   * come along, but nothing that the old session was granted on the way. Default false.
   */
  readonly forkSession?: boolean;
  /**
   * With `resume` or `continue`: goes on behind this message, the `uuid` of one that the session gave, as if nothing had
   * come after it. A log is never cut, so this is always a fork: the session that goes on has an id of its own, and
   * whatever the old one was forbidden meanwhile stays forbidden in it.
   */
  readonly resumeSessionAt?: string;
  /** False: the log stays in memory. Default true. */
  readonly persistSession?: boolean;
  /** Where the log goes; default the host's store (JSONL files under `~/.castellan`). */
  readonly sessionStore?: EventStore | Store;
  readonly title?: string;
  /**
   * Keeps what files held before Edit, Write and known writers in Bash change them, so that `rewindFiles()` can bring it
   * back; and gives messages of people as `user` messages, with the `uuid` that it takes. Default false.
   */
  readonly enableFileCheckpointing?: boolean;
  /** Aborting ends the session; the iterator throws `AbortError` after the result message. */
  readonly abortController?: AbortController;

  /** Replaces parts of the ambient world (clock, disk, processes). */
  readonly platform?: Partial<Platform>;
  /** Gets warnings and, with `debug`, diagnostics, a line at a time. */
  readonly stderr?: (line: string) => void;
  readonly debug?: boolean;
}
