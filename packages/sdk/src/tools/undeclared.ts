const UNDECLARED: unique symbol = Symbol.for("castellan.undeclared") as never;

/** Marks the answer of a tool whose author said nothing: in a server, another default may stand in its place. */
export function undeclared<F extends (...args: never[]) => unknown>(answer: F): F {
  Object.defineProperty(answer, UNDECLARED, { value: true });
  return answer;
}

/** Whether the author of a tool left this answer to the default. */
export function isUndeclared(answer: unknown): boolean {
  return typeof answer === "function" && Object.hasOwn(answer, UNDECLARED);
}
