import type { AskScope, Desk, Question, Ruling } from "../../approvals/index.ts";
import type { GateDesk } from "../../gate/index.ts";
import type { ApprovalEnd, ApprovalRecord, JsonObject } from "../../protocol/index.ts";
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
  return new LazyDesk(parts);
}

class LazyDesk implements SessionDesk {
  readonly isDurable: boolean;
  readonly #parts: SessionDeskParts;
  #made: Promise<Desk> | undefined;

  constructor(parts: SessionDeskParts) {
    this.isDurable = parts.setting.mode === "durable";
    this.#parts = parts;
  }

  async ask(question: Question, scope: AskScope): Promise<Ruling> {
    const desk = await this.#desk();
    return desk.ask(question, scope);
  }

  moot(callId: string, why: ApprovalEnd): void {
    // At once: the call's result takes the question out of the state.
    const { requested, resolved } = this.#parts.log.state.approvals.get(callId) ?? {};
    if (requested === undefined || resolved !== undefined) return;
    void this.#desk().then((open) => open.end(requested, why), NOTHING);
  }

  async isRuled(callId: string, input: JsonObject): Promise<boolean> {
    return this.isAsked(callId) && (await this.#desk()).isRuled(callId, input);
  }

  settle(callId: string): void {
    void this.#desk().then((open) => open.settle(callId), NOTHING);
  }

  isAsked(callId: string): boolean {
    return this.#parts.log.state.approvals.has(callId);
  }

  async isDecided(callId: string): Promise<boolean> {
    const { log, store } = this.#parts;
    const known = log.state.approvals.get(callId);
    if (known === undefined || known.resolved !== undefined) return known !== undefined;
    const decision = await store.decisionOf(known.requested.approvalId);
    return decision !== undefined && decision.ended === undefined;
  }

  async sweep(): Promise<void> {
    if (this.#hasAny()) (await this.#desk()).sweep();
  }

  async heard(): Promise<void> {
    if (this.#parts.setting.rejectPending && this.#hasAny())
      await (await this.#desk()).rejectAll(NEW_MESSAGE);
  }

  record(id: string): Promise<ApprovalRecord | undefined> {
    return this.#parts.store.get(id);
  }

  async close(): Promise<void> {
    // What could not be loaded has nothing to close.
    await (await this.#made?.catch(NOTHING))?.close();
  }

  #hasAny(): boolean {
    return this.#parts.log.state.approvals.size > 0;
  }

  #desk(): Promise<Desk> {
    this.#made ??= import("./make-desk.ts").then(({ makeDesk }) => makeDesk(this.#parts));
    return this.#made;
  }
}

const NOTHING = (): undefined => undefined;
const NEW_MESSAGE = "The user sent a new message before anybody had decided about this call.";
