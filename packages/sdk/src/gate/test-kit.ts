import { join } from "node:path";
import { compileHooks } from "../hooks/index.ts";
import { contextOf } from "../permissions/test-kit.ts";
import type { Platform } from "../platform/index.ts";
import { nodePlatform } from "../platform/index.ts";
import type {
  CanUseTool,
  EventData,
  HooksOption,
  JsonObject,
  PermissionContext,
  Recorder,
  RuleBehavior,
  RuleSource,
  SessionEventType,
  SourcedRule,
  ToolDefinition,
} from "../protocol/index.ts";
import { createCatalogue } from "../tools/index.ts";
import { scratchWorkspace } from "../workspace/test-kit.ts";
import type { Gate, GateCall, GateDeps, PolicyHolder, Verdict } from "./index.ts";
import { createGate, createPolicyHolder } from "./index.ts";

// For tests: a gate over the real rooms in a directory of its own.

export interface GateKitOptions {
  readonly tools?: readonly ToolDefinition[];
  readonly rules?: Partial<Record<RuleBehavior, readonly string[]>>;
  readonly context?: Partial<PermissionContext>;
  readonly hooks?: HooksOption;
  readonly canUseTool?: CanUseTool;
  readonly deps?: Partial<Pick<GateDeps, "canUseToolScope" | "canUseToolTimeoutMs" | "catalogue">>;
  readonly platform?: Platform;
}

export interface GateKit {
  readonly gate: Gate;
  readonly holder: PolicyHolder;
  readonly deps: GateDeps;
  readonly recorder: Recorder;
  readonly cwd: string;
  readonly events: { readonly type: SessionEventType; readonly data: unknown }[];
  readonly notes: string[];
  of<T extends SessionEventType>(type: T): EventData<T>[];
  ask(name: string, input?: JsonObject, signal?: AbortSignal): Promise<Verdict>;
  remove(): Promise<void>;
}

export async function gateKit(options: GateKitOptions = {}): Promise<GateKit> {
  const platform = options.platform ?? nodePlatform();
  let holder: PolicyHolder | undefined;
  const { cwd, home, workspace, remove } = await scratchWorkspace(platform, () => [
    ...(holder?.current().context.additionalDirectories.keys() ?? []),
  ]);
  const events: GateKit["events"] = [];
  const notes: string[] = [];
  const recorder: Recorder = {
    record: (type, data) => void events.push({ type, data }),
    barrier: async () => {},
  };
  const places = { startDirectory: cwd, startDirectoryReal: cwd, projectRoot: cwd, home };
  const rules = rulesOf(options.rules ?? {});
  const context = contextOf({}, { ...places, rules, ...options.context });
  const policy = createPolicyHolder({ context, recorder, platform });
  holder = policy;
  const deps: GateDeps = {
    catalogue: createCatalogue(options.tools ?? [], {}),
    workspace,
    policy,
    hooks: compileHooks(options.hooks),
    hookInput: () => ({
      session_id: "session",
      transcript_path: join(cwd, "log.jsonl"),
      cwd,
      permission_mode: policy.current().context.mode,
    }),
    canUseTool: options.canUseTool,
    canUseToolScope: "ask",
    services: {},
    platform,
    recorder,
    sessionId: "session",
    notify: (_, message) => void notes.push(message),
    ...options.deps,
  };
  const gate = createGate(deps);
  let count = 0;
  return {
    gate,
    holder: policy,
    deps,
    recorder,
    cwd,
    events,
    notes,
    of: <T extends SessionEventType>(type: T) =>
      events.filter((event) => event.type === type).map((event) => event.data as EventData<T>),
    ask(name, input = {}, signal = new AbortController().signal) {
      count += 1;
      const call: GateCall = { id: `call_${count}`, name, input, assistantMessageId: "msg_1" };
      return gate.authorise(call, { signal });
    },
    remove,
  };
}

function rulesOf(rules: NonNullable<GateKitOptions["rules"]>): SourcedRule[] {
  const source: RuleSource = "cliArg";
  return (["allow", "deny", "ask"] as const).flatMap((behavior) =>
    (rules[behavior] ?? []).map((text, i) => ({ text, behavior, source, file: "test", position: i + 1 })),
  );
}

/** A whole definition, with the safe defaults, that counts its calls in `ran`. */
export function makeTool(
  name: string,
  fields: Partial<ToolDefinition> = {},
): ToolDefinition & { readonly ran: JsonObject[] } {
  const ran: JsonObject[] = [];
  return {
    name,
    aliases: [],
    version: "1.0.0",
    source: "custom",
    inputSchema: { type: "object" },
    parseInput: (value) => ({ ok: true, input: value as JsonObject }),
    description: `The tool ${name}`,
    prompt: () => `The tool ${name}`,
    describe: () => `Runs ${name}`,
    validateInput: () => ({ ok: true }),
    hasCheck: fields.checkPermissions !== undefined,
    checkPermissions: () => ({ behavior: "passthrough" }),
    call(input) {
      ran.push(input);
      return { content: [{ type: "text", text: `${name} done` }] };
    },
    annotations: {},
    isReadOnly: () => false,
    isDestructive: () => false,
    isOpenWorld: () => false,
    requiresUserInteraction: () => false,
    targets: () => [{ kind: "name", value: name }],
    riskLevel: () => "high",
    allowedInPlan: false,
    allowedByItself: false,
    isConcurrencySafe: () => false,
    interruptBehavior: () => "block",
    idempotent: false,
    shouldDefer: false,
    alwaysLoad: false,
    isEnabled: () => true,
    userFacingName: () => name,
    summary: () => name,
    activity: () => name,
    maxResultSizeChars: 50_000,
    inputsEquivalent: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    ...fields,
    ran,
  };
}
