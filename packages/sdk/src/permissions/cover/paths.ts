import type { ResolvedPathTarget } from "../../protocol/index.ts";
import type { Facts } from "../facts/facts.ts";
import { grantingForms } from "../facts/path-forms.ts";
import type { BoundRule } from "../policy/bound-rule.ts";
import { findPath } from "../policy/path-index.ts";

export function isRead(target: ResolvedPathTarget): boolean {
  return target.access !== "write" && target.access !== "remove";
}

/** Known and inside the working directories, in every place that it may mean. */
export function isInside(target: ResolvedPathTarget): boolean {
  if (target.unknown || target.resolutions.length === 0) return false;
  return target.resolutions.every(({ inside, real }) => inside && real !== undefined);
}

/** Inside, and no pattern: what is written there is known by name. */
export function isLiteralInside(target: ResolvedPathTarget): boolean {
  return target.glob !== true && isInside(target);
}

/**
 * The rule that allows the access: every form of every place is named by an Edit rule, or for reads by a
 * Read or Edit rule.
 */
export function grantingRule(facts: Facts, target: ResolvedPathTarget): BoundRule | undefined {
  if (target.unknown || target.glob || target.resolutions.length === 0) return undefined;
  const { edit, onRead, onWrite } = facts.policy.allow;
  const indexes = isRead(target) ? onRead : onWrite;
  if (indexes.every((index) => index.all.length === 0)) return undefined;
  let first: BoundRule | undefined;
  for (const resolution of target.resolutions) {
    const forms = grantingForms(resolution, edit.folded);
    if (forms === undefined) return undefined;
    for (const form of forms) {
      let found: BoundRule | undefined;
      for (const index of indexes) found ??= findPath(index, form, facts.now);
      if (found === undefined) return undefined;
      first ??= found;
    }
  }
  return first;
}
