import { HOOK_EVENTS, PERMISSION_MODES } from "../../protocol/index.ts";
import { isTool } from "../../tools/index.ts";
import {
  anyText,
  type Check,
  flag,
  func,
  isPlainObject,
  methods,
  oneOf,
  record,
  shape,
  text,
  textList,
  wholeNumber,
} from "./checks.ts";
import { address, amount, auth, effort, outputFormat, thinking } from "./model-checks.ts";
import type { Options } from "./types.ts";

const MODES = [...PERMISSION_MODES, "yolo"];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** setTimeout cannot wait longer than this many milliseconds. */
const LONGEST_WAIT = 2_147_483_647;

const mode: Check = (value) => {
  if (value === "bubble") {
    return {
      at: "",
      expected: "a mode that a user may set",
      got: value,
      fix: "Only the runtime uses bubble.",
    };
  }
  if (value === "auto") {
    return {
      at: "",
      expected: "a mode of this release",
      got: value,
      fix: "auto needs a classifier, which is not built yet.",
    };
  }
  return oneOf(MODES)(value);
};

const ruleList: Check = textList;

const toolRules: Check = (value) => {
  if (Array.isArray(value)) {
    const index = value.findIndex((item) => isTool(item));
    if (index >= 0) {
      return {
        at: `[${index}]`,
        expected: "a rule string",
        got: value[index],
        fix: "Put the tool itself in `tools`, and its name here.",
      };
    }
  }
  return textList(value);
};

const tools: Check = (value) => {
  if (isPlainObject(value)) {
    return value.type === "preset" && value.preset === "default"
      ? undefined
      : { at: "", expected: 'a list, or {type: "preset", preset: "default"}', got: value };
  }
  if (!Array.isArray(value)) return { at: "", expected: "a list of names and tools", got: value };
  for (const [index, item] of value.entries()) {
    if (typeof item === "string" ? item.trim() === "" : !isTool(item)) {
      return { at: `[${index}]`, expected: "a tool name, or an object made by tool()", got: item };
    }
  }
  return undefined;
};

const model: Check = (value) => {
  if (typeof value === "string") return text(value);
  if (isPlainObject(value) && "baseURL" in value) return address(value);
  return methods(["stream"], "a model name, or an object with a stream() method")(value);
};

const systemPrompt: Check = (value) => {
  if (typeof value === "string") return undefined;
  if (Array.isArray(value)) {
    const index = value.findIndex((item) => typeof item !== "string");
    return index < 0 ? undefined : { at: `[${index}]`, expected: "a string", got: value[index] };
  }
  return shape(
    { type: oneOf(["preset"]), preset: oneOf(["default"]), append: anyText },
    'a string, a list of strings, or {type: "preset", append?}',
  )(value);
};

const hookList: Check = (value) =>
  Array.isArray(value) ? undefined : { at: "", expected: "a list of {matcher?, hooks}", got: value };

const sessionId: Check = (value) =>
  typeof value === "string" && UUID.test(value) ? undefined : { at: "", expected: "a UUID", got: value };

const envValue: Check = (value) =>
  value === undefined || (typeof value === "string" && !value.includes("\0"))
    ? undefined
    : { at: "", expected: "a string without NUL, or undefined to take the variable away", got: value };

const abortController: Check = (value) =>
  value instanceof AbortController ? undefined : { at: "", expected: "an AbortController", got: value };

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
  includePartialMessages: flag,
  tools,
  allowedTools: toolRules,
  disallowedTools: toolRules,
  permissionMode: mode,
  allowDangerouslySkipPermissions: flag,
  planMode: oneOf(["ceiling", "advisory"]),
  canUseTool: func,
  canUseToolScope: oneOf(["ask", "every-call"]),
  canUseToolTimeoutMs: wholeNumber(1, LONGEST_WAIT),
  additionalDirectories: textList,
  trustWorkspace: flag,
  settings: shape(
    {
      permissions: shape(
        {
          allow: ruleList,
          deny: ruleList,
          ask: ruleList,
          defaultMode: mode,
          additionalDirectories: textList,
        },
        "an object with allow, deny, ask, defaultMode, additionalDirectories",
      ),
    },
    "an object with permissions",
  ),
  hooks: shape(
    Object.fromEntries(HOOK_EVENTS.map((event) => [event, hookList])),
    `an object with ${HOOK_EVENTS.join(", ")}`,
  ),
  cwd: text,
  env: record(envValue, "an object of strings"),
  sessionId,
  resume: text,
  continue: flag,
  persistSession: flag,
  sessionStore: methods(["append", "read", "list", "delete", "close"], "an event store"),
  title: anyText,
  abortController,
  platform: (value) =>
    isPlainObject(value) ? undefined : { at: "", expected: "an object of ports", got: value },
  stderr: func,
  debug: flag,
};
