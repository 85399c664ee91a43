import type { EventData, PermissionMode, RuleSource, SourcedRule } from "../protocol/index.ts";
import type { SessionState } from "./state.ts";

/** What a copy records at its end, so that it may do no more than its original. */
export interface ForkPermissions {
  readonly configured?: EventData<"session.configured">;
  readonly rules?: EventData<"rules.changed">;
  readonly mode?: EventData<"mode.changed">;
}

type Directory = readonly [path: string, source: RuleSource];

/**
 * The permissions of a fork that is cut behind `cut`, out of an original that has come to `end`. Whatever either of them
 * forbids or asks about stays; what is allowed must be allowed in both. Without `keepGrants` nothing that the session
 * was granted on its way comes along at all.
 */
export function forkPermissions(cut: SessionState, end: SessionState, keepGrants: boolean): ForkPermissions {
  const configured = configuredOf(cut, end, keepGrants);
  const rules = rulesOf(cut, end, keepGrants, configured !== undefined);
  const mode = modeOf(cut, end);
  // A new configuration would take the way back out of plan mode with it.
  const isModeNew =
    mode.mode !== cut.mode || mode.prePlanMode !== cut.prePlanMode || configured !== undefined;
  const asBefore =
    configured === undefined &&
    isSameList(rules.rules, cut.sessionRules) &&
    isSameList(rules.removed ?? [], cut.removedRules) &&
    isSameList(rules.additionalDirectories, cut.additionalDirectories);
  return {
    ...(configured === undefined ? {} : { configured: { ...configured, mode: mode.mode } }),
    ...(asBefore ? {} : { rules }),
    ...(isModeNew ? { mode } : {}),
  };
}

/** Undefined where both ran under the same one. */
function configuredOf(
  cut: SessionState,
  end: SessionState,
  keepGrants: boolean,
): EventData<"session.configured"> | undefined {
  const [first, last] = [cut.configured ?? end.configured, end.configured];
  if (first === undefined || last === undefined || cut.configured === last) return undefined;
  const [held, heldAtEnd] = [inForce(first.rules, cut), inForce(last.rules, end)];
  const [forbids, forbidsAtEnd] = keepGrants ? [held, heldAtEnd] : [first.rules, last.rules];
  return {
    ...first,
    model: cut.model ?? first.model,
    rules: [...both(held.filter(allows), heldAtEnd), ...either(forbids, forbidsAtEnd, tightens)],
    additionalDirectories: sharedPaths(first.additionalDirectories, last.additionalDirectories),
  };
}

function rulesOf(
  cut: SessionState,
  end: SessionState,
  keepGrants: boolean,
  isReconfigured: boolean,
): EventData<"rules.changed"> {
  const granted = keepGrants ? both(cut.sessionRules.filter(allows), end.sessionRules) : [];
  const lifted = keepGrants ? both(cut.removedRules.filter(tightens), end.removedRules) : [];
  // The removal of an allow rule is none of a grant: it stays, and is part of a new configuration already.
  const removed = isReconfigured ? [] : [...lifted, ...either(cut.removedRules, end.removedRules, allows)];
  const shared = sharedPaths(cut.additionalDirectories, end.additionalDirectories);
  const given = new Set(cut.configured?.additionalDirectories.map(([path]) => path));
  return {
    rules: [...granted, ...either(cut.sessionRules, end.sessionRules, tightens)],
    ...(removed.length === 0 ? {} : { removed }),
    additionalDirectories: keepGrants
      ? shared
      : shared.filter(([path, source]) => source !== "session" && given.has(path)),
    by: "fork",
  };
}

/** From loose to strict. plan and dontAsk are each stricter than the other somewhere. */
const STRICTNESS: readonly PermissionMode[] = ["bypassPermissions", "acceptEdits", "default", "dontAsk"];

/** Plan mode where either is in it: then nothing runs unasked that the other would refuse. */
function modeOf(cut: SessionState, end: SessionState): EventData<"mode.changed"> {
  if (cut.mode === end.mode && cut.prePlanMode === end.prePlanMode) {
    const { mode, prePlanMode } = cut;
    return { mode, ...(prePlanMode === undefined ? {} : { prePlanMode }), by: "fork" };
  }
  const plain = stricter(outsidePlan(cut), outsidePlan(end));
  if (cut.mode !== "plan" && end.mode !== "plan") return { mode: plain, by: "fork" };
  return { mode: "plan", prePlanMode: plain, by: "fork" };
}

function outsidePlan({ mode, prePlanMode }: SessionState): PermissionMode {
  return mode === "plan" ? (prePlanMode ?? "default") : mode;
}

/** One that nobody knows is a later release's, and denies here whatever would be asked about: none is stricter. */
function stricter(a: PermissionMode, b: PermissionMode): PermissionMode {
  const rank = (mode: PermissionMode): number => {
    const at = STRICTNESS.indexOf(mode);
    return at === -1 ? STRICTNESS.length : at;
  };
  return rank(a) >= rank(b) ? a : b;
}

const allows = (rule: SourcedRule): boolean => rule.behavior === "allow";
const tightens = (rule: SourcedRule): boolean => rule.behavior !== "allow";

const keyOf = ({ behavior, source, file, text }: SourcedRule): string =>
  JSON.stringify([behavior, source, file ?? null, text]);

function inForce(rules: readonly SourcedRule[], { removedRules }: SessionState): readonly SourcedRule[] {
  const gone = new Set(removedRules.map(keyOf));
  return rules.filter((rule) => !gone.has(keyOf(rule)));
}

function both(some: readonly SourcedRule[], others: readonly SourcedRule[]): readonly SourcedRule[] {
  const known = new Set(others.map(keyOf));
  return some.filter((rule) => known.has(keyOf(rule)));
}

function either(
  some: readonly SourcedRule[],
  others: readonly SourcedRule[],
  counts: (rule: SourcedRule) => boolean,
): readonly SourcedRule[] {
  const known = new Set(some.map(keyOf));
  return [...some, ...others.filter((rule) => !known.has(keyOf(rule)))].filter(counts);
}

function sharedPaths(some: readonly Directory[], others: readonly Directory[]): readonly Directory[] {
  const known = new Set(others.map(([path]) => path));
  return some.filter(([path]) => known.has(path));
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
