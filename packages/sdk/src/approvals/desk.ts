import type { Timer } from "../platform/index.ts";
import type { ApprovalDecision, ApprovalEnd, ApprovalRecord, EventData } from "../protocol/index.ts";
import { ring } from "./bell.ts";
import type { AskScope, Desk, DeskParts, Question, Ruling } from "./desk-types.ts";
import { endedDecision } from "./ends.ts";
import { hashInput, plainInput } from "./hash-input.ts";
import { isOffered } from "./read-options.ts";
import { recordOf, requestOf } from "./record-of.ts";
import { type Change, watchStore } from "./store-watch.ts";

/** setTimeout cannot wait longer than this many milliseconds. */
const LONGEST_MS = 2_147_483_647;

type Requested = EventData<"approval.requested">;

/** Makes the session's side of the inbox: it puts questions there, and takes decisions in. */
export function createDesk(parts: DeskParts): Desk {
  const { store, platform, log, sessionId } = parts;
  const { clock, sha256 } = platform;
  const waiting = new Map<string, Waiting>();
  const atWork = new Set<Promise<void>>();
  let unwatch: (() => void) | undefined;
  let isLooking = false;
  const toLookAt = new Set<string>();

  interface Waiting {
    readonly requested: Requested;
    /** The decision is known: nobody waits any more. */
    decided(decision: ApprovalDecision): void;
  }

  /** Looks for decisions about those of which something may be new; asked for while it looks, it looks once more. */
  async function look(change?: Change): Promise<void> {
    for (const id of waiting.keys()) if (mayBeNew(id, change)) toLookAt.add(id);
    if (isLooking) return;
    isLooking = true;
    while (toLookAt.size > 0) {
      const ids = [...toLookAt];
      toLookAt.clear();
      await Promise.all(
        ids.map(async (id) => {
          try {
            const decision = await store.decisionOf(id);
            if (decision !== undefined) waiting.get(id)?.decided(decision);
          } catch {
            // A store that cannot be read now is looked at again.
          }
        }),
      );
    }
    isLooking = false;
  }

  function enter(id: string, entry: Waiting): void {
    waiting.set(id, entry);
    unwatch ??= watchStore(store, clock, (change) => void look(change));
  }

  function leave(id: string): void {
    waiting.delete(id);
    if (waiting.size > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  /** Takes the question back, unless somebody has decided: then gives that decision. */
  async function takeBack(requested: Requested, why: ApprovalEnd): Promise<ApprovalDecision | undefined> {
    const { approvalId } = requested;
    const answer = await store.decide(approvalId, endedDecision(why, clock.now()));
    ring(store, approvalId);
    if (answer.ok || answer.code === "approval_not_found") return undefined;
    const decision = await store.decisionOf(approvalId);
    return decision?.ended === undefined ? decision : undefined;
  }

  function recordEnd({ approvalId, callId }: Requested, why: ApprovalEnd): void {
    log.record("approval.expired", { approvalId, callId, at: clock.now(), why });
  }

  /** The same where no decision counts any more: the log says so at once, the inbox as soon as it can. */
  function drop(requested: Requested, why: ApprovalEnd): void {
    try {
      recordEnd(requested, why);
    } catch {
      // The log is closed: whoever opens it next ends the question.
    }
    // A record that stays open in the store is closed by the next run that meets it, and nothing runs by it.
    const job = takeBack(requested, why)
      .catch(() => {})
      .then(() => void atWork.delete(job));
    atWork.add(job);
  }

  /** The question as it stands in log and store before anybody is told. */
  async function lodge(question: Question): Promise<{ requested: Requested; isFresh: boolean }> {
    const known = log.state.approvals.get(question.callId);
    const input = plainInput(question.input);
    const inputHash = hashInput(input, sha256);
    let requested = known?.requested;
    if (requested === undefined || requested.inputHash !== inputHash) {
      if (requested !== undefined) drop(requested, "changed");
      const id = platform.ids.short("apr");
      requested = requestOf(question, { id, input, inputHash, now: clock.now(), parts });
      log.record("approval.requested", requested);
    }
    await log.barrier();
    const stored = await store.get(requested.approvalId);
    if (stored !== undefined) return { requested, isFresh: false };
    await store.put(recordOf(requested, input, sessionId));
    ring(store, requested.approvalId);
    return { requested, isFresh: true };
  }

  /** What a decision comes to; undefined where the record is not the one that was written any more. */
  async function take(requested: Requested, decision: ApprovalDecision): Promise<Ruling | undefined> {
    const { approvalId, callId, inputHash, suggestions } = requested;
    if (decision.ended !== undefined) {
      recordEnd(requested, decision.ended);
      return decision.ended === "expired" ? { kind: "expired" } : undefined;
    }
    const record: ApprovalRecord | undefined = await store.get(approvalId);
    const { remember = [] } = decision;
    const isSame = record !== undefined && hashInput(record.input, sha256) === inputHash;
    if (!isSame || !isOffered(remember, suggestions)) {
      recordEnd(requested, "changed");
      return undefined;
    }
    const { behavior, decidedBy: by, note, reason, updatedInput } = decision;
    const resolved: EventData<"approval.resolved"> = {
      ...{ approvalId, callId, behavior, by },
      ...(note === undefined ? {} : { note }),
      ...(reason === undefined ? {} : { reason }),
      ...(updatedInput === undefined ? {} : { updatedInput }),
      ...(remember.length === 0 ? {} : { remember }),
    };
    log.record("approval.resolved", resolved);
    return rulingOf(resolved);
  }

  /** Waits for a decision or the end of the question's time; rejects when the signal fires. */
  function decision(requested: Requested, scope: AskScope): Promise<ApprovalDecision> {
    const { approvalId, expiresAt } = requested;
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const settle = (): void => {
        leave(approvalId);
        timer?.cancel();
        scope.signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        settle();
        if (!isLeft(scope)) drop(requested, "cancelled");
        reject(scope.signal.reason);
      };
      const decided = (found: ApprovalDecision): void => {
        settle();
        resolve(found);
      };
      const onTime = (): void => {
        const left = (expiresAt ?? 0) - clock.now();
        if (left > 0) {
          timer = clock.timer(Math.min(left, LONGEST_MS), onTime);
          return;
        }
        takeBack(requested, "expired").then(
          (first) => decided(first ?? endedDecision("expired", clock.now())),
          () => {
            // It is over, whether the store can be told now or not.
            decided(endedDecision("expired", clock.now()));
          },
        );
      };
      enter(approvalId, { requested, decided });
      scope.signal.addEventListener("abort", onAbort, { once: true });
      if (expiresAt !== undefined) onTime();
      void look({ id: approvalId });
    });
  }

  async function ask(question: Question, scope: AskScope): Promise<Ruling> {
    for (;;) {
      const resolved = log.state.approvals.get(question.callId);
      if (resolved?.resolved !== undefined && isAbout(resolved.requested, question)) {
        return rulingOf(resolved.resolved);
      }
      const { requested, isFresh } = await lodge(question);
      const first = await store.decisionOf(requested.approvalId);
      if (scope.signal.aborted) {
        drop(requested, "cancelled");
        throw scope.signal.reason;
      }
      const found = first ?? (await announced(requested, question, scope, isFresh));
      if ("kind" in found) return found;
      const ruling = await take(requested, found);
      if (ruling !== undefined) return ruling;
    }
  }

  /** Tells of it, and waits. */
  async function announced(
    requested: Requested,
    question: Question,
    scope: AskScope,
    isFresh: boolean,
  ): Promise<ApprovalDecision | Ruling> {
    const told = parts.tell(requested, {
      isFresh,
      isDeferred: question.isDeferred,
      record: () => toldRecord(requested, question),
    });
    const unpark = scope.parked(question.isDeferred || parts.onPending === "pause" ? "pauses" : "waits");
    try {
      const answer = decision(requested, scope);
      const found = await (told.stopped === undefined ? answer : Promise.race([answer, told.stopped]));
      if ("kind" in found) drop(requested, "cancelled");
      // Who ends the session must see that it waited.
      unpark();
      told.over(false);
      return found;
    } catch (error) {
      told.over(isLeft(scope));
      throw error;
    }
  }

  function toldRecord(requested: Requested, question: Question): ApprovalRecord {
    return recordOf(requested, plainInput(question.input), sessionId);
  }

  function isAbout({ inputHash }: Requested, { input }: Question): boolean {
    return hashInput(plainInput(input), sha256) === inputHash;
  }

  return {
    ask(question, scope) {
      const asked = ask(question, scope);
      const job = asked.then(NOTHING, NOTHING).then(() => void atWork.delete(job));
      atWork.add(job);
      return asked;
    },
    moot(callId) {
      const known = log.state.approvals.get(callId);
      if (known !== undefined && known.resolved === undefined) drop(known.requested, "settled");
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

function mayBeNew(id: string, change: Change): boolean {
  if (change === undefined) return true;
  return "id" in change ? change.id === id : !change.open.has(id);
}

const NOTHING = (): void => {};

/** The session ends or pauses, and its questions stay: whoever goes on with it goes on with them. */
const STAYS: ReadonlySet<string> = new Set(["close", "abort"]);

function isLeft(scope: AskScope): boolean {
  return scope.mayStay() && STAYS.has(codeOf(scope.signal));
}

function codeOf(signal: AbortSignal): string {
  const code: unknown = (signal.reason as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "abort";
}

function rulingOf(resolved: EventData<"approval.resolved">): Ruling {
  const { behavior, by, reason, updatedInput, remember = [] } = resolved;
  if (behavior === "reject") return { kind: "reject", by, ...(reason === undefined ? {} : { reason }) };
  return { kind: "approve", by, updates: remember, ...(updatedInput === undefined ? {} : { updatedInput }) };
}
