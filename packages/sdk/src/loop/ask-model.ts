import type { Completion, FailureFacts, LanguageModel, ModelStream, StreamOptions } from "../model/index.ts";
import { createAccumulator, partBatches, readFailure } from "../model/index.ts";
import type { Place } from "../platform/index.ts";
import type { SDKMessageWithdrawn, Usage } from "../protocol/index.ts";
import type { LoopDeps } from "./deps.ts";
import { createStreamView, type StreamView } from "./stream-view.ts";
import { STALL_MS, watchModel } from "./watch-model.ts";

/** One answer of the model, or why there is none. */
export type Answer =
  | { readonly kind: "done"; readonly completion: Completion; readonly durationMs: number }
  /** The signal fired; `partial` is what may be kept: no calls in it. */
  | {
      readonly kind: "interrupted";
      readonly partial: Pick<Completion, "message" | "usage">;
      readonly durationMs: number;
    }
  /** Nothing of it is kept; what was shown is taken back. `message` names the model; `usage` is what it cost all the same. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly failure: FailureFacts;
      readonly usage: Usage;
    };

/**
 * Sends one request and joins what comes back. Never throws: what a model throws is `failed`.
 * An abort wins over whatever the model makes of it.
 */
export async function askModel(
  deps: LoopDeps,
  signal: AbortSignal,
  model: LanguageModel = deps.model(),
  place?: Place,
): Promise<Answer> {
  const began = deps.platform.clock.monotonic();
  const messageId = deps.platform.ids.short("msg");
  const accumulator = createAccumulator(messageId);
  const { emit } = deps;
  const ids = {
    uuid: emit === undefined ? "" : deps.platform.ids.uuid(),
    sessionId: deps.log.state.sessionId,
    messageId,
    model: model.id,
  };
  /** Made with the first part, so that a try that came to nothing shows nothing. */
  let view: StreamView | undefined;
  const elapsed = (): number => Math.round(deps.platform.clock.monotonic() - began);
  const interrupted = (): Answer => {
    view?.end();
    return { kind: "interrupted", partial: accumulator.cutShort(), durationMs: elapsed() };
  };
  const failed = (failure: FailureFacts): Answer => {
    if (view !== undefined) emit?.(withdrawal(ids, deps.platform.ids.uuid()));
    const { usage } = accumulator.cutShort();
    return { kind: "failed", message: `The model ${model.id} failed: ${failure.message}`, failure, usage };
  };
  const pump = async (stream: ModelStream): Promise<void> => {
    watch.waits();
    for await (const parts of partBatches(stream)) {
      if (watch.signal.aborted) return;
      for (const part of parts) {
        accumulator.push(part);
        if (emit === undefined) continue;
        view ??= createStreamView(ids, emit);
        view.part(part);
      }
      const wait = deps.pressure();
      if (wait !== undefined) {
        watch.rests();
        // Who waits for a reader stands in nobody's way: that reader may wait for another session.
        place?.stepAside();
        await wait;
        place?.comeBack();
      }
      watch.waits();
    }
  };
  const watch = watchModel(signal, deps.platform.clock, model.stallMs ?? STALL_MS);
  try {
    // One race a request, none a part: a model that ignores its signal is left behind, still pumping into nothing.
    await Promise.race([pump(model.stream(deps.request(), streamOptions(deps, watch.signal))), watch.gone]);
  } catch (error) {
    if (signal.aborted) return interrupted();
    return failed(readFailure(error));
  } finally {
    watch.end();
  }
  if (signal.aborted) return interrupted();
  if (watch.stalled) return failed(stalledFailure(model.stallMs ?? STALL_MS));
  const finished = accumulator.finish();
  if (!finished.ok) return failed({ ...finished, kind: "truncated" });
  view?.end();
  return { kind: "done", completion: finished.completion, durationMs: elapsed() };
}

function withdrawal(
  shown: { readonly uuid: string; readonly sessionId: string; readonly messageId: string },
  uuid: string,
): SDKMessageWithdrawn {
  return {
    type: "system",
    subtype: "message_withdrawn",
    uuid,
    session_id: shown.sessionId,
    parent_tool_use_id: null,
    withdrawn_uuid: shown.uuid,
    message_id: shown.messageId,
  };
}

function streamOptions({ loadArtifact }: LoopDeps, signal: AbortSignal): StreamOptions {
  return loadArtifact === undefined ? { signal } : { signal, loadArtifact };
}

function stalledFailure(ms: number): FailureFacts {
  const message = `it stalled: nothing came for ${Math.round(ms / 1000)} seconds.`;
  return { message, kind: "stalled", retryable: true };
}
