import type { CalledToolResult, JsonObject, ToolCallPart } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import { copyJson } from "../tools/index.ts";
import { calledResult, failedCall } from "./called-result.ts";
import { isConcurrencySafe } from "./concurrency.ts";
import type { Nest, Owner } from "./nest.ts";
import { preflight } from "./preflight.ts";
import { notRun } from "./results.ts";
import type { Round } from "./round.ts";
import { execute, finish } from "./run-one.ts";
import type { SchedulerDeps } from "./types.ts";

const MOST_LEVELS = 8;
const MOST_CALLS = 1_000;
/** A stopped call has its result this much before the call that made it gives up. */
const EARLIER_MS = 100;

/**
 * Calls that handlers make: the same gate, the same start in the log, the same limits. They are recorded with the
 * model's call as their `parent`, so that the history of the model holds nothing of them.
 */
export function createNesting(
  cap: number,
): (part: ToolCallPart, messageId: string, round: Round, deps: SchedulerDeps) => Nest {
  // Calls that must run alone, made by handlers that run beside others.
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(job: () => Promise<T>): Promise<T> => {
    const turn = last.then(job);
    last = turn.catch(() => undefined);
    return turn;
  };

  return (root, messageId, round, deps) => {
    const nestAt = (level: number): Nest => {
      return (owner) => {
        let count = 0;
        let ready: Promise<unknown> = Promise.resolve();
        const running = new Set<Promise<unknown>>();

        const start = async (part: ToolCallPart): Promise<{ readonly done: Promise<CalledToolResult> }> => {
          const graceMs = round.graceMs - level * EARLIER_MS;
          const lane = round.under(owner.signal(), graceMs);
          const inside = childOf(root, part, deps);
          const judged = await preflight(part, messageId, undefined, lane, inside);
          if (judged.kind === "open") throw new Error("a call of a handler is left open");
          if (judged.kind === "ended") {
            finish(part.id, judged.name, judged.ending, inside);
            return { done: Promise.resolve(calledResult(judged.ending)) };
          }
          const { verdict } = judged;
          const beside = isConcurrencySafe(verdict);
          if (!beside) await Promise.all(running);
          else while (running.size >= cap) await Promise.race(running);
          const nest: Nest = (inner) =>
            nestAt(level + 1)({ ...inner, exclusive: owner.exclusive || !beside });
          const run = async (): Promise<CalledToolResult> =>
            calledResult((await execute(part, verdict, undefined, messageId, lane, inside, nest)) ?? LEFT);
          const done = beside || owner.exclusive ? run() : alone(run);
          const settled = done.catch(() => undefined);
          running.add(settled);
          void settled.then(() => running.delete(settled));
          if (!beside) await settled;
          return { done };
        };

        return async (name, input) => {
          const refusal = refusalOf(name, input, owner, level, count);
          if (typeof refusal === "string") return failedCall(refusal);
          count += 1;
          const part: ToolCallPart = { type: "toolCall", id: `${owner.id}.${count}`, name, input: refusal };
          const begun = ready.then(() => start(part));
          ready = begun.catch(() => undefined);
          try {
            return await (await begun).done;
          } catch (error) {
            // A log that cannot be written ends the round, and the handler's call with it.
            round.fail(error);
            return failedCall(`The call of ${name} could not be made: ${errorText(error)}`);
          }
        };
      };
    };
    return nestAt(1);
  };
}

/** Never: without a spot no call is left open. */
const LEFT = notRun("it was left open");

/** The input as plain data, or why there is no such call. */
function refusalOf(
  name: unknown,
  input: unknown,
  owner: Owner,
  level: number,
  count: number,
): JsonObject | string {
  if (typeof name !== "string" || name === "") return "callTool(name, input): the name of a tool is missing.";
  if (!owner.isOpen()) return `The call that wants to call ${name} has ended; it can call nothing any more.`;
  if (level > MOST_LEVELS)
    return `${name} is not called: tools call each other ${MOST_LEVELS} levels deep already.`;
  if (count >= MOST_CALLS) return `${name} is not called: one call may make ${MOST_CALLS} others at most.`;
  const copy = copyJson(input ?? {});
  if (!copy.ok) return `The input of ${name} is not JSON: ${copy.problem}.`;
  const { value } = copy;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return `The input of ${name} must be an object.`;
  }
  return value as JsonObject;
}

/** What a handler's call writes bears its parent, and its own input: no message of the model holds that. */
function childOf(root: ToolCallPart, part: ToolCallPart, deps: SchedulerDeps): SchedulerDeps {
  const { recorder } = deps;
  const added: { readonly [type: string]: object } = {
    "tool.decided": { input: part.input, parent: root.id },
    "tool.started": { parent: root.id },
    "tool.finished": { parent: root.id },
  };
  return {
    ...deps,
    recorder: {
      record: (type, data, cause) =>
        recorder.record(type, added[type] === undefined ? data : { ...added[type], ...data }, cause),
      barrier: (sync) => recorder.barrier(sync),
    },
    // The reader knows the model's call only.
    emit: (note) => deps.emit({ ...note, callId: root.id, name: root.name }),
  };
}
