import { setImmediate as nextRound } from "node:timers/promises";

/** Who may write on the screen: while a question stands there, everything else waits. */
export interface Floor {
  /** Writes now, or when the question that is open has been answered. */
  write(stream: { write(text: string): unknown }, text: string): void;
  /** Asks when the question before this one is answered. Rejects only when `question` does. */
  ask<T>(question: () => Promise<T>): Promise<T>;
}

export function createFloor(): Floor {
  let last: Promise<unknown> = Promise.resolve();
  let asking = false;
  let waiting: (() => void)[] = [];

  return {
    write(stream, text) {
      if (asking) waiting.push(() => stream.write(text));
      else stream.write(text);
    },
    ask(question) {
      const turn = last.then(async () => {
        // The reader of the messages runs in promise jobs: after them, all that led to the question is on the screen.
        await nextRound();
        asking = true;
        try {
          return await question();
        } finally {
          asking = false;
          const held = waiting;
          waiting = [];
          for (const write of held) write();
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}
