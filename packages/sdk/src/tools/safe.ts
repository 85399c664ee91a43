/**
 * Questions that a tool's author answers for an input. A function that throws, or gives something that is no
 * answer (a promise, say), counts as the answer that lets less happen.
 */

/** True only when the function says `true`: for what makes a call freer. */
export function surely<A extends readonly unknown[]>(ask: (...args: A) => unknown): (...args: A) => boolean {
  return (...args) => {
    try {
      return ask(...args) === true;
    } catch {
      return false;
    }
  };
}

/** False only when the function says `false`: for what makes a call stricter. */
export function possibly<A extends readonly unknown[]>(
  ask: (...args: A) => unknown,
): (...args: A) => boolean {
  return (...args) => {
    try {
      return ask(...args) !== false;
    } catch {
      return true;
    }
  };
}

/** A text for people; where the function has none, the other one's. */
export function text<A extends readonly unknown[]>(
  ask: ((...args: A) => unknown) | undefined,
  otherwise: (...args: A) => string,
): (...args: A) => string {
  if (ask === undefined) return otherwise;
  return (...args) => {
    try {
      const answer = ask(...args);
      return typeof answer === "string" && answer.trim() !== "" ? answer : otherwise(...args);
    } catch {
      return otherwise(...args);
    }
  };
}
