import type { HookEvent, HookMatcher } from "./hook.ts";
import type { SDKStreamEvent } from "./sdk-message.ts";
import type { SDKSystemInit } from "./sdk-system-message.ts";

// Types of ours under the names that other agent SDKs gave them, so that an import line is all that changes.

/** Another name of `SDKSystemInit`. */
export type SDKSystemMessage = SDKSystemInit;

/** Another name of `SDKStreamEvent`. */
export type SDKPartialAssistantMessage = SDKStreamEvent;

/** Another name of `HookMatcher`. */
export type HookCallbackMatcher<E extends HookEvent = HookEvent> = HookMatcher<E>;
