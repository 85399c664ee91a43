import type { RiskLevel } from "./decision.ts";
import type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
import type { PermissionUpdate } from "./permission.ts";
import type { ToolServices } from "./services/index.ts";
import type { ResolvedTarget, Target } from "./target.ts";

/** Hints of the MCP specification. They describe; they never grant anything. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export type ToolPolicy = "always_allow" | "always_ask" | "always_deny";

/** A stored blob. `id` is a short handle; the content hash never reaches a model. */
export interface ArtifactRef {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly mediaType: string;
}

/** One content block of an MCP result. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string; readonly [key: string]: unknown }
  | {
      readonly type: "image";
      readonly data: string;
      readonly mimeType: string;
      readonly [key: string]: unknown;
    }
  | {
      readonly type: "audio";
      readonly data: string;
      readonly mimeType: string;
      readonly [key: string]: unknown;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly [key: string]: unknown;
    }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri?: string;
        readonly text?: string;
        readonly blob?: string;
        readonly mimeType?: string;
      };
      readonly [key: string]: unknown;
    };

/** What an MCP-style handler returns. Both spellings of the error flag are read. */
export interface CallToolResult {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly is_error?: boolean;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** What `call` of the full contract returns. */
export interface ToolResult {
  readonly output?: JsonValue;
  readonly content?: readonly ContentBlock[];
  readonly summary?: string;
  readonly success?: boolean;
  readonly structuredContent?: unknown;
  readonly artifacts?: readonly ArtifactRef[];
  readonly images?: readonly ArtifactRef[];
  readonly isError?: boolean;
  readonly is_error?: boolean;
  readonly _meta?: { readonly [key: string]: unknown };
}

export type ValidationResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** What a tool itself says about a call. `kept`: its ask holds in every mode. */
export interface CheckAnswer {
  readonly behavior: "allow" | "deny" | "ask" | "passthrough";
  readonly message?: string;
  readonly updatedInput?: JsonObject;
  readonly suggestions?: readonly PermissionUpdate[];
  readonly kept?: boolean;
}

/** What `callTool` gives back: the result as a handler would return it, so that it can be passed on. */
export interface CalledToolResult extends CallToolResult {
  readonly content: readonly ContentBlock[];
  /** True for a failure, a refusal, an invalid input and an unknown name: `content` says which. */
  readonly isError: boolean;
  readonly artifacts?: readonly ArtifactRef[];
  readonly images?: readonly ArtifactRef[];
}

/** Why `signal` fired; it is `signal.reason.code`. */
export type CancelCode = "interrupt" | "close" | "timeout" | "new_message" | "abort";

/** A progress report: any JSON value, or text that people may read. */
export type ToolProgress = string | JsonObject;

/** The second argument of every handler. */
export interface ToolInvocationContext {
  readonly toolUseId: string;
  readonly sessionId: string;
  readonly agentId?: string;
  readonly assistantMessageId: string;
  /** Absolute; where relative paths start. */
  readonly cwd: string;
  /** Fires when the call is cancelled; `signal.reason` has a `code` of `CancelCode`. */
  readonly signal: AbortSignal;
  readonly metadata: { readonly taskId: string };
  readonly artifacts: {
    /** Stores a body (100 MB at most) and gives a reference that a result may carry. */
    put(
      body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
      mediaType: string,
    ): Promise<ArtifactRef>;
  };
  progress(update: ToolProgress): void;
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /**
   * Calls another tool of the session, by the name that the model sees. The call is validated, shown to hooks,
   * decided and asked about like one of the model's. Never rejects; `isError` says that it did not succeed.
   */
  callTool(name: string, input: JsonObject): Promise<CalledToolResult>;
}

/** What built-in tools get beside it. */
export interface BuiltinContext extends ToolInvocationContext {
  /** The targets that were judged, in the order of `targets(input)`. */
  readonly targets: readonly ResolvedTarget[];
  readonly services: ToolServices;
}

/** What the model-facing text of a tool may depend on. */
export interface PromptContext {
  readonly cwd: string;
  readonly toolNames: ReadonlySet<string>;
}

/** What `validateInput`, `checkPermissions` and `targets` may look at. */
export interface CheckContext {
  readonly cwd: string;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
}

/**
 * The full contract of a tool. `buildTool()` fills every field that its author left out
 * with a safe default, so the rest of the system reads fields and never guesses.
 */
export interface ToolDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly version: string;
  readonly source: "builtin" | "custom" | "mcp" | "lsp";
  readonly mcpInfo?: { readonly serverName: string; readonly toolName: string };
  readonly searchHint?: string;
  readonly title?: string;

  /** What the model sees, and what every call is validated against. */
  readonly inputSchema: JsonSchema;
  /** Validates, applies defaults and transforms, and drops or keeps unknown keys as its form says. */
  readonly parseInput: (value: unknown) => ParsedInput | Promise<ParsedInput>;
  readonly outputSchema?: JsonSchema;
  /** What is wrong with a structured result; present with `outputSchema`. */
  readonly checkOutput?: (value: unknown) => readonly InputIssue[];
  /** The provider's strict mode, where it has one and the schema fits it. */
  readonly strict?: boolean;
  /** Keys of the input that only a person's answer sets: what a model or hook writes there is taken out. */
  readonly personKeys?: readonly string[];

  readonly description: string;
  /** The text that the model reads; computed once a session. */
  prompt(context: PromptContext): string;
  /** One line for a person about this very call. */
  describe(input: JsonObject): string;

  validateInput(input: JsonObject, context: CheckContext): ValidationResult | Promise<ValidationResult>;
  readonly hasCheck: boolean;
  checkPermissions(input: JsonObject, context: CheckContext): CheckAnswer | Promise<CheckAnswer>;
  call(
    input: JsonObject,
    context: BuiltinContext,
    onProgress: (update: ToolProgress) => void,
  ): unknown | Promise<unknown>;

  readonly annotations: ToolAnnotations;
  isReadOnly(input: JsonObject): boolean;
  isDestructive(input: JsonObject): boolean;
  isOpenWorld(input: JsonObject): boolean;
  requiresUserInteraction(): boolean;
  targets(input: JsonObject, context: CheckContext): readonly Target[];
  /** Whether a rule `name(specifier)` means this call, for tools that know better than their targets. */
  preparePermissionMatcher?(input: JsonObject): (specifier: string) => boolean;
  riskLevel(input: JsonObject): RiskLevel;
  readonly permissionPolicy?: ToolPolicy;
  /** Passes the ceiling of plan mode although it is not read-only (TodoWrite, Skill, Agent …). */
  readonly allowedInPlan: boolean;
  /** What runs inside is decided call by call, so the call itself needs no rule (TodoWrite, Agent …). */
  readonly allowedByItself: boolean;

  isConcurrencySafe(input: JsonObject): boolean;
  interruptBehavior(): "cancel" | "block";
  readonly timeoutMs?: number;
  readonly idempotent: boolean;
  readonly shouldDefer: boolean;
  readonly alwaysLoad: boolean;
  isEnabled(): boolean;

  userFacingName(input: JsonObject): string;
  summary(input: JsonObject): string;
  activity(input: JsonObject): string;
  /** Characters of result text that the model may get before the rest goes to an artifact. */
  readonly maxResultSizeChars: number;
  inputsEquivalent(a: JsonObject, b: JsonObject): boolean;
}

export type ParsedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** One fault of an input: where, what was expected, what came. */
export interface InputIssue {
  /** Dotted path from the root, `""` for the root itself. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
}
