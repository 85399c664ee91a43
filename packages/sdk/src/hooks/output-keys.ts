import type { HookEvent } from "../protocol/index.ts";
import { foldKey } from "./fold-key.ts";
import { type Fields, Malformed } from "./output-fields.ts";

const TOP_KEYS: readonly string[] = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
  "async",
  "asyncTimeout",
];

const SPECIFIC_KEYS: Readonly<Record<HookEvent, readonly string[]>> = {
  PreToolUse: [
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
  ],
  PermissionRequest: ["hookEventName", "decision"],
  PostToolUse: ["hookEventName", "additionalContext", "updatedToolOutput"],
  PostToolUseFailure: ["hookEventName", "additionalContext"],
  UserPromptSubmit: ["hookEventName", "additionalContext"],
  Stop: ["hookEventName"],
  Notification: ["hookEventName", "additionalContext"],
  PreCompact: ["hookEventName", "additionalContext"],
  PostCompact: ["hookEventName"],
};

const REQUEST_KEYS: readonly string[] = [
  "behavior",
  "updatedInput",
  "updatedPermissions",
  "message",
  "interrupt",
];

/** A misspelt or misplaced one of these would quietly drop a refusal, a rewrite or a stop. */
const WEIGHTY: readonly string[] = [
  "permissionDecision",
  "behavior",
  "updatedInput",
  "updatedPermissions",
  "updatedToolOutput",
  "interrupt",
  "decision",
  "continue",
];
const WEIGHTY_FOLDED: ReadonlySet<string> = new Set(WEIGHTY.map(foldKey));

/** The top-level keys that mean nothing. @throws Malformed for a weighty one */
export function strangeTopKeys(event: HookEvent, output: Fields): string[] {
  return strange(event, output, TOP_KEYS, "");
}

/** The same inside `hookSpecificOutput`. */
export function strangeSpecificKeys(event: HookEvent, specific: Fields): string[] {
  return strange(event, specific, SPECIFIC_KEYS[event], "hookSpecificOutput.");
}

/** The same inside the `decision` of PermissionRequest. */
export function strangeRequestKeys(decision: Fields): string[] {
  return strange("PermissionRequest", decision, REQUEST_KEYS, "hookSpecificOutput.decision.");
}

function strange(event: HookEvent, value: Fields, known: readonly string[], prefix: string): string[] {
  const keys = Object.keys(value).filter((key) => !known.includes(key));
  for (const key of keys) {
    if (!WEIGHTY_FOLDED.has(foldKey(key))) continue;
    const right = WEIGHTY.find((name) => foldKey(name) === foldKey(key)) ?? key;
    const home = homeOf(event, right);
    const hint =
      home === undefined || home === `${prefix}${key}` ? "leave it out" : `"${home}" was probably meant`;
    throw new Malformed(`"${prefix}${key}" means nothing here; ${hint}`);
  }
  return keys.map((key) => `${prefix}${key}`);
}

/** Where a key has its meaning for the event. */
function homeOf(event: HookEvent, key: string): string | undefined {
  if (SPECIFIC_KEYS[event].includes(key)) return `hookSpecificOutput.${key}`;
  if (event === "PermissionRequest" && REQUEST_KEYS.includes(key))
    return `hookSpecificOutput.decision.${key}`;
  return TOP_KEYS.includes(key) ? key : undefined;
}
