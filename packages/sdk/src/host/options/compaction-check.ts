import { LEAST_WINDOW } from "../host-models.ts";
import { shape, wholeNumber } from "./checks.ts";
import { type Check, fault } from "./fault.ts";

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
