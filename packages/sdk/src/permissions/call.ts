import type {
  CheckAnswer,
  JsonObject,
  ResolvedTarget,
  RiskLevel,
  ToolDefinition,
  ToolPolicy,
} from "../protocol/index.ts";

/** What a decision needs to know about the tool, computed for this very input. */
export interface ToolFacts {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: ToolDefinition["source"];
  /** For tools of MCP servers: the key of the server, and the server's own name of the tool. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** The call changes nothing. Passes the ceiling of plan mode. */
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly openWorld: boolean;
  /** A person must take part in every mode. */
  readonly requiresUser: boolean;
  readonly hasCheck: boolean;
  readonly riskLevel: RiskLevel;
  readonly permissionPolicy?: ToolPolicy | undefined;
  readonly allowedInPlan: boolean;
  readonly allowedByItself: boolean;
  /** The tool's own test whether a rule's specifier means this call. Pure; it may throw. */
  readonly matchesSpecifier?: ((specifier: string) => boolean) | undefined;
}

/** What all PreToolUse hooks together say. */
export interface HookEffect {
  readonly behavior?: "allow" | "deny" | "ask" | "defer" | undefined;
  readonly reason?: string | undefined;
}

/** One call, with everything about it that was looked up before. */
export interface DecideCall {
  readonly tool: ToolFacts;
  /** The validated input, after hooks and checks changed it. */
  readonly input: JsonObject;
  readonly targets: readonly ResolvedTarget[];
  /** The answer of the tool's own check; `failed` says why there is none. */
  readonly check?: CheckAnswer | { readonly failed: string } | undefined;
  readonly hooks?: HookEffect | undefined;
}
