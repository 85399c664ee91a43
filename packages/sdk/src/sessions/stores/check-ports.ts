import type { Wake } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";

const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether an id can name a file or folder on every system. */
export function isSafeId(id: string): boolean {
  return SAFE_ID.test(id);
}

/** @throws `invalid_option` for an id that cannot name a file. @param what the thing that has it, as a word */
export function checkId(id: string, what: "session" | "approval" | "wake"): void {
  if (SAFE_ID.test(id)) return;
  throw new CastellanError("invalid_option", `The ${what} id ${JSON.stringify(id)} cannot name a file.`, {
    subject: what === "session" ? "sessionId" : "id",
    fix: "Use 1 to 128 letters, digits, `-` and `_`.",
  });
}

/** @throws `invalid_option` */
export function checkWake({ id, at }: Wake): void {
  checkId(id, "wake");
  if (Number.isSafeInteger(at) && at >= 0) return;
  throw new CastellanError("invalid_option", `The time of wake ${id} is ${at}.`, {
    subject: "at",
    fix: "Give whole milliseconds since 1970.",
  });
}

/** @throws `invalid_option` */
export function checkTtl(ttlMs: number): void {
  if (Number.isSafeInteger(ttlMs) && ttlMs > 0) return;
  throw new CastellanError("invalid_option", `A lease for ${ttlMs} ms is none.`, {
    subject: "ttlMs",
    fix: "Give whole milliseconds, more than 0.",
  });
}
