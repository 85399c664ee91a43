import type {
  PermissionContext,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  RuleBehavior,
  RuleSource,
  SourcedRule,
} from "../protocol/index.ts";
import { normaliseMode } from "./modes.ts";
import { placeOf } from "./policy/finding.ts";
import { isAbsolute } from "./rule/fold.ts";
import { formatRule, parseRule } from "./rule/parse.ts";

export type UpdateResult = { readonly context: PermissionContext } | { readonly error: string };

/** Which source a destination's rules have. */
const SOURCES: ReadonlyMap<string, RuleSource> = new Map<string, RuleSource>([
  ["session", "session"],
  ["cliArg", "cliArg"],
  ["localSettings", "localSettings"],
  ["projectSettings", "projectSettings"],
  ["userSettings", "userSettings"],
]);

/**
 * The context after the updates, in order; all of them or none. The given context stays as it is, and no file is
 * written: those for a settings file count as if they had been read from it.
 *
 * Refused: a destination that does not exist, a rule that cannot be read, a mode that does not
 * exist, `bypassPermissions` where the danger flag was not given, a directory that is not absolute.
 */
export function applyUpdates(context: PermissionContext, updates: readonly PermissionUpdate[]): UpdateResult {
  let current = context;
  for (const update of updates) {
    const result = applyOne(current, update);
    if ("error" in result) return result;
    current = result.context;
  }
  return { context: current };
}

function applyOne(context: PermissionContext, update: PermissionUpdate): UpdateResult {
  const source = SOURCES.get(update.destination);
  if (source === undefined) {
    return {
      error: `${String(update.destination)} is no destination of an update: ${[...SOURCES.keys()].join(", ")}.`,
    };
  }
  switch (update.type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return changeRules(context, update, source);
    case "setMode":
      return changeMode(context, update.mode);
    case "addDirectories":
    case "removeDirectories":
      return changeDirectories(context, update.type === "addDirectories", update.directories, source);
    default:
      return { error: `${JSON.stringify(update)} is no update of permissions.` };
  }
}

function changeRules(
  context: PermissionContext,
  update: Extract<PermissionUpdate, { rules: readonly PermissionRuleValue[] }>,
  source: RuleSource,
): UpdateResult {
  const { behavior, type } = update;
  if (!BEHAVIORS.has(behavior))
    return { error: `${String(behavior)} is no behaviour of a rule: allow, deny or ask.` };
  const texts: string[] = [];
  for (const value of update.rules) {
    const text = formatRule(value);
    const parsed = parseRule(text);
    if ("error" in parsed) return { error: `The rule ${text} cannot be read: ${parsed.error}.` };
    texts.push(formatRule(parsed));
  }
  const isMine = (rule: SourcedRule): boolean => rule.source === source && rule.behavior === behavior;
  const kept = context.rules.filter((rule) => {
    if (!isMine(rule)) return true;
    return type === "addRules" || (type === "removeRules" && !texts.includes(plainText(rule.text)));
  });
  const present = new Set(kept.filter(isMine).map((rule) => plainText(rule.text)));
  // Where only the machine's policy may allow, an allowance is none: whoever gives it is told by the caller.
  const isVoid = behavior === "allow" && context.managedRulesOnly !== undefined;
  const adds = type !== "removeRules" && !isVoid;
  const added = adds ? [...new Set(texts)].filter((text) => !present.has(text)) : [];
  const rules = added.map((text): SourcedRule => ({ text, behavior, source }));
  return { context: { ...context, rules: [...kept, ...rules] } };
}

const BEHAVIORS: ReadonlySet<RuleBehavior> = new Set<RuleBehavior>(["allow", "deny", "ask"]);

/** `Tool(*)` and `Tool` are the same rule. */
function plainText(text: string): string {
  const parsed = parseRule(text);
  return "error" in parsed ? text : formatRule(parsed);
}

function changeMode(context: PermissionContext, name: string): UpdateResult {
  const mode = normaliseMode(name);
  if (mode === undefined) return { error: `${String(name)} is no permission mode.` };
  const { bypassDisabled } = context;
  if (mode === "bypassPermissions" && bypassDisabled !== undefined) {
    return {
      error: `bypassPermissions is disabled by disableBypassPermissionsMode (${placeOf(bypassDisabled)}).`,
    };
  }
  if (mode === "bypassPermissions" && !context.isBypassAvailable) {
    return {
      error: "bypassPermissions needs allowDangerouslySkipPermissions: true at the start of the session.",
    };
  }
  return { context: enterMode(context, mode) };
}

/** Entering plan mode remembers the mode it came from; leaving it forgets that. */
export function enterMode(context: PermissionContext, mode: PermissionMode): PermissionContext {
  if (mode === context.mode) return context;
  const { prePlanMode: _, ...rest } = context;
  return mode === "plan" ? { ...rest, mode, prePlanMode: context.mode } : { ...rest, mode };
}

function changeDirectories(
  context: PermissionContext,
  adds: boolean,
  directories: readonly string[],
  source: RuleSource,
): UpdateResult {
  const next = new Map(context.additionalDirectories);
  for (const directory of directories) {
    if (!isAbsolute(directory)) return { error: `The directory ${directory} is not absolute.` };
    if (adds) next.set(directory, next.get(directory) ?? source);
    else if (next.get(directory) === source) next.delete(directory);
  }
  return { context: { ...context, additionalDirectories: next } };
}
