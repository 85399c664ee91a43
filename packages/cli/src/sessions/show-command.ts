import type { PendingWake, SDKMessage, SDKTimer, SessionInfo } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { wrapped } from "../terminal/columns.ts";
import { createFloor } from "../terminal/floor.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { styleOf } from "../terminal/style.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { fullId, withHost } from "./with-host.ts";

/** `castellan sessions show`. A log that cannot be read is shown with its reason; the exit code says so. */
export function showCommand(given: string, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  return withHost(async (host) => {
    const sessionId = await fullId(host, given);
    const session = await host.sessions.info(sessionId);
    const problem = session?.problem;
    const messages =
      problem === undefined ? await host.sessions.messages(sessionId, { includeSystem: true }) : [];
    const timers = await host.wakes.list({ sessionId });
    if (json === true) process.stdout.write(`${printableJson({ session, timers, messages })}\n`);
    else {
      if (session !== undefined) process.stdout.write(headText(session));
      process.stdout.write(timersText(timers, messages));
      print(messages);
    }
    if (problem === undefined) return EXIT.done;
    return problem.code === "log_too_new" ? EXIT.configuration : EXIT.failed;
  });
}

function headText(session: SessionInfo): string {
  const { costUsd, costUnknown, tags, problem, updatedAt } = session;
  const cost =
    costUsd === undefined ? undefined : `$${costUsd.toFixed(4)}${costUnknown === true ? " and more" : ""}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["session", session.sessionId],
    ["title", session.title],
    ["tags", tags.length === 0 ? undefined : tags.join(", ")],
    ["status", problem === undefined ? session.status : `${session.status}: ${problem.message}`],
    ["project", session.project],
    ["model", session.model],
    ["mode", session.permissionMode],
    ["updated", updatedAt === 0 ? undefined : new Date(updatedAt).toISOString()],
    ["cost", cost],
    ["log", session.log],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name.padEnd(8)}${printable(value).replaceAll("\n", " ")}`],
  );
  return `${lines.join("\n")}\n`;
}

/** What is set, the next one first; what it is for stands in the messages. */
function timersText(timers: readonly PendingWake[], messages: readonly SDKMessage[]): string {
  const lines = timers.map(({ id, at }) => {
    const facts = messages.findLast(
      (each): each is SDKTimer =>
        each.type === "system" && each.subtype === "timer_set" && each.timer_id === id,
    );
    const cron = facts?.cron === undefined ? [] : [`${facts.cron} ${facts.timezone ?? ""}`];
    const words = [
      new Date(at).toISOString(),
      ...cron,
      id,
      facts?.prompt?.slice(0, 200) ?? facts?.kind ?? "",
    ];
    return `timer   ${printable(words.join("  ").replaceAll(/\s*\n\s*/g, " "))}\n`;
  });
  return lines.join("");
}

function print(messages: readonly SDKMessage[]): void {
  const style = styleOf(process.stdout, process.env);
  const width = Math.max(40, process.stdout.columns ?? 80);
  const floor = createFloor();
  const transcript = createTranscript({ answer: process.stdout, notes: process.stdout, floor, style, width });
  for (const message of messages) {
    const prompt = promptText(message);
    if (prompt === undefined) transcript.message(message);
    else {
      const lines = wrapped(prompt, width - 2).map((line) => `${style.bold(">")} ${line}\n`);
      floor.write(process.stdout, `\n${lines.join("")}`);
    }
  }
}

/** What a person said; undefined for all else. */
function promptText(message: SDKMessage): string | undefined {
  if (message.type !== "user") return undefined;
  const { content } = message.message;
  if (typeof content === "string") return content;
  if (content.some(({ type }) => type === "tool_result")) return undefined;
  return content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
}
