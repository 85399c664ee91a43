import {
  type FailureFacts,
  isThrottled,
  type LanguageModel,
  MAX_RETRIES,
  type Passage,
  pause,
  planRetry,
} from "../model/index.ts";
import { createPlace } from "../platform/index.ts";
import { NO_USAGE } from "../protocol/index.ts";
import { type Answer, askModel } from "./ask-model.ts";
import { noteCount, type Overspent, overspent } from "./budget.ts";
import type { LoopDeps } from "./deps.ts";
import { recordSpent } from "./priced.ts";

/** Milliseconds of waiting for the limiter after which it is told. */
const TOLD_AFTER = 1_000;

/** Which model a user turn asks. Once it has fallen back it stays there, unless the session gets another model. */
export interface ModelChoice {
  current(): LanguageModel;
  /**
   * Who goes on after `failed`: the model that the session got meanwhile, else the fallback; undefined when there is
   * none, or it is the one that failed.
   */
  after(failed: LanguageModel): LanguageModel | undefined;
}

/** An answer, and who gave it. */
export interface Asked {
  /** `overspent`: a try failed and cost something, and nothing is left for another one. */
  readonly answer: Answer | { readonly kind: "overspent"; readonly end: Overspent };
  /** The model of the last try. By now the session may have another one. */
  readonly model: string;
}

/** The model of the session, and the fallback from the moment on in which it is needed. */
export function createModelChoice(deps: LoopDeps): ModelChoice {
  let fallenFrom: LanguageModel | undefined;
  const current = (): LanguageModel => {
    const model = deps.model();
    return fallenFrom === model && deps.fallback !== undefined ? deps.fallback : model;
  };
  return {
    current,
    after(failed) {
      if (current() !== failed) return current();
      if (deps.fallback === undefined || deps.fallback.id === failed.id) return undefined;
      fallenFrom = deps.model();
      return deps.fallback;
    },
  };
}

/**
 * Sends the next request until it is answered: again after failures that may pass, then to the fallback model. Each
 * retry is told before it is waited for. Every try sends the history as it stands in the log, which ends with a
 * complete round, so nothing of a failed try is ever part of it; what it cost counts, and there is no other one where
 * that was the last of the budget. Never throws; an abort ends any wait at once.
 */
export async function askWithRetries(
  deps: LoopDeps,
  choice: ModelChoice,
  signal: AbortSignal,
): Promise<Asked> {
  let retries = 0;
  for (;;) {
    const model = choice.current();
    const answer = await askInTurn(deps, model, signal);
    const asked = { answer, model: model.id };
    if (answer.kind === "done") noteCount(deps.budget, model.id, answer.completion.usage, deps.prices);
    if (answer.kind !== "failed") return asked;
    const { failure } = answer;
    recordSpent(deps, model.id, answer.usage);
    const plan = planRetry(failure, retries, deps.platform.random());
    const told = {
      model: model.id,
      maxRetries: MAX_RETRIES,
      error: failure.message,
      ...(failure.status === undefined ? {} : { status: failure.status }),
    };
    if (plan.again) {
      const over = overspent(deps.budget, deps.log.state, "another try");
      if (over !== undefined) return { ...asked, answer: { kind: "overspent", end: over } };
      retries += 1;
      deps.log.record("model.retried", { ...told, attempt: retries, delayMs: plan.delayMs });
      if (!(await waited(deps, plan.delayMs, signal))) return { ...asked, answer: nothingSaid(deps) };
      continue;
    }
    const next = plan.spent ? choice.after(model) : undefined;
    if (next === undefined) {
      if (plan.why === undefined) return asked;
      return { ...asked, answer: { ...answer, message: sentences(answer.message, plan.why) } };
    }
    const over = overspent(deps.budget, deps.log.state, `a request to ${next.id}`);
    if (over !== undefined) return { ...asked, answer: { kind: "overspent", end: over } };
    deps.log.record("model.retried", { ...told, attempt: retries + 1, delayMs: 0, fallback: next.id });
    retries = 0;
  }
}

function sentences(message: string, why: string): string {
  return `${/[.!?]$/.test(message) ? message : `${message}.`} ${why}`;
}

/** One try, let through by the limiter of the model's provider. */
async function askInTurn(deps: LoopDeps, model: LanguageModel, signal: AbortSignal): Promise<Answer> {
  const limiter = deps.limiters?.of(model.limitKey);
  if (limiter === undefined) return askWithRoom(deps, model, signal);
  let ticket = limiter.enter(signal);
  if (ticket instanceof Promise) {
    // Short waits are usual where many sessions share a key; a long one must not be silent.
    const tell = (): void => deps.held?.({ model: model.id, leastMs: Math.round(limiter.closedFor()) });
    const timer = deps.platform.clock.timer(TOLD_AFTER, tell);
    try {
      ticket = await ticket;
    } catch {
      return nothingSaid(deps);
    } finally {
      timer.cancel();
    }
  }
  const answer = await askWithRoom(deps, model, signal);
  if (answer.kind === "failed") {
    limiter.leave(ticket, passageOf(answer.failure), answer.failure.retryAfterMs);
  } else limiter.leave(ticket, answer.kind === "done" ? "done" : "failed");
  return answer;
}

/** One try, once the host has room for its stream. */
async function askWithRoom(deps: LoopDeps, model: LanguageModel, signal: AbortSignal): Promise<Answer> {
  const { streams } = deps;
  if (streams === undefined) return askModel(deps, signal, model);
  const room = streams.enter(signal);
  if (room !== undefined) {
    try {
      await room;
    } catch {
      return nothingSaid(deps);
    }
  }
  const place = createPlace(streams);
  try {
    return await askModel(deps, signal, model, place);
  } finally {
    place.end();
  }
}

function passageOf(failure: FailureFacts): Passage {
  return isThrottled(failure) ? "throttled" : "failed";
}

async function waited(deps: LoopDeps, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(deps.platform.clock, ms, signal);
    return true;
  } catch {
    return false;
  }
}

/** The signal fired between two tries: there is nothing to keep. */
function nothingSaid(deps: LoopDeps): Answer & { kind: "interrupted" } {
  const message = { role: "assistant", id: deps.platform.ids.short("msg"), parts: [] } as const;
  return { kind: "interrupted", partial: { message, usage: NO_USAGE }, durationMs: 0 };
}
