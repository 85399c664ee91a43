import { foldKey } from "../hooks/index.ts";
import { readUpdates } from "../permissions/index.ts";
import type { JsonObject, PermissionUpdate } from "../protocol/index.ts";
import { copyJson, jsonEqual } from "../schema/index.ts";
import { messageOf } from "./waiting.ts";

export type Answer =
  | {
      readonly kind: "allow";
      /** Only where it differs from the input that was asked about. */
      readonly updatedInput?: JsonObject;
      readonly updates: readonly PermissionUpdate[];
    }
  | { readonly kind: "deny"; readonly message: string; readonly interrupt: boolean }
  /** No well-formed answer: the call is denied, and `problem` says why. */
  | { readonly kind: "bad"; readonly problem: string; readonly interrupt?: true };

const MUST = 'it must return { behavior: "allow" } or { behavior: "deny", message }';
const ALLOW_KEYS: readonly string[] = ["behavior", "updatedInput", "updatedPermissions"];

/** Reads what `canUseTool` answered about `asked`. Objects of classes are read like plain ones. Never throws. */
export function readAnswer(value: unknown, asked: JsonObject): Answer {
  try {
    return read(value, asked);
  } catch (error) {
    return { kind: "bad", problem: `reading its answer threw: ${messageOf(error)}` };
  }
}

function read(value: unknown, asked: JsonObject): Answer {
  if (value === undefined || value === null) return bad(`it returned ${value}; ${MUST}`);
  if (typeof value !== "object" || Array.isArray(value)) {
    const kind = Array.isArray(value) ? "a list" : `a ${typeof value} (${String(value).slice(0, 40)})`;
    return bad(`it returned ${kind}; ${MUST}`);
  }
  const answer = value as Record<string, unknown>;
  const { behavior } = answer;
  if (behavior === "deny") return readDeny(answer);
  if (behavior === "allow") return readAllow(answer, asked);
  if (behavior === undefined) return bad(`it returned an object without "behavior"; ${MUST}`);
  return bad(`it returned the behavior ${JSON.stringify(behavior) ?? typeof behavior}; ${MUST}`);
}

function readDeny(answer: Record<string, unknown>): Answer {
  const { message, interrupt } = answer;
  if (typeof message !== "string" || message.trim() === "") {
    const without = bad('it denied without a "message"; the model needs a text that says why');
    return interrupt === true ? { ...without, interrupt } : without;
  }
  if (interrupt !== undefined && interrupt !== null && typeof interrupt !== "boolean") {
    return bad(`it denied ("${message}") with an "interrupt" that is neither true nor false`);
  }
  return { kind: "deny", message, interrupt: interrupt === true };
}

function readAllow(answer: Record<string, unknown>, asked: JsonObject): Answer {
  // A misspelt `updated_input` would quietly run the call as it was.
  for (const key of Object.keys(answer)) {
    const meant = ALLOW_KEYS.find((known) => foldKey(known) === foldKey(key));
    if (meant !== undefined && meant !== key)
      return bad(`it returned the key "${key}"; "${meant}" was meant`);
  }
  const { updatedInput, updatedPermissions } = answer;
  const updates =
    updatedPermissions === undefined
      ? { ok: true as const, updates: [] }
      : readUpdates(updatedPermissions, "updatedPermissions");
  if (!updates.ok) return bad(updates.problem);
  const allow = { kind: "allow", updates: updates.updates } as const;
  if (updatedInput === undefined || jsonEqual(updatedInput, asked)) return allow;
  if (typeof updatedInput !== "object" || updatedInput === null || Array.isArray(updatedInput)) {
    return bad('its "updatedInput" is no object; give the whole input, or leave it out');
  }
  const copied = copyJson(updatedInput);
  if (!copied.ok) return bad(`its "updatedInput" is no JSON: ${copied.problem}`);
  return { ...allow, updatedInput: copied.value as JsonObject };
}

function bad(problem: string): Extract<Answer, { kind: "bad" }> {
  return { kind: "bad", problem };
}
