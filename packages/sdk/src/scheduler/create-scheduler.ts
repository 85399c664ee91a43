import type { RunVerdict } from "../gate/index.ts";
import type { ErrorCode, ToolCallPart } from "../protocol/index.ts";
import { errorText, isCastellanError } from "../protocol/index.ts";
import { cancelCode } from "./cancel-reason.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import { createNesting, type Nest } from "./nested.ts";
import type { Preflight } from "./preflight.ts";
import { confirm, preflight } from "./preflight.ts";
import { createRepeats } from "./repeats.ts";
import type { Ending } from "./results.ts";
import { notRun, notRunFor, textEnding, textPart } from "./results.ts";
import type { Round } from "./round.ts";
import { createRound } from "./round.ts";
import { runCall } from "./run-call.ts";
import type { Scheduler, SchedulerDeps } from "./types.ts";

const CONCURRENCY = 10;

/** Makes the scheduler of one session. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const cap = Math.max(1, deps.concurrency ?? CONCURRENCY);
  const repeats = createRepeats();
  const nesting = createNesting(deps, runOne, cap);

  const finish = (callId: string, name: string, ending: Ending): void =>
    deps.recorder.record("tool.finished", { callId, name, ...ending });

  /** From the write of `tool.started` to the call's one result. Never rejects. */
  const execute = async (
    part: ToolCallPart,
    verdict: RunVerdict,
    note: string | undefined,
    messageId: string,
    round: Round,
  ): Promise<void> => {
    try {
      const { ending, name } = await runOne(
        part,
        verdict,
        messageId,
        round,
        deps,
        nesting(part, messageId, round),
      );
      const content = note === undefined ? ending.content : [...ending.content, textPart(note)];
      finish(part.id, name, { ...ending, content });
    } catch (error) {
      if (isLogError(error)) return round.fail(error);
      try {
        finish(part.id, verdict.tool.name, internalFault(error, "ran"));
      } catch (second) {
        round.fail(second);
      }
    }
  };

  return {
    async runRound(calls, assistantMessageId, signal, resume) {
      const round = createRound(signal);
      const running = new Set<Promise<void>>();
      try {
        for (const part of calls) {
          const earlier = resume?.get(part.id);
          if (earlier?.finished !== undefined) continue;
          const ended = round.ended();
          if (ended !== undefined) {
            finish(part.id, part.name, notRun(ended));
            continue;
          }
          const ready = await preflight(part, assistantMessageId, earlier, round, deps).catch(
            (error: unknown): Preflight => {
              if (isLogError(error)) throw error;
              return { kind: "ended", name: part.name, ending: internalFault(error, "judged") };
            },
          );
          if (ready.kind === "ended") {
            finish(part.id, ready.name, ready.ending);
            continue;
          }
          const { verdict } = ready;
          const concurrent = isConcurrencySafe(verdict);
          if (!concurrent) await Promise.all(running);
          else while (running.size >= cap) await Promise.race(running);
          const note = repeats.note(verdict.tool, verdict.input);
          const job = execute(part, verdict, note, assistantMessageId, round);
          if (!concurrent) await job;
          else {
            running.add(job);
            void job.then(() => running.delete(job));
          }
        }
      } catch (error) {
        round.fail(error);
      }
      await Promise.all(running);
      return round.close();
    },
  };
}

/** One allowed call. What it is told to stop by before it began, or refused on a second look, does not run. */
async function runOne(
  part: ToolCallPart,
  allowed: RunVerdict,
  messageId: string,
  round: Round,
  deps: SchedulerDeps,
  nest: Nest,
): Promise<{ readonly name: string; readonly ending: Ending }> {
  const ended = round.ended();
  if (ended !== undefined) return { name: allowed.tool.name, ending: notRun(ended) };
  let verdict = allowed;
  if (!deps.gate.isCurrent(verdict)) {
    const again = await confirm(verdict, part, round, deps);
    if (again.kind === "ended") return again;
    verdict = again.verdict;
  }
  const { name } = verdict.tool;
  const repeatable = verdict.facts.readOnly || verdict.tool.idempotent;
  deps.recorder.record("tool.started", {
    callId: part.id,
    name,
    repeatable,
    ...(verdict.asked ? { approved: true } : {}),
  });
  if (!repeatable) {
    await deps.recorder.barrier();
    if (round.signal.aborted) return { name, ending: notRunFor(cancelCode(round.signal)) };
    if (!deps.gate.isCurrent(verdict)) {
      const again = await confirm(verdict, part, round, deps);
      if (again.kind === "ended") return again;
      verdict = again.verdict;
    }
  }
  const { ending, stop } = await runCall(part.id, verdict, messageId, round.signal, deps, nest);
  if (stop !== undefined) round.stop(stop.reason);
  return { name, ending };
}

/** What a log that cannot be written throws, now and for every later call. */
const LOG_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  "store_failed",
  "store_conflict",
  "session_busy",
  "log_corrupt",
  "query_closed",
]);

function isLogError(error: unknown): boolean {
  return isCastellanError(error) && LOG_ERRORS.has(error.code);
}

function internalFault(error: unknown, did: "judged" | "ran"): Ending {
  const why = errorText(error);
  return textEnding("failed", `Castellan failed while it ${did} this call: ${why.slice(0, 500)}`);
}
