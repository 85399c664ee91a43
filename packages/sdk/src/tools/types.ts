import type {
  BuiltinContext,
  CallToolResult,
  CheckAnswer,
  CheckContext,
  JsonObject,
  JsonSchema,
  PromptContext,
  RiskLevel,
  Target,
  ToolAnnotations,
  ToolDefinition,
  ToolInvocationContext,
  ToolPolicy,
  ToolProgress,
  ToolResult,
  ValidationResult,
} from "../protocol/index.ts";

/** What a handler gives back: an MCP result, or `{ success, output }`. Anything else reaches the model as an error. */
export type HandlerResult = CallToolResult | ToolResult;

/** The second argument of a handler. Its last three fields let handlers written for an MCP server run unchanged. */
export interface HandlerContext extends ToolInvocationContext {
  /** The same as `toolUseId`. */
  readonly requestId: string;
  /** `notifications/progress` and `notifications/message` are reported; others are dropped. */
  sendNotification(notification: {
    readonly method: string;
    readonly params?: { readonly [key: string]: unknown } | undefined;
  }): Promise<void>;
  readonly _meta: { readonly progressToken: string };
}

export type AuthoredAnnotations = {
  readonly [K in keyof ToolAnnotations]?: ToolAnnotations[K] | undefined;
} & {
  /** Characters of result text that the model may get; it may also stand beside the annotations. */
  readonly maxResultSizeChars?: number | undefined;
};

/** The fields that every way of making a tool knows. A field given as undefined counts as left out. */
export interface ToolExtras<Args = JsonObject> {
  readonly aliases?: readonly string[] | undefined;
  /** Default `1.0.0`. */
  readonly version?: string | undefined;
  /** Three to ten words by which the tool is found. */
  readonly searchHint?: string | undefined;
  readonly title?: string | undefined;
  /** Any form of schema for the structured result. */
  readonly outputSchema?: object | undefined;
  /** The provider's strict mode, where it has one and the schema fits it. Default false. */
  readonly strict?: boolean | undefined;
  /** Hints of MCP. They describe the tool and never permit a call. */
  readonly annotations?: AuthoredAnnotations | undefined;
  /** Default `high`. A function that throws, or gives no level, counts as `high`. */
  readonly riskLevel?: RiskLevel | ((input: Args) => RiskLevel) | undefined;
  readonly permissionPolicy?: ToolPolicy | undefined;
  /** Milliseconds. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Default 50,000; 500,000 at most. */
  readonly maxResultSizeChars?: number | undefined;
  readonly shouldDefer?: boolean | undefined;
  readonly alwaysLoad?: boolean | undefined;
  /** Running it twice does no more than running it once. Default: what `annotations.idempotentHint` says, else false. */
  readonly idempotent?: boolean | undefined;
  /** The text that the model reads, where it is not the description. */
  readonly prompt?: string | ((context: PromptContext) => string) | undefined;
  /** One line for a person about a call. */
  describe?(input: Args): string;
  validateInput?(input: Args, context: CheckContext): ValidationResult | Promise<ValidationResult>;
  checkPermissions?(input: Args, context: CheckContext): CheckAnswer | Promise<CheckAnswer>;
  /** What the call touches; rules match it. Default: the tool's name. */
  targets?(input: Args, context: CheckContext): readonly Target[];
  /** Short for one path target: read where the call is read-only, else written. */
  getPath?(input: Args): string;
  /**
   * Gives the test whether a rule `name(specifier)` means this call, beside the comparison with its name targets.
   * The specifier is the rule's text between the brackets. A test that throws counts as yes for deny and ask.
   */
  preparePermissionMatcher?(input: Args): (specifier: string) => boolean;
  isReadOnly?(input: Args): boolean;
  isDestructive?(input: Args): boolean;
  isOpenWorld?(input: Args): boolean;
  isConcurrencySafe?(input: Args): boolean;
  requiresUserInteraction?(): boolean;
  /** Default `block`. */
  interruptBehavior?(): "cancel" | "block";
  isEnabled?(): boolean;
  userFacingName?(input: Args): string;
  summary?(input: Args): string;
  activity?(input: Args): string;
  inputsEquivalent?(a: Args, b: Args): boolean;
}

/** What `buildTool` takes: the full contract, everything optional that has a safe default. */
export interface ToolDraft<Form = unknown, Args = JsonObject> extends ToolExtras<Args> {
  /** Letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Form;
  /** Default `custom`. */
  readonly source?: ToolDefinition["source"] | undefined;
  readonly mcpInfo?: ToolDefinition["mcpInfo"] | undefined;
  readonly allowedInPlan?: boolean | undefined;
  readonly allowedByItself?: boolean | undefined;
  /** Keys of the input that only a person's answer sets: what a model or hook writes there is taken out. */
  readonly personKeys?: readonly string[] | undefined;
  call(
    input: Args,
    context: BuiltinContext,
    onProgress: (update: ToolProgress) => void,
  ): unknown | Promise<unknown>;
}

/** What `tool({ … })` takes. */
export interface ToolSpec<Form = unknown, Args = JsonObject> extends ToolExtras<Args> {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly inputSchema: Form;
  execute(args: Args, context: HandlerContext): HandlerResult | Promise<HandlerResult>;
}

/** Which tool something is about. */
export interface ToolRef {
  readonly name: string;
  readonly version: string;
  /** `high` where the level depends on the input. */
  readonly riskLevel: RiskLevel;
}

/** What `tool()` gives back. It is put into `tools`, or into an in-process server. */
export interface Tool<Args = JsonObject> extends ToolRef {
  readonly description: string;
  /** The JSON Schema that the model sees. */
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  readonly ref: ToolRef;
  readonly _meta?: { readonly "anthropic/maxResultSizeChars": number };
  handler(args: Args, context: HandlerContext): HandlerResult | Promise<HandlerResult>;
}

/** Any tool object, whatever its arguments. */
export type AnyTool = Tool<never> | ToolDefinition;
