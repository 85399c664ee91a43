import { ALLOW_CHECKS } from "./steps/allow.ts";
import { DENY_CHECKS } from "./steps/deny.ts";
import { HARD_ASK_CHECKS } from "./steps/hard-ask.ts";
import { LEFT_CHECKS } from "./steps/left.ts";
import { MODE_CHECKS } from "./steps/mode.ts";
import type { Check } from "./steps/outcome.ts";

/** The order of a decision, and all of it: the first check that gives an outcome settles the call. */
export const ORDER: readonly Check[] = [
  ...DENY_CHECKS,
  ...HARD_ASK_CHECKS,
  ...MODE_CHECKS,
  ...ALLOW_CHECKS,
  ...LEFT_CHECKS,
];
