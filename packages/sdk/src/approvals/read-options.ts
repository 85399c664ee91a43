import type { ApprovalRecord, JsonObject, JsonValue, PermissionUpdate } from "../protocol/index.ts";
import { refused } from "./faults.ts";
import { hashInput, plainInput } from "./hash-input.ts";
import { leavesRedacted } from "./shown-input.ts";
import type { ApproveOptions, DecideOptions } from "./types.ts";

const SHARED = ["by", "note", "inputHash", "signature", "decider"];
const KEYS: Readonly<Record<"approve" | "reject", readonly string[]>> = {
  approve: [...SHARED, "updatedInput", "remember"],
  reject: [...SHARED, "reason"],
};
const TEXTS: ReadonlySet<string> = new Set(["by", "note", "reason", "inputHash", "signature"]);

/**
 * Checks what a decision was given; a misspelt key would quietly drop an edit.
 *
 * @throws `approval_refused`
 */
export function checkOptions(id: string, what: "approve" | "reject", options: unknown): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw refused(id, `the options of ${what}() are no object.`, `Give ${KEYS[what].join(", ")}.`);
  }
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!KEYS[what].includes(key)) {
      throw refused(id, `${what}() knows no option "${key}".`, `It knows ${KEYS[what].join(", ")}.`);
    }
    if (TEXTS.has(key) && typeof value !== "string") {
      throw refused(id, `the option ${key} is ${typeof value}.`, "Give a text.");
    }
    if (key === "decider" && value !== "human" && value !== "auto") {
      throw refused(id, "the option decider is neither human nor auto.", "Give one of them.");
    }
  }
}

/** Who decides, as the log keeps it. */
export function deciderOf({ by, decider = "human" }: DecideOptions): string {
  return by === undefined || by.trim() === "" ? decider : by;
}

/**
 * The edits of an approval.
 *
 * @throws `approval_refused` for what is no JSON object, and for a change of what was redacted
 */
export function editsOf(
  { id, input, redacted }: ApprovalRecord,
  { updatedInput }: ApproveOptions,
): JsonObject | undefined {
  if (updatedInput === undefined) return undefined;
  const isObject = typeof updatedInput === "object" && updatedInput !== null && !Array.isArray(updatedInput);
  const plain = plainInput(updatedInput);
  if (!isObject || (Object.keys(plain).length === 0 && Object.keys(updatedInput).length > 0)) {
    throw refused(id, "updatedInput is no JSON object.", "Give the whole input, or leave it out.");
  }
  if (redacted === undefined || leavesRedacted(plain, input, redacted)) return plain;
  const places = redacted.map((place) => (place.length === 0 ? "all of it" : place.join("."))).join(", ");
  throw refused(
    id,
    `updatedInput changes what was redacted (${places}), which nobody can see here.`,
    "Leave these places as they are shown, approve the call as it is, or reject it with a reason.",
  );
}

const DESTINATIONS: readonly string[] = ["session", "localSettings", "projectSettings", "userSettings"];

/**
 * What an approval remembers: suggestions of its record and nothing else; only the destination may be another.
 *
 * @throws `approval_refused`
 */
export function remembered(
  record: ApprovalRecord,
  { remember }: ApproveOptions,
): readonly PermissionUpdate[] | undefined {
  if (remember === undefined || remember === false) return undefined;
  const { id, suggestions } = record;
  if (suggestions.length === 0) {
    throw refused(id, "nothing about this call can be remembered.", "Approve it without remember.");
  }
  if (remember === true) return suggestions;
  if (typeof remember === "string") {
    if (DESTINATIONS.includes(remember)) {
      return suggestions.map((update) => ({ ...update, destination: remember }));
    }
    throw refused(id, `remember is "${remember}".`, `Give true, or one of ${DESTINATIONS.join(", ")}.`);
  }
  if (!Array.isArray(remember) || remember.length === 0 || !isOffered(remember, suggestions)) {
    throw refused(id, "remember holds what the record does not suggest.", "Give some of its suggestions.");
  }
  return plainUpdates(remember);
}

/** Each of them is one of the suggestions, but for where it is kept. */
export function isOffered(
  updates: readonly PermissionUpdate[],
  suggestions: readonly PermissionUpdate[],
): boolean {
  const offered = new Set(suggestions.map(withoutPlace));
  return updates.every((update) => {
    const { destination } = (update ?? {}) as Partial<PermissionUpdate>;
    return DESTINATIONS.includes(destination ?? "") && offered.has(withoutPlace(update));
  });
}

function withoutPlace(update: PermissionUpdate): string {
  const { destination: _, ...rest } = { ...update };
  return hashInput(plainInput(rest), (text) => text);
}

function plainUpdates(updates: readonly PermissionUpdate[]): readonly PermissionUpdate[] {
  return updates.map((update) => plainInput(update) as JsonValue as unknown as PermissionUpdate);
}
