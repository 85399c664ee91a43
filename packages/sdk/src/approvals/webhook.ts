import type { Platform } from "../platform/index.ts";
import { type ApprovalRecord, errorText } from "../protocol/index.ts";
import type { Signer } from "./signature.ts";

/** Milliseconds for the whole of it. */
const LIMIT_MS = 10_000;

/**
 * POSTs `{type: "approval_requested", approval, signature}` as JSON. A redirect is a failure, and so is every status but
 * 2xx. Gives what went wrong; undefined when it was taken. Never rejects.
 */
export async function postApproval(
  { http, clock }: Pick<Platform, "http" | "clock">,
  url: string,
  record: ApprovalRecord,
  signer: Signer,
): Promise<string | undefined> {
  const limit = new AbortController();
  const timer = clock.timer(LIMIT_MS, () => limit.abort(), true);
  try {
    const signature = await signer.sign(record);
    const text = JSON.stringify({ type: "approval_requested", approval: record, signature });
    const response = await http.request({
      url,
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "castellan" },
      body: Buffer.from(text),
      signal: limit.signal,
      clock,
    });
    response.body.drain();
    return response.status >= 200 && response.status < 300 ? undefined : `it answered ${response.status}`;
  } catch (error) {
    return limit.signal.aborted ? `it did not answer within ${LIMIT_MS / 1_000} s` : errorText(error);
  } finally {
    timer.cancel();
  }
}
