import type { InboxSource } from "./inbox-types.ts";
import { readUserMessage } from "./user-message.ts";

/**
 * Reads a prompt stream into the inbox until it ends or `stop` fires; then the stream's `return()` is called,
 * and not waited for.
 *
 * Rejects with what the stream threw, or with `invalid_option` for a message that is none. Ending the source
 * is left to the caller.
 */
export async function pumpPrompts(
  prompts: AsyncIterable<unknown>,
  source: InboxSource,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return;
  const iterator = prompts[Symbol.asyncIterator]();
  let done = false;

  async function pump(): Promise<void> {
    for (;;) {
      const step = await iterator.next();
      if (stop.aborted) return;
      if (step.done === true) {
        done = true;
        return;
      }
      const written = source.push(readUserMessage(step.value));
      if (written !== undefined) await written;
      const room = source.room();
      if (room !== undefined) await room;
      if (stop.aborted) return;
    }
  }

  let onStop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    onStop = resolve;
    stop.addEventListener("abort", onStop, { once: true });
  });
  try {
    await Promise.race([pump(), stopped]);
  } finally {
    stop.removeEventListener("abort", onStop);
    if (!done) leave(iterator);
  }
}

/** The program's generator gets its `finally`; whatever it does there is its own affair. */
function leave(iterator: AsyncIterator<unknown>): void {
  void (async () => iterator.return?.())().catch(() => {});
}
