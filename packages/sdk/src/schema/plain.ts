/** Whether a value is an object literal, of another realm too, or made without a prototype. */
export function isPlainObject(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is what JSON calls an object. */
export function isJsonObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own property whatever its name is: a plain assignment to `__proto__` would change the prototype. */
export function put(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** An own property, or undefined. */
export function own(target: { [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
