import type { ApprovalRecord, Host } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";

/** Says what was decided, and how the session goes on where nothing runs it. */
export async function tellDecided(host: Host, approval: ApprovalRecord, json: boolean): Promise<ExitCode> {
  if (json) {
    const decision = await host.approvals.decisionOf(approval.id);
    process.stdout.write(`${printableJson({ approval, decision })}\n`);
    return EXIT.done;
  }
  const title = printable(approval.title).replaceAll("\n", " ");
  process.stdout.write(`${approval.id} ${approval.status}: ${title}\n`);
  if ((await host.store.isBusy?.(approval.sessionId)) === false) {
    process.stderr.write(
      `The session does not run now. To go on: castellan run --resume ${approval.sessionId}\n`,
    );
  }
  return EXIT.done;
}
