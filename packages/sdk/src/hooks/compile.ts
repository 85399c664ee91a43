import { parseRule } from "../permissions/index.ts";
import type { HookCallback, HookEvent, HooksOption } from "../protocol/index.ts";
import { CastellanError, HOOK_EVENTS, LATER_HOOK_EVENTS } from "../protocol/index.ts";
import { nearestName } from "../schema/index.ts";
import type { HookSubject, Matcher } from "./matcher.ts";
import { compileMatcher } from "./matcher.ts";

export type OnFailure = "continue" | "ask" | "block";

/** One callback, ready to run. */
export interface CompiledHook {
  readonly event: HookEvent;
  /** Where it was given: `hooks.PreToolUse[0].hooks[1]`. */
  readonly place: string;
  readonly callback: HookCallback;
  readonly timeoutMs: number;
  readonly onFailure: OnFailure;
  /** A permission rule that the call must fall under. */
  readonly condition?: string;
  /** The call falls under the condition in part only: an allow of this hook does not count. */
  readonly isPartial?: true;
}

export interface HookTable {
  /** False where the option names no callback for the event: nothing is built for it then. */
  has(event: HookEvent): boolean;
  /** The hooks that match, in the order in which they were given. Remembered by tool name. */
  matching(event: HookEvent, subject: HookSubject): readonly CompiledHook[];
  /** The hooks of an event that is about no tool call. */
  all(event: HookEvent): readonly CompiledHook[];
}

const DEFAULT_TIMEOUT_SECONDS = 60;
// The longest delay that a timer takes, in seconds.
const MAX_TIMEOUT_SECONDS = 2_147_483;
const MATCHER_KEYS = ["matcher", "if", "hooks", "timeout", "onFailure"] as const;
/** What a failing hook may mean; the first is the default. */
const FAILURES: Readonly<Record<HookEvent, readonly OnFailure[]>> = {
  PreToolUse: ["ask", "block", "continue"],
  PermissionRequest: ["ask", "block", "continue"],
  PostToolUse: ["continue", "block"],
  PostToolUseFailure: ["continue"],
  UserPromptSubmit: ["continue", "block"],
  Stop: ["continue", "block"],
  Notification: ["continue"],
  PreCompact: ["continue", "block"],
  PostCompact: ["continue"],
};
const WITHOUT_TOOL: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "UserPromptSubmit",
  "Stop",
  "Notification",
  "PreCompact",
  "PostCompact",
]);

interface Entry {
  readonly matches: Matcher;
  readonly hooks: readonly CompiledHook[];
}

/**
 * Compiles the `hooks` option.
 *
 * @throws CastellanError `invalid_option`, naming the place, what is wrong there, and the fix.
 */
export function compileHooks(option: HooksOption | undefined): HookTable {
  const entries = new Map<HookEvent, readonly Entry[]>();
  if (option !== undefined) {
    for (const [event, list] of Object.entries(asObject(option, "hooks", "an object of events"))) {
      if (list === undefined) continue;
      const known = HOOK_EVENTS.find((name) => name === event);
      if (known === undefined) {
        throw unknownEvent(event);
      }
      if (!Array.isArray(list)) {
        throw bad(`hooks.${event}`, "is no list", "Give a list of { matcher, hooks: [callback] }.");
      }
      const compiled = list.map((item, i) => compileEntry(known, item, `hooks.${event}[${i}]`));
      if (compiled.some((entry) => entry.hooks.length > 0)) entries.set(known, compiled);
    }
  }
  return tableOf(entries);
}

/** That of every session without hooks. */
const NO_HOOKS: HookTable = { has: () => false, matching: () => NONE, all: () => NONE };
const NONE: readonly CompiledHook[] = [];

function tableOf(entries: ReadonlyMap<HookEvent, readonly Entry[]>): HookTable {
  if (entries.size === 0) return NO_HOOKS;
  const found = new Map<HookEvent, Map<string, readonly CompiledHook[]>>();
  return {
    has: (event) => entries.has(event),
    matching(event, subject) {
      const known = found.get(event) ?? new Map<string, readonly CompiledHook[]>();
      found.set(event, known);
      let hooks = known.get(subject.name);
      if (hooks === undefined) {
        hooks = (entries.get(event) ?? []).flatMap((entry) => (entry.matches(subject) ? entry.hooks : []));
        known.set(subject.name, hooks);
      }
      return hooks;
    },
    all: (event) => (entries.get(event) ?? []).flatMap((entry) => entry.hooks),
  };
}

