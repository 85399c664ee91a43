import { aiSdkFault, looksLikeAiSdkModel } from "../../model/index.ts";
import type { Platform } from "../../platform/index.ts";
import { HOOK_EVENTS } from "../../protocol/index.ts";
import { isJsonObject } from "../../schema/index.ts";
import { isTool } from "../../tools/index.ts";
import { approvals } from "./approvals.ts";
import {
  anyText,
  firstFault,
  flag,
  func,
  methods,
  oneOf,
  record,
  shape,
  text,
  textList,
  wholeNumber,
} from "./checks.ts";
import { compaction } from "./compaction-check.ts";
import { type Check, fault, shown } from "./fault.ts";
import { PRESETS } from "./known.ts";
import { mcpServers } from "./mcp-servers.ts";
import { address, amount, auth, effort, outputFormat, thinking } from "./model-checks.ts";
import { compat, managedSettings, mode, ruleObjects, settingSources, settings } from "./settings-checks.ts";
import { toolAliases } from "./tool-aliases.ts";
import { toolList } from "./tool-list.ts";
import type { Options } from "./types.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** setTimeout cannot wait longer than this many milliseconds. */
const LONGEST_WAIT = 2_147_483_647;

const toolRules: Check = (value) => {
  const index = Array.isArray(value) ? value.findIndex((item) => isTool(item)) : -1;
  if (index === -1) return textList(value);
  const fix = "Put the tool itself into `tools`, and its name here.";
  return { at: `[${index}]`, expected: "a rule string", got: "a tool", fix };
};

const model: Check = (value) => {
  if (typeof value === "string") return text(value);
  if (isJsonObject(value) && "baseURL" in value) return address(value);
  if (looksLikeAiSdkModel(value)) {
    const found = aiSdkFault(value);
    if (found === undefined) return undefined;
    const fix = "Take a release of its provider's package for AI SDK 5, 6 or 7.";
    return fault(`${found.expected}, as models of the AI SDK have it`, found.got, `.${found.key}`, fix);
  }
  const what = "a model name, a model of the AI SDK, or an object with id, provider and stream()";
  const port = value as { id?: unknown; provider?: unknown };
  return (
    methods(["stream"], what)(value) ?? inside("id", text(port.id)) ?? inside("provider", text(port.provider))
  );
};

function inside(key: string, found: ReturnType<Check>): ReturnType<Check> {
  return found === undefined ? undefined : { ...found, at: `.${key}${found.at}` };
}

const systemPrompt: Check = (value) => {
  if (typeof value === "string") return undefined;
  if (Array.isArray(value)) return firstFault(value, anyText);
  return shape(
    { type: oneOf(["preset"]), preset: oneOf(PRESETS), append: anyText },
    'a string, a list of strings, or {type: "preset", append?}',
    ["type"],
  )(value);
};

/** What stands in it is checked where it is compiled. */
const eventLists: Check = (value) =>
  isJsonObject(value) ? undefined : fault(`an object with ${HOOK_EVENTS.join(", ")}`, value);

/** The id of a new session. */
export const sessionId: Check = (value) =>
  typeof value === "string" && UUID.test(value) ? undefined : fault("a UUID", value);

const envValue: Check = (value) => {
  if (value === undefined || (typeof value === "string" && !value.includes("\0"))) return undefined;
  // Values of variables are secrets more often than not.
  const got = typeof value === "string" ? "a string with a NUL in it" : shown(value);
  return { at: "", expected: "a string without NUL, or undefined to take the variable away", got };
};

const abortController: Check = (value) => {
  const { signal } = (isJsonObject(value) ? value : {}) as { signal?: Partial<AbortSignal> };
  const isOne = typeof signal?.aborted === "boolean" && typeof signal.addEventListener === "function";
  if (isOne) return undefined;
  const isSignal = typeof (value as Partial<AbortSignal> | null)?.aborted === "boolean";
  return fault(
    "an AbortController",
    value,
    "",
    isSignal ? "Give the controller, not its signal." : undefined,
  );
};

/** Enough to tell a whole file system from a part of one. */
const FILE_CALLS = ["readFile", "writeFile", "open", "openSync", "writeSync", "statSync"];

/** One check for each part, so that none can be forgotten. */
const PLATFORM_CHECKS: { readonly [K in keyof Required<Platform>]: Check } = {
  clock: methods(["now", "monotonic", "timer"], "a clock"),
  ids: methods(["uuid", "short"], "a source of ids"),
  random: func,
  fs: methods(FILE_CALLS, "the parts of node:fs/promises and node:fs that are used"),
  spawn: func,
  http: methods(["request", "close"], "a way to send requests"),
  spawner: func,
  signalGroup: func,
  cores: wholeNumber(1),
  env: record(envValue, "an object of strings"),
  os: text,
  pid: wholeNumber(0),
  homedir: func,
  tmpdir: func,
  cwd: func,
  sha256: func,
};

/** A platform or parts of one: ports of these names only. */
export const platformCheck: Check = shape(PLATFORM_CHECKS, "an object of ports");

const eventStore = methods(["append", "read", "list", "delete", "close"], "an event store");

/** The port of event logs, or a bundle that holds one. */
export const storeCheck: Check = (value) => {
  const { events, append } = (isJsonObject(value) ? value : {}) as { events?: unknown; append?: unknown };
  const isBundle = events !== undefined && append === undefined;
  return isBundle ? inside("events", eventStore(events)) : eventStore(value);
};

/** One check for each option: the whole list of what `Options` may hold. */
export const OPTION_CHECKS: { readonly [K in keyof Required<Options>]: Check } = {
  model,
  fallbackModel: model,
  auth,
  thinking,
  effort,
  outputFormat,
  maxBudgetUsd: amount,
  maxTokensBudget: wholeNumber(1),
  systemPrompt,
  appendSystemPrompt: anyText,
  maxTurns: wholeNumber(1),
  compaction,
  includePartialMessages: flag,
  tools: toolList,
  mcpServers,
  toolAliases,
  allowedTools: toolRules,
  disallowedTools: toolRules,
  permissionMode: mode,
  allowDangerouslySkipPermissions: flag,
  planMode: oneOf(["ceiling", "advisory"]),
  canUseTool: func,
  canUseToolScope: oneOf(["ask", "every-call"]),
  canUseToolTimeoutMs: wholeNumber(1, LONGEST_WAIT),
  approvals,
  additionalDirectories: textList,
  trustWorkspace: flag,
  settingSources,
  settings,
  managedSettings,
  compat,
  permissionRules: ruleObjects,
  hooks: eventLists,
  includeHookEvents: flag,
  cwd: text,
  env: record(envValue, "an object of strings"),
  sessionId,
  resume: text,
  continue: flag,
  forkSession: flag,
  resumeSessionAt: text,
  persistSession: flag,
  sessionStore: storeCheck,
  title: anyText,
  enableFileCheckpointing: flag,
  abortController,
  platform: platformCheck,
  stderr: func,
  debug: flag,
};
