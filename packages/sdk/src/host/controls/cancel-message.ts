import { isNamed } from "../../sessions/index.ts";
import { badOption, shown } from "../options/fault.ts";
import type { SessionRun } from "../running/session-run.ts";

/** What a `cancelMessage()` came to. */
export type CancelReceipt =
  /** It waits no more, and is never heard, by a resume neither. */
  | { readonly cancelled: true }
  /** `heard`: too late, its turn has come. `unknown`: no message of that name waits, or was heard. */
  | { readonly cancelled: false; readonly reason: "heard" | "unknown" };

/** Takes a message back that waits. In the very step in which it is called, where this run knows the message. */
export async function cancelMessage(run: SessionRun, uuid: string): Promise<CancelReceipt> {
  if (typeof uuid !== "string" || uuid === "") {
    const must = "It must be the uuid that the message was given with.";
    throw badOption("uuid", `cancelMessage() was given ${shown(uuid)}.`, must);
  }
  const early = run.inbox.cancel(uuid);
  if (early === "cancelled") {
    // A session that cannot be opened hears nothing.
    const open = await run.session.catch(() => undefined);
    await open?.log.barrier();
    return { cancelled: true };
  }
  if (early === "heard") return { cancelled: false, reason: "heard" };
  const { log, sessionId } = await run.session;
  const isLeft = run.inbox.cancel(uuid) === "cancelled";
  await log.barrier();
  if (isLeft) return { cancelled: true };
  const events = await run.store.read(sessionId);
  const isHeard = events.some((event) => event.type === "user.message" && isNamed(event, uuid));
  return { cancelled: false, reason: isHeard ? "heard" : "unknown" };
}
