import type { ExitCode } from "../exit-codes.ts";
import { withHost } from "../sessions/with-host.ts";
import { findApproval, userName } from "./find-approval.ts";
import { tellDecided } from "./tell-decided.ts";

export interface RejectFlags {
  readonly reason?: string;
  readonly note?: string;
  readonly by?: string;
  readonly json?: boolean;
}

/** `castellan approvals reject`. */
export function rejectCommand(given: string, { reason, note, by, json }: RejectFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const { id } = await findApproval(host, given);
    const rejected = await host.approvals.reject(id, {
      by: by ?? userName(),
      ...(reason === undefined ? {} : { reason }),
      ...(note === undefined ? {} : { note }),
    });
    return tellDecided(host, rejected, json === true);
  });
}
