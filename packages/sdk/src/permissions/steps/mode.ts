import { type Check, outcome } from "./outcome.ts";

/** Step 3: modes that allow whatever steps 1 and 2 left. */
export const MODE_CHECKS: readonly Check[] = [
  {
    step: 3,
    name: "the mode",
    run: ({ mode, context }) =>
      mode.allowsRest(context) ? outcome("allow", { type: "mode", mode: context.mode }) : undefined,
  },
];
