import type { ApprovalChange } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { withHost } from "../sessions/with-host.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";

export interface WatchFlags {
  readonly session?: string;
  readonly json?: boolean;
}

/** `castellan approvals watch`: until Ctrl-C, or until nobody reads. */
export function watchCommand({ session, json }: WatchFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const end = new AbortController();
    const stop = (): void => end.abort();
    for (const signal of SIGNALS) process.on(signal, stop);
    process.stdout.on("error", stop);
    try {
      const watched = { signal: end.signal, ...(session === undefined ? {} : { sessionId: session }) };
      for await (const change of host.approvals.watch(watched)) {
        process.stdout.write(json === true ? `${printableJson(change)}\n` : changeText(change));
      }
    } finally {
      for (const signal of SIGNALS) process.off(signal, stop);
      process.stdout.off("error", stop);
    }
    return EXIT.done;
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function changeText({ type, record, decision }: ApprovalChange): string {
  const title = printable(record.title).replaceAll("\n", " ");
  const what = type === "decided" ? record.status : type;
  const by = type === "decided" && decision !== undefined ? ` by ${printable(decision.decidedBy)}` : "";
  return `${record.id}  ${what}${by}: ${title}\n`;
}
