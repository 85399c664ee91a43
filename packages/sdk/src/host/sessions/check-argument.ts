import { type Check, faultError } from "../options/fault.ts";

/**
 * Checks what a session function was given.
 *
 * @throws CastellanError `invalid_option` that names the function, the argument, the value and what it must be
 */
export function checkArgument(name: string, key: string, value: unknown, check: Check): void {
  const found = check(value);
  if (found !== undefined) throw faultError(`${name}()`, key, found);
}
