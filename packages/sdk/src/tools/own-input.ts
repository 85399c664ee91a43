/**
 * A copy of the lists and plain objects in a validated input. A handler may change what it is given; the
 * history and the log must not change with it. What a schema made itself (a date, a Map) stays as it is.
 */
export function ownInput<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
}
