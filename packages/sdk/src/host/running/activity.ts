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
  return new SessionActivity(tell);
}

class SessionActivity implements Activity {
  readonly #tell: (state: State) => void;
  #now: State = "running";
  #questions: readonly object[] = NONE;

  constructor(tell: (state: State) => void) {
    this.#tell = tell;
  }

  go(state: "running" | "idle"): void {
    this.#questions = NONE;
    this.#become(state);
  }

  ask(): () => void {
    const end = (): void => this.#answered(end);
    this.#asked(end);
    return end;
  }

  watch(canUseTool: CanUseTool): CanUseTool {
    return (name, input, context) => {
      const answer = canUseTool(name, input, context);
      if (!(answer instanceof Promise)) return answer;
      const { signal } = context;
      const end = (): void => {
        signal.removeEventListener("abort", end);
        this.#answered(end);
      };
      this.#asked(end);
      // Whoever stops waiting does not care whether an answer ever comes.
      signal.addEventListener("abort", end, { once: true });
      answer.then(end, end);
      return answer;
    };
  }

  #become(state: State): void {
    if (state === this.#now) return;
    this.#now = state;
    this.#tell(state);
  }

  #asked(question: object): void {
    this.#questions = this.#questions.concat(question);
    this.#become("requires_action");
  }

  #answered(question: object): void {
    if (!this.#questions.includes(question)) return;
    this.#questions = this.#questions.filter((other) => other !== question);
    if (this.#questions.length === 0) this.#become("running");
  }
}

const NONE: readonly object[] = [];