/** The error for a name that is no event of this release. */
export function unknownEvent(event: string): CastellanError {
  if (LATER_HOOK_EVENTS.includes(event)) {
    const fix = `Leave it out; this release fires ${HOOK_EVENTS.join(", ")}.`;
    return bad(`hooks.${event}`, "is known, but this release does not fire the event", fix);
  }
  return bad(`hooks.${event}`, "is no hook event", nearestFix(event, HOOK_EVENTS));
}

function compileEntry(event: HookEvent, value: unknown, place: string): Entry {
  const entry = asObject(value, place, "an object { matcher, hooks: [callback] }");
  for (const key of Object.keys(entry)) {
    if (!MATCHER_KEYS.some((known) => known === key)) {
      throw bad(`${place}.${key}`, "is not known", nearestFix(key, MATCHER_KEYS));
    }
  }
  const condition = readCondition(event, entry.if, `${place}.if`);
  return {
    matches: readMatcher(event, entry.matcher, `${place}.matcher`),
    hooks: readCallbacks(entry.hooks, place).map((callback, i) => ({
      event,
      place: `${place}.hooks[${i}]`,
      callback,
      timeoutMs: readTimeout(entry.timeout, `${place}.timeout`),
      onFailure: readOnFailure(event, entry.onFailure, `${place}.onFailure`),
      ...(condition === undefined ? {} : { condition }),
    })),
  };
}

function readCondition(event: HookEvent, value: unknown, place: string): string | undefined {
  if (value === undefined) return undefined;
  if (WITHOUT_TOOL.has(event))
    throw bad(place, `is ${describe(value)}`, `${event} is about no tool: remove it.`);
  if (typeof value !== "string") {
    throw bad(place, `is ${describe(value)}`, 'Give a permission rule such as "Bash(git *)".');
  }
  const rule = parseRule(value);
  if ("error" in rule) {
    throw bad(place, `is "${value}": ${rule.error}`, 'Give a permission rule such as "Bash(git *)".');
  }
  return value;
}

function readMatcher(event: HookEvent, value: unknown, place: string): Matcher {
  if (value !== undefined && typeof value !== "string") {
    throw bad(place, `is ${describe(value)}`, 'Give a text such as "Edit|Write", or leave it out for all.');
  }
  if (WITHOUT_TOOL.has(event) && value !== undefined && value !== "" && value !== "*") {
    throw bad(place, `is "${value}"`, `${event} is about no tool: leave the matcher out.`);
  }
  const compiled = compileMatcher(value);
  if (!compiled.ok) {
    throw bad(place, `is "${value}": ${compiled.problem}`, 'Write names as "Edit|Write", or a RE2 pattern.');
  }
  return compiled.matches;
}

function readCallbacks(value: unknown, place: string): readonly HookCallback[] {
  if (!Array.isArray(value)) {
    throw bad(`${place}.hooks`, `is ${describe(value)}`, "Give a list of functions.");
  }
  for (const [i, callback] of value.entries()) {
    if (typeof callback !== "function") {
      throw bad(
        `${place}.hooks[${i}]`,
        `is ${describe(callback)}`,
        "Give a function (input, toolUseId, { signal }).",
      );
    }
  }
  return value as HookCallback[];
}

function readTimeout(value: unknown, place: string): number {
  const seconds = value ?? DEFAULT_TIMEOUT_SECONDS;
  if (typeof seconds !== "number" || !(seconds > 0) || seconds > MAX_TIMEOUT_SECONDS) {
    throw bad(place, `is ${describe(value)}`, "Give seconds: a number above 0, or leave it out for 60.");
  }
  return seconds * 1000;
}

function readOnFailure(event: HookEvent, value: unknown, place: string): OnFailure {
  const allowed = FAILURES[event];
  if (value === undefined) return allowed[0] ?? "block";
  const known = allowed.find((name) => name === value);
  if (known === undefined) {
    throw bad(
      place,
      `is ${describe(value)}`,
      `For ${event} give ${allowed.map((n) => `"${n}"`).join(" or ")}.`,
    );
  }
  return known;
}

function asObject(value: unknown, place: string, want: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw bad(place, `is ${describe(value)}`, `Give ${want}.`);
  }
  return value as Record<string, unknown>;
}

function nearestFix(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${near}"?`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : `of type ${typeof value}`;
}

function bad(place: string, problem: string, fix: string): CastellanError {
  return new CastellanError("invalid_option", `Option ${place} ${problem}.`, { subject: place, fix });
}
