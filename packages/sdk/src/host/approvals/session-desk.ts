import type { Desk } from "../../approvals/index.ts";
import type { GateDesk } from "../../gate/index.ts";
import type { ApprovalRecord } from "../../protocol/index.ts";
import type { SessionDeskParts } from "./desk-parts.ts";

/** The inbox as one session uses it. */
export interface SessionDesk extends GateDesk {
  /** The session goes on with what an earlier run left: ends what nobody can answer any more. */
  sweep(): Promise<void>;
  /** A message of a person comes: rejects what waits, where the option says so. */
  heard(): Promise<void>;
  /** What the store holds of a question. */
  record(id: string): Promise<ApprovalRecord | undefined>;
  close(): Promise<void>;
}

/** Its code is loaded with the first question, or for a session that has one open. */
export function sessionDesk(parts: SessionDeskParts): SessionDesk {
  const { setting, log } = parts;
  let made: Promise<Desk> | undefined;
  const isAsked = (): boolean => log.state.approvals.size > 0;

  function desk(): Promise<Desk> {
    made ??= import("./make-desk.ts").then(({ makeDesk }) => makeDesk(parts));
    return made;
  }

  return {
    isDurable: setting.mode === "durable",
    ask: async (question, scope) => (await desk()).ask(question, scope),
    moot(callId) {
      if (log.state.approvals.has(callId)) void desk().then((open) => open.moot(callId));
    },
    isAsked: (callId) => log.state.approvals.has(callId),
    async isDecided(callId) {
      const known = log.state.approvals.get(callId);
      if (known === undefined || known.resolved !== undefined) return known !== undefined;
      const decision = await parts.store.decisionOf(known.requested.approvalId);
      return decision !== undefined && decision.ended === undefined;
    },
    async sweep() {
      if (isAsked()) (await desk()).sweep();
    },
    async heard() {
      if (setting.rejectPending && isAsked()) await (await desk()).rejectAll(NEW_MESSAGE);
    },
    record: (id) => parts.store.get(id),
    async close() {
      await (await made)?.close();
    },
  };
}

const NEW_MESSAGE = "The user sent a new message before anybody had decided about this call.";
