import { EXIT, type ExitCode } from "../exit-codes.ts";
import { withHost } from "../sessions/with-host.ts";
import { printableJson } from "../terminal/safe-text.ts";
import { approvalText } from "./approval-text.ts";
import { findApproval } from "./find-approval.ts";

/** `castellan approvals show`. */
export function showCommand(given: string, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  return withHost(async (host) => {
    const approval = await findApproval(host, given);
    const decision = await host.approvals.decisionOf(approval.id);
    const text =
      json === true ? `${printableJson({ approval, decision })}\n` : approvalText(approval, decision);
    process.stdout.write(text);
    return EXIT.done;
  });
}
