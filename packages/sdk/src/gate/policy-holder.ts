import { applyUpdates, compilePolicy } from "../permissions/index.ts";
import type { Platform } from "../platform/index.ts";
import type {
  PermissionContext,
  PermissionMode,
  PermissionUpdate,
  Recorder,
  SourcedRule,
} from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { realForms } from "../workspace/index.ts";
import type { PolicyChange, PolicyHolder, PolicyNow } from "./types.ts";
import { messageOf } from "./waiting.ts";

/** The only thing about permissions that changes in a session: which context holds. Every change is logged. */
export function createPolicyHolder(deps: {
  readonly context: PermissionContext;
  /** Those rules of the context that updates of an earlier run added. */
  readonly granted?: readonly SourcedRule[];
  readonly recorder: Recorder;
  /** Follows the links of directories that are added. */
  readonly platform: Pick<Platform, "fs">;
}): PolicyHolder {
  const { recorder, platform } = deps;
  // Rules of the start's own options are restated by whoever resumes; the log keeps what came later.
  const given = ownRules(deps.context.rules, new Set(deps.granted));
  let now: PolicyNow = { context: deps.context, policy: compilePolicy(deps.context) };

  const change = (next: PermissionContext, by: string): PolicyChange => {
    const before = now.context;
    if (next === before) return { ok: true };
    try {
      now = { context: next, policy: compilePolicy(next) };
    } catch (error) {
      if (error instanceof CastellanError) return { ok: false, error: messageOf(error) };
      throw error;
    }
    if (next.rules !== before.rules || next.additionalDirectories !== before.additionalDirectories) {
      const held = new Set(next.rules);
      const removed = [...given].filter((rule) => !held.has(rule));
      recorder.record("rules.changed", {
        rules: next.rules.filter((rule) => ofSession(rule.source) && !given.has(rule)),
        ...(removed.length === 0 ? {} : { removed }),
        additionalDirectories: [...next.additionalDirectories],
        by,
      });
    }
    if (next.mode !== before.mode) {
      const { mode, prePlanMode } = next;
      recorder.record("mode.changed", {
        mode,
        ...(prePlanMode === undefined ? {} : { prePlanMode }),
        by,
      });
    }
    return { ok: true };
  };

  const update: PolicyHolder["update"] = (updates, by) => {
    const applied = applyUpdates(now.context, updates);
    if ("error" in applied) return { ok: false, error: applied.error };
    return change(withForms(applied.context, realForms(platform, addedDirectories(updates))), by);
  };
  const setMode = (mode: string, by: string): PolicyChange =>
    update([{ type: "setMode", mode: mode as PermissionMode, destination: "session" }], by);

  return {
    current: () => now,
    update,
    setMode,
    leavePlanMode(by) {
      const { mode, prePlanMode } = now.context;
      if (mode !== "plan") return { ok: true };
      const back = setMode(prePlanMode ?? "default", by);
      if (back.ok) return back;
      // A session that began with the danger flag and is resumed without it must get out of plan mode all the same.
      const instead = setMode("default", by);
      const note = `The mode before plan mode was ${prePlanMode}, which cannot be had any more; it is default now. ${back.error}`;
      return instead.ok ? { ok: true, note } : instead;
    },
  };
}

function ownRules(
  rules: readonly SourcedRule[],
  granted: ReadonlySet<SourcedRule>,
): ReadonlySet<SourcedRule> {
  const own = rules.filter((rule) => rule.source === "cliArg" && !granted.has(rule));
  return own.length === 0 ? NONE : new Set(own);
}

const NONE: ReadonlySet<SourcedRule> = new Set();

/** A directory that is known already keeps the form that it was first seen in. */
function withForms(context: PermissionContext, forms: ReadonlyMap<string, string>): PermissionContext {
  if (forms.size === 0) return context;
  return { ...context, realForms: new Map([...forms, ...(context.realForms ?? [])]) };
}

function addedDirectories(updates: readonly PermissionUpdate[]): readonly string[] {
  return updates.flatMap((update) => (update.type === "addDirectories" ? update.directories : []));
}

function ofSession(source: string): boolean {
  return source === "session" || source === "cliArg";
}
