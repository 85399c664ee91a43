import type { PermissionUpdate } from "../protocol/index.ts";
import { PERMISSION_MODES } from "../protocol/index.ts";

export type ReadUpdates =
  | { readonly ok: true; readonly updates: readonly PermissionUpdate[] }
  | { readonly ok: false; readonly problem: string };

const DESTINATIONS: readonly unknown[] = [
  "session",
  "localSettings",
  "projectSettings",
  "userSettings",
  "cliArg",
];
const BEHAVIORS: readonly unknown[] = ["allow", "deny", "ask"];
const MODES: readonly unknown[] = [...PERMISSION_MODES, "yolo"];

/** Copies a list of permission updates, or says which part of `name` is malformed. Applies nothing. */
export function readUpdates(value: unknown, name: string): ReadUpdates {
  if (!Array.isArray(value)) return { ok: false, problem: `${name} is no list` };
  const updates: PermissionUpdate[] = [];
  for (const [i, item] of value.entries()) {
    const update = readUpdate(item);
    if (typeof update === "string") return { ok: false, problem: `${name}[${i}] ${update}` };
    updates.push(update);
  }
  return { ok: true, updates };
}

/** The update, or what is wrong with it. */
function readUpdate(value: unknown): PermissionUpdate | string {
  if (typeof value !== "object" || value === null) return "is no object";
  const { type, destination, behavior, rules, mode, directories } = value as Record<string, unknown>;
  if (!DESTINATIONS.includes(destination)) return `has no known destination (${DESTINATIONS.join(", ")})`;
  const to = destination as PermissionUpdate["destination"];
  switch (type) {
    case "addRules":
    case "replaceRules":
    case "removeRules": {
      if (!BEHAVIORS.includes(behavior)) return "has a behavior that is none of allow, deny and ask";
      const list = readRules(rules);
      if (typeof list === "string") return list;
      return { type, rules: list, behavior: behavior as "allow", destination: to };
    }
    case "setMode":
      if (!MODES.includes(mode)) return `has no known mode (${MODES.join(", ")})`;
      return { type, mode: mode as "default", destination: to };
    case "addDirectories":
    case "removeDirectories":
      if (!isTextList(directories)) return "has directories that are no list of paths";
      return { type, directories: [...directories], destination: to };
    default:
      return "has no known type (addRules, replaceRules, removeRules, setMode, addDirectories, removeDirectories)";
  }
}

type RuleList = { toolName: string; ruleContent?: string }[];

function readRules(value: unknown): RuleList | string {
  if (!Array.isArray(value)) return "has rules that are no list of { toolName, ruleContent? }";
  const rules: RuleList = [];
  for (const [i, rule] of value.entries()) {
    const { toolName, ruleContent } = (rule ?? {}) as Record<string, unknown>;
    if (typeof toolName !== "string" || toolName === "") return `has no toolName in rules[${i}]`;
    if (ruleContent !== undefined && typeof ruleContent !== "string") {
      return `has a ruleContent in rules[${i}] that is no text`;
    }
    rules.push({ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) });
  }
  return rules;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}
