import type { Completion, ModelPart } from "../model/index.ts";
import { createAccumulator } from "../model/index.ts";
import type { LoopDeps } from "./deps.ts";
import { createStreamView } from "./stream-view.ts";

/** One answer of the model, or why there is none. */
export type Answer =
  | { readonly kind: "done"; readonly completion: Completion; readonly durationMs: number }
  /** The signal fired; `partial` is what may be kept: no calls in it. */
  | {
      readonly kind: "interrupted";
      readonly partial: Pick<Completion, "message" | "usage">;
      readonly durationMs: number;
    }
  | { readonly kind: "failed"; readonly message: string };

/**
 * Sends one request and joins what comes back. Never throws: what a model throws is `failed`.
 * An abort wins over whatever the model makes of it.
 */
export async function askModel(deps: LoopDeps, signal: AbortSignal): Promise<Answer> {
  const model = deps.model();
  const began = deps.platform.clock.monotonic();
  const messageId = deps.platform.ids.short("msg");
  const accumulator = createAccumulator(messageId);
  const view =
    deps.emit === undefined
      ? undefined
      : createStreamView(
          {
            uuid: deps.platform.ids.uuid(),
            sessionId: deps.log.state.sessionId,
            messageId,
            model: model.id,
          },
          deps.emit,
        );
  const elapsed = (): number => Math.round(deps.platform.clock.monotonic() - began);
  const interrupted = (): Answer => ({
    kind: "interrupted",
    partial: accumulator.cutShort(),
    durationMs: elapsed(),
  });
  const pump = async (parts: AsyncIterable<ModelPart>): Promise<void> => {
    for await (const part of parts) {
      if (signal.aborted) return;
      accumulator.push(part);
      view?.part(part);
      const wait = deps.pressure();
      if (wait !== undefined) await wait;
    }
  };
  const gone = aborted(signal);
  try {
    // One race a request, none a part: a model that ignores its signal is left behind, still pumping into nothing.
    await Promise.race([pump(model.stream(deps.request(), { signal })), gone.promise]);
  } catch (error) {
    if (signal.aborted) return interrupted();
    return { kind: "failed", message: `The model ${model.id} failed: ${messageOf(error)}` };
  } finally {
    gone.release();
    view?.end();
  }
  if (signal.aborted) return interrupted();
  const finished = accumulator.finish();
  if (!finished.ok) return { kind: "failed", message: `The model ${model.id} failed: ${finished.message}` };
  return { kind: "done", completion: finished.completion, durationMs: elapsed() };
}

/** A promise that resolves when the signal fires, and can be let go of. */
function aborted(signal: AbortSignal): { readonly promise: Promise<undefined>; release(): void } {
  let listener = (): void => {};
  const promise = new Promise<undefined>((resolve) => {
    listener = () => resolve(undefined);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  return { promise, release: () => signal.removeEventListener("abort", listener) };
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return typeof error === "string" && error !== "" ? error : "it threw something that is not an Error.";
}
