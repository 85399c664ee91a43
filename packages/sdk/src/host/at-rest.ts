import type { Clock, Timer } from "../platform/index.ts";
import type { CanUseTool } from "../protocol/index.ts";

/** A question that is open for this long is one to a person: meanwhile the session holds as little as it can. */
const REST_MS = 2_000;

/** The same callback; while it is awaited for long, `rest` is called, once for each question. */
export function atRest(
  canUseTool: CanUseTool,
  clock: Clock,
  rest: (isStill: () => boolean) => Promise<void>,
): CanUseTool {
  return (name, input, context) => {
    const answer = canUseTool(name, input, context);
    if (!(answer instanceof Promise)) return answer;
    const answered = restWhile(clock, rest);
    const { signal } = context;
    const end = (): void => {
      answered();
      signal.removeEventListener("abort", end);
    };
    signal.addEventListener("abort", end, { once: true });
    answer.then(end, end);
    return answer;
  };
}

/** The same for a question that is open from now on, until what it gives is called. */
export function restWhile(clock: Clock, rest: (isStill: () => boolean) => Promise<void>): () => void {
  let isOpen = true;
  // What cannot be written now is told by the next write that somebody waits for.
  let timer: Timer | undefined = clock.timer(
    REST_MS,
    () => {
      timer = undefined;
      void rest(() => isOpen).catch(() => {});
    },
    true,
  );
  return () => {
    isOpen = false;
    timer?.cancel();
    timer = undefined;
  };
}
