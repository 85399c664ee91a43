import type { HookEvent, JsonObject, JsonValue } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import { foldKey } from "./fold-key.ts";

/** What one hook said, in one form for both spellings. */
export interface HookAnswer {
  readonly behavior?: "allow" | "deny" | "ask";
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  readonly updatedOutput?: { readonly value: JsonValue };
  readonly context?: string;
  readonly block?: true;
  readonly stop?: { readonly reason: string };
  readonly systemMessage?: string;
  /** Keys that mean nothing here. */
  readonly warnings: readonly string[];
}

export type ReadOutput =
  | { readonly ok: true; readonly answer: HookAnswer }
  | { readonly ok: false; readonly problem: string };

const TOP_KEYS: readonly string[] = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
];
const SPECIFIC_KEYS: Readonly<Record<HookEvent, readonly string[]>> = {
  PreToolUse: [
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
  ],
  PostToolUse: ["hookEventName", "additionalContext", "updatedToolOutput"],
};
// A misspelt or misplaced one of these would quietly drop a refusal or a rewrite.
const WEIGHTY: readonly string[] = [
  "permissionDecision",
  "updatedInput",
  "updatedToolOutput",
  "decision",
  "continue",
];
const WEIGHTY_FOLDED: ReadonlySet<string> = new Set(WEIGHTY.map(foldKey));

class Malformed extends Error {}

/** Reads what a callback returned. Anything but a well-formed answer is a problem, never an allow. */
export function readOutput(event: HookEvent, output: unknown): ReadOutput {
  try {
    return { ok: true, answer: read(event, output) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    const why = errorText(error);
    return { ok: false, problem: `reading its output threw: ${why}` };
  }
}

function read(event: HookEvent, output: unknown): HookAnswer {
  if (!isObject(output)) {
    throw new Malformed(`it returned ${describe(output)}; return an object, {} for no opinion`);
  }
  const warnings = strangeKeys(output, TOP_KEYS, "");
  const specific = readSpecific(event, output.hookSpecificOutput);
  if (specific !== undefined)
    warnings.push(...strangeKeys(specific, SPECIFIC_KEYS[event], "hookSpecificOutput."));

  optional(output, "suppressOutput", "boolean");
  const going = optional(output, "continue", "boolean");
  const stopReason = optional(output, "stopReason", "string");
  const systemMessage = optional(output, "systemMessage", "string");
  const reason = optional(output, "reason", "string");
  const context = optional(specific ?? {}, "additionalContext", "string");
  const decision = output.decision;
  if (decision !== undefined && decision !== "approve" && decision !== "block") {
    throw new Malformed(`"decision" is ${describe(decision)}; give "approve" or "block"`);
  }
  return {
    ...(event === "PreToolUse"
      ? preAnswer(specific ?? {}, decision, reason)
      : postAnswer(specific ?? {}, decision, reason)),
    ...(context === undefined || context === "" ? {} : { context }),
    ...(going === false ? { stop: { reason: stopReason ?? "A hook ended the run." } } : {}),
    ...(systemMessage === undefined ? {} : { systemMessage }),
    warnings,
  };
}

function readSpecific(event: HookEvent, value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw new Malformed(`"hookSpecificOutput" is ${describe(value)}; give an object`);
  if (value.hookEventName !== event) {
    const name = describe(value.hookEventName);
    throw new Malformed(`"hookSpecificOutput.hookEventName" is ${name}; give "${event}"`);
  }
  return value;
}

type Opinion = Pick<HookAnswer, "behavior" | "reason" | "updatedInput" | "updatedOutput" | "block">;

function preAnswer(
  specific: Record<string, unknown>,
  decision: "approve" | "block" | undefined,
  topReason: string | undefined,
): Opinion {
  const said = specific.permissionDecision;
  if (said === "defer") {
    throw new Malformed('"permissionDecision" is "defer", which needs durable approvals; give "ask"');
  }
  if (said !== undefined && said !== "allow" && said !== "deny" && said !== "ask") {
    throw new Malformed(`"permissionDecision" is ${describe(said)}; give "allow", "deny" or "ask"`);
  }
  const older = decision === undefined ? undefined : decision === "block" ? "deny" : "allow";
  const behavior = [said, older].includes("deny") ? "deny" : (said ?? older);
  const reason = optional(specific, "permissionDecisionReason", "string") ?? topReason;
  const rewrite = specific.updatedInput;
  return {
    ...(behavior === undefined ? {} : { behavior }),
    ...(reason === undefined ? {} : { reason }),
    ...(rewrite === undefined ? {} : { updatedInput: asJsonObject(rewrite) }),
  };
}

function postAnswer(
  specific: Record<string, unknown>,
  decision: "approve" | "block" | undefined,
  reason: string | undefined,
): Opinion {
  const update = specific.updatedToolOutput;
  const copied = update === undefined ? undefined : copyJson(update);
  if (copied?.ok === false) throw new Malformed(`"updatedToolOutput" is no JSON: ${copied.problem}`);
  return {
    ...(copied === undefined ? {} : { updatedOutput: { value: copied.value } }),
    ...(decision === "block" ? { block: true } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

function asJsonObject(value: unknown): JsonObject {
  if (!isObject(value))
    throw new Malformed(`"updatedInput" is ${describe(value)}; give the whole input object`);
  const copied = copyJson(value);
  if (!copied.ok) throw new Malformed(`"updatedInput" is no JSON: ${copied.problem}`);
  return copied.value as JsonObject;
}

function strangeKeys(value: Record<string, unknown>, known: readonly string[], prefix: string): string[] {
  const strange = Object.keys(value).filter((key) => !known.includes(key));
  for (const key of strange) {
    if (!WEIGHTY_FOLDED.has(foldKey(key))) continue;
    const right = WEIGHTY.find((name) => foldKey(name) === foldKey(key)) ?? key;
    const home = TOP_KEYS.includes(right) ? right : `hookSpecificOutput.${right}`;
    const hint = home === `${prefix}${key}` ? "leave it out" : `"${home}" was probably meant`;
    throw new Malformed(`"${prefix}${key}" means nothing here; ${hint}`);
  }
  return strange.map((key) => `${prefix}${key}`);
}

interface Kinds {
  readonly boolean: boolean;
  readonly string: string;
}

function optional<K extends keyof Kinds>(
  from: Record<string, unknown>,
  key: string,
  kind: K,
): Kinds[K] | undefined {
  const value = from[key];
  if (value === undefined) return undefined;
  if (typeof value !== kind) throw new Malformed(`"${key}" is ${describe(value)}; give a ${kind}`);
  return value as Kinds[K];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
