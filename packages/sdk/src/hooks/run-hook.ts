import type { Clock } from "../platform/index.ts";
import type { HookInput } from "../protocol/index.ts";
import type { CompiledHook } from "./compile.ts";
import type { HookAnswer } from "./read-output.ts";
import { readOutput } from "./read-output.ts";

/** How one callback ended. */
export type HookRun = { readonly hook: CompiledHook; readonly durationMs: number } & (
  | { readonly answer: HookAnswer }
  | { readonly failure: string }
);

/**
 * Runs one callback to its answer, its failure or its time limit, and never rejects.
 * When `signal` fires the run ends as a failure at once; what the callback does later is ignored.
 */
export async function runHook(
  hook: CompiledHook,
  input: HookInput,
  toolUseId: string,
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

  const controller = new AbortController();
  let output: unknown;
  try {
    output = hook.callback(input, toolUseId, { signal: controller.signal });
    if (isThenable(output)) output = await limited(output, hook.timeoutMs, controller, signal, clock);
  } catch (error) {
    return done({ failure: error instanceof HookStopped ? error.message : threw(error) });
  }
  const read = readOutput(hook.event, output);
  return done(read.ok ? { answer: read.answer } : { failure: read.problem });
}

class HookStopped extends Error {}

function limited(
  output: PromiseLike<unknown>,
  ms: number,
  controller: AbortController,
  signal: AbortSignal,
  clock: Clock,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (why: string): void => {
      finish();
      reject(new HookStopped(why));
      controller.abort(new HookStopped(why));
    };
    const onAbort = (): void => stop("it was cancelled");
    const timer = clock.timer(ms, () => stop(`it did not answer within ${ms / 1000} s`));
    const finish = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    output.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
    // The callback itself may have interrupted the run.
    if (signal.aborted) onAbort();
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}

function threw(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `it threw: ${text.slice(0, 500)}`;
}
