import type { PermissionUpdate } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import type { Judged } from "./types.ts";

/**
 * What may be remembered of an allow; nothing where the call cannot be undone (`decide()` offers nothing then).
 * Copied: what user code does to it changes nothing.
 */
export function suggestionsOf({ decision }: Judged): PermissionUpdate[] {
  const copied = copyJson(decision.suggestions);
  return copied.ok ? (copied.value as unknown as PermissionUpdate[]) : [];
}
