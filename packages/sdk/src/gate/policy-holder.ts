import { applyUpdates, compilePolicy } from "../permissions/index.ts";
import type {
  PermissionContext,
  PermissionMode,
  PermissionUpdate,
  Recorder,
  SourcedRule,
} from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import type { PolicyChange, PolicyHolder, PolicyNow } from "./types.ts";
import { messageOf } from "./waiting.ts";

/** The only thing about permissions that changes in a session: which context holds. Every change is logged. */
export function createPolicyHolder(deps: {
  readonly context: PermissionContext;
  readonly recorder: Recorder;
}): PolicyHolder {
  // Rules of the start's own options are restated by whoever resumes; the log keeps what came later.
  const given: ReadonlySet<SourcedRule> = new Set(
    deps.context.rules.filter((rule) => rule.source === "cliArg"),
  );
  const givenDirectories = deps.context.additionalDirectories;
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
      deps.recorder.record("rules.changed", {
        rules: next.rules.filter((rule) => ofSession(rule.source) && !given.has(rule)),
        additionalDirectories: [...next.additionalDirectories].filter(
          ([path, source]) =>
            ofSession(source) && (source === "session" || givenDirectories.get(path) !== source),
        ),
        by,
      });
    }
    if (next.mode !== before.mode) {
      const { mode, prePlanMode } = next;
      deps.recorder.record("mode.changed", {
        mode,
        ...(prePlanMode === undefined ? {} : { prePlanMode }),
        by,
      });
    }
    return { ok: true };
  };

  const update = (updates: readonly PermissionUpdate[], by: string): PolicyChange => {
    const applied = applyUpdates(now.context, updates);
    return "error" in applied ? { ok: false, error: applied.error } : change(applied.context, by);
  };
  const setMode = (mode: string, by: string): PolicyChange =>
    update([{ type: "setMode", mode: mode as PermissionMode, destination: "session" }], by);

  return {
    current: () => now,
    update,
    setMode,
    leavePlanMode(by) {
      const { mode, prePlanMode } = now.context;
      return mode === "plan" ? setMode(prePlanMode ?? "default", by) : { ok: true };
    },
  };
}

function ofSession(source: string): boolean {
  return source === "session" || source === "cliArg";
}
