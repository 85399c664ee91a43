import type { CanUseTool, SDKSessionStateChanged } from "../../protocol/index.ts";

type State = SDKSessionStateChanged["state"];

/** What a session does at the moment. */
export interface Activity {
  /** Told when it is another one than before. Questions that are still open do not count any more. */
  go(state: "running" | "idle"): void;
  /** The same callback; while it is awaited the session waits for an answer. */
  watch(canUseTool: CanUseTool): CanUseTool;
  /** Somebody is asked; gives what says that they have answered. */
  ask(): () => void;
}

/** @param tell called for each change; the first state is `running`, which nobody is told. */
export function createActivity(tell: (state: State) => void): Activity {
  let now: State = "running";
  const questions = new Set<object>();

  function become(state: State): void {
    if (state === now) return;
    now = state;
    tell(state);
  }

  function answered(question: object): void {
    if (questions.delete(question) && questions.size === 0) become("running");
  }

  return {
    go(state) {
      questions.clear();
      become(state);
    },
    ask() {
      const question = {};
      questions.add(question);
      become("requires_action");
      return () => answered(question);
    },
    watch: (canUseTool) => (name, input, context) => {
      const answer = canUseTool(name, input, context);
      if (!(answer instanceof Promise)) return answer;
      const question = {};
      questions.add(question);
      become("requires_action");
      const end = (): void => answered(question);
      // Whoever stops waiting does not care whether an answer ever comes.
      context.signal.addEventListener("abort", end, { once: true });
      const settled = (): void => {
        context.signal.removeEventListener("abort", end);
        end();
      };
      answer.then(settled, settled);
      return answer;
    },
  };
}
