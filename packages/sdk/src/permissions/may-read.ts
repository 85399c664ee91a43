import type { MayRead } from "../protocol/index.ts";
import type { CompiledPolicy } from "./policy/compile.ts";
import { findPath, pathForm } from "./policy/path-index.ts";

/**
 * Whether a path found in a walk may be shown: no Read deny or ask rule names it.
 * Rules on a whole tool play no part.
 *
 * @param now epoch milliseconds; without it rules that expire count as well.
 */
export function mayRead(policy: CompiledPolicy, now: number = Number.NEGATIVE_INFINITY): MayRead {
  const indexes = [policy.deny.read, policy.ask.read].filter((index) => index.all.length > 0);
  if (indexes.length === 0) return () => true;
  return (path) => {
    const form = pathForm(path, true, undefined);
    return indexes.every((index) => findPath(index, form, now) === undefined);
  };
}
