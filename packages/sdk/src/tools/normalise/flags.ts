import type { RawResult } from "./raw.ts";

/** Whether a result says that it failed, and what is wrong with how it says it. */
export interface FlagReading {
  readonly isError: boolean;
  readonly fault?: string;
}

/** Reads `isError`, `is_error` and `success`. Flags that disagree or are no flags count as a failure. */
export function readFlags(raw: Pick<RawResult, "isError" | "is_error" | "success">): FlagReading {
  const flags = [
    ["isError", raw.isError, false],
    ["is_error", raw.is_error, false],
    ["success", raw.success, true],
  ] as const;
  const given = flags.filter(([, value]) => value !== undefined && value !== null);
  const odd = given.find(([, value]) => typeof value !== "boolean");
  if (odd !== undefined) return { isError: true, fault: `${odd[0]} must be true or false` };
  const verdicts = given.map(([, value, meansSuccess]) => value !== meansSuccess);
  if (new Set(verdicts).size > 1) {
    return {
      isError: true,
      fault: `${given.map(([name, value]) => `${name}: ${value}`).join(" and ")} contradict each other`,
    };
  }
  return { isError: verdicts[0] === true };
}
