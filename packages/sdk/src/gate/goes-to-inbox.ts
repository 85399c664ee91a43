import type { GateDeps, Judged } from "./types.ts";

/** A PreToolUse hook wants the call to wait. */
export function isDeferred({ prepared }: Judged): boolean {
  return prepared.hooks?.behavior === "defer";
}

/**
 * The question goes to the inbox, and to nobody else. One that an earlier run put there stays there, unless a
 * `canUseTool` can be asked and nobody has decided yet.
 */
export function goesToInbox(judged: Judged, { desk, canUseTool }: GateDeps): boolean | Promise<boolean> {
  if (desk === undefined || judged.decision.behavior !== "ask") return false;
  if (desk.isDurable || isDeferred(judged)) return true;
  const { id } = judged.prepared.call;
  return desk.isAsked(id) && (canUseTool === undefined || desk.isDecided(id));
}
