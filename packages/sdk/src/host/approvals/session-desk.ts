import type { Desk } from "../../approvals/index.ts";
import type { GateDesk } from "../../gate/index.ts";
import type { LoopHooks } from "../../loop/index.ts";
import type { ApprovalRecord, ApprovalStore } from "../../protocol/index.ts";
import type { SessionLog } from "../../sessions/index.ts";
import type { ApprovalsSetting } from "../options/approvals.ts";
import type { Teller } from "../running/teller.ts";
import type { Shared } from "../shared.ts";

export interface SessionDeskParts {
  readonly shared: Shared;
  readonly store: ApprovalStore;
  readonly setting: ApprovalsSetting;
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly hooks: LoopHooks;
  readonly teller: Teller;
}

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
