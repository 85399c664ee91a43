import type { ApprovalDecision, ApprovalEnd, EventData } from "../protocol/index.ts";
import { ring } from "./bell.ts";
import type { AskScope, Desk, DeskParts, Question, Ruling } from "./desk-types.ts";
import { endedDecision } from "./ends.ts";
import { hashInput, plainInput } from "./hash-input.ts";
import { isOffered } from "./read-options.ts";
import { recordOf, requestOf } from "./record-of.ts";
import { resolvedOf, rulingOf, standing } from "./resolve.ts";
import { createTakeBack } from "./take-back.ts";
import { createWaits } from "./waits.ts";

type Requested = EventData<"approval.requested">;

/** Makes the session's side of the inbox: it puts questions there, and takes decisions in. */
export function createDesk(parts: DeskParts): Desk {
  const { store, platform, log } = parts;
  const { clock, sha256 } = platform;
  const atWork = new Set<Promise<void>>();
  const track = (work: Promise<unknown>): void => {
    const job = work.then(NOTHING, NOTHING).then(() => void atWork.delete(job));
    atWork.add(job);
  };
  const { takeBack, recordEnd, drop } = createTakeBack({ store, clock, log }, track);
  /** Calls that were settled while their question was on its way into the inbox. */
  const early = new Set<string>();
  const waits = createWaits(store, clock, (requested) => decidedOr(requested, "expired"));

  /** Never rejects: it is over, whether the store can be told now or not. Whoever decided before has decided. */
  async function decidedOr(requested: Requested, why: ApprovalEnd): Promise<ApprovalDecision> {
    const first = await takeBack(requested, why).catch(NOTHING);
    return first ?? endedDecision(why, clock.now());
  }

  /** The question as it stands in log and store before anybody is told. */
  async function lodge(question: Question): Promise<{ requested: Requested; isFresh: boolean }> {
    const input = plainInput(question.input);
    const inputHash = hashInput(input, sha256);
    const known = log.state.approvals.get(question.callId)?.requested;
    if (known?.inputHash === inputHash) {
      await log.barrier();
      if ((await store.get(known.approvalId)) !== undefined) return { requested: known, isFresh: false };
      const record = recordOf(known, input, parts);
      if (record.shownHash === known.shownHash) {
        await put(record);
        return { requested: known, isFresh: true };
      }
    }
    if (known !== undefined) drop(known, "changed");
    const id = platform.ids.short("apr");
    const requested = requestOf(question, { id, input, inputHash, now: clock.now(), parts });
    const record = recordOf(requested, input, parts);
    log.record("approval.requested", requested);
    await log.barrier();
    await put(record);
    return { requested, isFresh: true };
  }

  async function put(record: ReturnType<typeof recordOf>): Promise<void> {
    await store.put(record);
    ring(store, record.id);
  }

  /** What a decision comes to; undefined where it is not about what was asked, so that the call is asked about anew. */
  async function take(
    requested: Requested,
    decision: ApprovalDecision,
    question: Question,
  ): Promise<Ruling | undefined> {
    const { ended, remember = [] } = decision;
    if (ended !== undefined) {
      recordEnd(requested, ended);
      return ended === "expired" || ended === "settled" ? { kind: ended } : undefined;
    }
    const record = await store.get(requested.approvalId);
    const shownHash = requested.shownHash ?? requested.inputHash;
    const isSame = record !== undefined && hashInput(record.input, sha256) === shownHash;
    const resolved =
      isSame && isOffered(remember, requested.suggestions)
        ? resolvedOf(requested, decision, { real: plainInput(question.input), shown: record.input, sha256 })
        : undefined;
    if (resolved === undefined) {
      recordEnd(requested, "changed");
      return undefined;
    }
    log.record("approval.resolved", resolved);
    return rulingOf(resolved);
  }

  async function ask(question: Question, scope: AskScope): Promise<Ruling> {
    for (;;) {
      // The call may have its result by now.
      if (scope.signal.aborted) throw scope.signal.reason;
      const known = log.state.approvals.get(question.callId);
      if (known?.resolved !== undefined && isAbout(known.requested, question)) {
        const resolved = await standing(known.requested, known.resolved, question, { store, sha256 });
        if (resolved !== undefined) return rulingOf(resolved);
        recordEnd(known.requested, "lost");
      }
      const { requested, isFresh } = await lodge(question);
      const first = await store.decisionOf(requested.approvalId);
      if (scope.signal.aborted) {
        if (!scope.isLeft()) drop(requested, "cancelled");
        throw scope.signal.reason;
      }
      const settled = early.delete(question.callId) && first === undefined;
      const decision = first ?? (settled ? await decidedOr(requested, "settled") : undefined);
      const found = decision ? { decision } : await announced(requested, question, scope, isFresh);
      if ("stopped" in found) return found.stopped;
      const ruling = await take(requested, found.decision, question);
      if (ruling !== undefined) return ruling;
    }
  }

  /** Tells of it, and waits. */
  async function announced(
    requested: Requested,
    question: Question,
    scope: AskScope,
    isFresh: boolean,
  ): Promise<{ readonly decision: ApprovalDecision } | { readonly stopped: Ruling }> {
    const told = parts.tell(requested, {
      isFresh,
      isDeferred: question.isDeferred,
      record: () => recordOf(requested, plainInput(question.input), parts),
    });
    const unpark = scope.parked(question.isDeferred || parts.onPending === "pause" ? "pauses" : "waits");
    try {
      const answer = waits.decision(requested, scope.signal).then(
        (decision) => ({ decision }),
        (reason: unknown) => {
          if (!scope.isLeft()) drop(requested, "cancelled");
          throw reason;
        },
      );
      const stop = told.stopped?.then((stopped) => ({ stopped }));
      const found = await (stop === undefined ? answer : Promise.race([answer, stop]));
      if ("stopped" in found) {
        drop(requested, "cancelled");
        waits.end(requested.approvalId, endedDecision("cancelled", clock.now()));
      }
      unpark();
      told.over(false);
      return found;
    } catch (error) {
      told.over(scope.isLeft());
      throw error;
    }
  }

  function isAbout({ inputHash }: Requested, { input }: Pick<Question, "input">): boolean {
    return hashInput(plainInput(input), sha256) === inputHash;
  }

  return {
    ask(question, scope) {
      const asked = ask(question, scope);
      track(asked);
      return asked;
    },
    end: drop,
    async isRuled(callId, input) {
      const { requested, resolved } = log.state.approvals.get(callId) ?? {};
      if (requested === undefined || !isAbout(requested, { input })) return false;
      if (resolved !== undefined) return true;
      if ((await takeBack(requested, "settled")) !== undefined) return true;
      recordEnd(requested, "settled");
      return false;
    },
    settle(callId) {
      const { requested, resolved } = log.state.approvals.get(callId) ?? {};
      if (resolved !== undefined) return;
      if (requested === undefined || !waits.isWaiting(requested.approvalId)) early.add(callId);
      else track(decidedOr(requested, "settled").then((found) => waits.end(requested.approvalId, found)));
    },
    sweep() {
      const calls = log.state.round?.calls;
      for (const { requested } of [...log.state.approvals.values()]) {
        if (calls?.has(requested.callId) !== true) drop(requested, "cancelled");
      }
    },
    async rejectAll(reason) {
      const open = [...log.state.approvals.values()].filter(({ resolved }) => resolved === undefined);
      const word = { behavior: "reject", decidedBy: "session", decidedAt: clock.now(), reason } as const;
      await Promise.all(open.map(({ requested }) => store.decide(requested.approvalId, word)));
      for (const { requested } of open) ring(store, requested.approvalId);
    },
    async close() {
      while (atWork.size > 0) await Promise.all(atWork);
    },
  };
}

const NOTHING = (): undefined => undefined;
