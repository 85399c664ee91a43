import type { Clock } from "../platform/index.ts";
import { isThenable, lazySignal, waitFor } from "../platform/index.ts";
import type { HookInput } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import type { HookAnswer } from "./answer.ts";
import type { CompiledHook } from "./compile.ts";
import { readOutput } from "./read-output.ts";

/** How one callback ended. */
export type HookRun = {
  readonly hook: CompiledHook;
  readonly durationMs: number;
  /** What whoever was told of its beginning calls this run. */
  readonly runId?: string;
} & ({ readonly answer: HookAnswer } | { readonly failure: string });

/**
 * Runs one callback to its answer, its failure or its time limit, and never rejects.
 * When `signal` fires the run ends as a failure at once; what the callback does later is ignored.
 */
export async function runHook(
  hook: CompiledHook,
  input: HookInput,
  toolUseId: string | undefined,
  signal: AbortSignal,
  clock: Clock,
): Promise<HookRun> {
  const began = clock.monotonic();
  const done = (end: { answer: HookAnswer } | { failure: string }): HookRun => ({
    hook,
    durationMs: clock.monotonic() - began,
    ...end,
  });
  if (signal.aborted) return done({ failure: "it was cancelled" });

  const offered = lazySignal();
  let output: unknown;
  try {
    output = hook.callback(input, toolUseId, {
      get signal() {
        return offered.signal();
      },
    });
    if (isThenable(output)) {
      const ms = hook.timeoutMs;
      output = await waitFor(output, {
        signal,
        aborted: () => new HookStopped("it was cancelled"),
        limit: { ms, clock, passed: () => new HookStopped(`it did not answer within ${ms / 1000} s`) },
      });
    }
  } catch (error) {
    if (!(error instanceof HookStopped))
      return done({ failure: `it threw: ${errorText(error).slice(0, 500)}` });
    offered.abort(error);
    return done({ failure: error.message });
  }
  const read = readOutput(hook.event, output);
  return done(read.ok ? { answer: read.answer } : { failure: read.problem });
}

class HookStopped extends Error {}
