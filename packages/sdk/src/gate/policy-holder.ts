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

interface HolderDeps {
  readonly context: PermissionContext;
  /** Those rules of the context that updates of an earlier run added. */
  readonly granted?: readonly SourcedRule[];
  readonly recorder: Recorder;
  /** Follows the links of directories that are added. */
  readonly platform: Pick<Platform, "fs">;
}

/** The only thing about permissions that changes in a session: which context holds. Every change is logged. */
export function createPolicyHolder(deps: HolderDeps): PolicyHolder {
  return new Holder(deps);
}

class Holder implements PolicyHolder {
  readonly #recorder: Recorder;
  readonly #platform: Pick<Platform, "fs">;
  readonly #given: ReadonlySet<SourcedRule>;
  #now: PolicyNow;
  #listeners: ReadonlySet<() => void> = NOBODY;

  constructor({ context, granted, recorder, platform }: HolderDeps) {
    this.#recorder = recorder;
    this.#platform = platform;
    // Rules of the start's own options are restated by whoever resumes; the log keeps what came later.
    this.#given = ownRules(context.rules, new Set(granted));
    this.#now = { context, policy: compilePolicy(context) };
  }

  current(): PolicyNow {
    return this.#now;
  }

  onChange(listener: () => void): () => void {
    // Most sessions have nobody who listens.
    this.#listeners = new Set(this.#listeners).add(listener);
    return () => {
      const left = new Set(this.#listeners);
      left.delete(listener);
      this.#listeners = left.size === 0 ? NOBODY : left;
    };
  }

  update(updates: readonly PermissionUpdate[], by: string): PolicyChange {
    const applied = applyUpdates(this.#now.context, updates);
    if ("error" in applied) return { ok: false, error: applied.error };
    const forms = realForms(this.#platform, addedDirectories(updates));
    return this.#change(withForms(applied.context, forms), by);
  }

  setMode(mode: string, by: string): PolicyChange {
    return this.update([{ type: "setMode", mode: mode as PermissionMode, destination: "session" }], by);
  }

  leavePlanMode(by: string): PolicyChange {
    const { mode, prePlanMode } = this.#now.context;
    if (mode !== "plan") return { ok: true };
    const back = this.setMode(prePlanMode ?? "default", by);
    if (back.ok) return back;
    // A session that began with the danger flag and is resumed without it must get out of plan mode all the same.
    const instead = this.setMode("default", by);
    const note = `The mode before plan mode was ${prePlanMode}, which cannot be had any more; it is default now. ${back.error}`;
    return instead.ok ? { ok: true, note } : instead;
  }

  #change(next: PermissionContext, by: string): PolicyChange {
    const before = this.#now.context;
    if (next === before) return { ok: true };
    try {
      this.#now = { context: next, policy: compilePolicy(next) };
    } catch (error) {
      if (error instanceof CastellanError) return { ok: false, error: messageOf(error) };
      throw error;
    }
    if (next.rules !== before.rules || next.additionalDirectories !== before.additionalDirectories) {
      const given = this.#given;
      const held = new Set(next.rules);
      const removed = [...given].filter((rule) => !held.has(rule));
      this.#recorder.record("rules.changed", {
        rules: next.rules.filter((rule) => ofSession(rule.source) && !given.has(rule)),
        ...(removed.length === 0 ? {} : { removed }),
        additionalDirectories: [...next.additionalDirectories],
        by,
      });
    }
    if (next.mode !== before.mode) {
      const { mode, prePlanMode } = next;
      this.#recorder.record("mode.changed", {
        mode,
        ...(prePlanMode === undefined ? {} : { prePlanMode }),
        by,
      });
    }
    for (const listener of this.#listeners) listener();
    return { ok: true };
  }
}

const NOBODY: ReadonlySet<() => void> = new Set();

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
