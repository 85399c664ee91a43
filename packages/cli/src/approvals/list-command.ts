import type { ApprovalStatus } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { withHost } from "../sessions/with-host.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { approvalLine } from "./approval-text.ts";

export interface ListFlags {
  readonly status: ApprovalStatus | "all";
  readonly session?: string;
  readonly json?: boolean;
}

/** `castellan approvals list`. */
export function listCommand({ status, session, json }: ListFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const approvals = await host.approvals.list({
      ...(status === "all" ? {} : { status }),
      ...(session === undefined ? {} : { sessionId: session }),
      skipped: (problem) => process.stderr.write(`castellan: ${printable(problem)}\n`),
    });
    if (json === true) process.stdout.write(`${printableJson(approvals)}\n`);
    else if (approvals.length === 0)
      process.stderr.write(`Nothing is ${status === "all" ? "there" : status}.\n`);
    else {
      const now = Date.now();
      for (const each of approvals) process.stdout.write(`${approvalLine(each, now)}\n`);
    }
    return EXIT.done;
  });
}
