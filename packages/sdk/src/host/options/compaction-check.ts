import { shape, wholeNumber } from "./checks.ts";
import { type Check, fault } from "./fault.ts";

/** A window that is smaller holds no summary beside a system prompt. */
const LEAST_WINDOW = 1_000;

const share: Check = (value) =>
  typeof value === "number" && value > 0 && value <= 1
    ? undefined
    : fault("a share of the context window, above 0 and at most 1", value);

const parts = shape(
  { threshold: share, contextWindow: wholeNumber(LEAST_WINDOW) },
  "true, false, or an object { threshold?, contextWindow? }",
);

/** `options.compaction`. */
export const compaction: Check = (value) => (typeof value === "boolean" ? undefined : parts(value));
