import { claimSession } from "../claims.ts";
import { text } from "../options/checks.ts";
import { checkArgument } from "./check-argument.ts";
import type { SessionsHost } from "./sessions-host.ts";

/** See `Sessions.delete`. */
export async function deleteSession({ store, ports }: SessionsHost, sessionId: string): Promise<boolean> {
  checkArgument("deleteSession", "sessionId", sessionId, text);
  // The store refuses where another process is at it.
  const unclaim = claimSession(store, sessionId);
  try {
    const { approvals, wakes } = ports;
    for (const { id } of (await approvals?.list({ sessionId, skipped: () => {} })) ?? []) {
      await approvals?.remove(id);
    }
    const isGone = await store.delete(sessionId);
    // Behind the log: without it a timer that is left wakes nobody, and goes with the next look.
    for (const { id } of (await wakes?.list(sessionId)) ?? []) await wakes?.remove(id);
    return isGone;
  } finally {
    unclaim();
  }
}
