import type { HookEvent, HookInputs, HookJSONOutput, HookMatcher } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import { compileHooks } from "./compile.ts";

/** A callback whose output is checked against its own event. */
export type TypedHook<E extends HookEvent> = (
  input: HookInputs[E],
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookJSONOutput<E>> | HookJSONOutput<E>;

/**
 * Makes one entry of `options.hooks[event]`: the callback's input is that of the event, and its output is checked
 * against it. What is wrong with the settings is found here and not when a session starts.
 *
 * @param settings what stands beside the callback in a matcher: `matcher`, `if`, `timeout` (seconds), `onFailure`.
 * @throws CastellanError `invalid_option`
 */
export function defineHook<E extends HookEvent>(event: E, callback: TypedHook<E>): HookMatcher<E>;
export function defineHook<E extends HookEvent>(
  event: E,
  settings: Omit<HookMatcher<E>, "hooks">,
  callback: TypedHook<E>,
): HookMatcher<E>;
export function defineHook<E extends HookEvent>(
  event: E,
  first: Omit<HookMatcher<E>, "hooks"> | TypedHook<E>,
  second?: TypedHook<E>,
): HookMatcher<E> {
  const [settings, callback] = typeof first === "function" ? [{}, first] : [first, second];
  if (typeof settings !== "object" || settings === null) {
    throw new CastellanError("invalid_option", `The settings of a ${event} hook are no object.`, {
      subject: "defineHook",
      fix: "Give { matcher, if, timeout, onFailure } or leave them out.",
    });
  }
  const matcher: HookMatcher<E> = { ...settings, hooks: [callback as TypedHook<E>] };
  compileHooks({ [event]: [matcher] });
  return matcher;
}
