import { cancelCode } from "../scheduler/index.ts";
import type { TurnEnd } from "./deps.ts";

/** The end of a turn whose signal has fired. */
export function interrupted(signal: AbortSignal): TurnEnd {
  return { kind: "interrupted", code: cancelCode(signal) };
}
