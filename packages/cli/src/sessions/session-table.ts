import type { SessionInfo } from "@castellan/sdk";
import { oneLine, padded, wrapped } from "../terminal/columns.ts";

const ID = 36;
const AGE = 4;
const STATUS = 10;
const LEAST_TITLE = 16;

/**
 * The listing for a person: no line is wider than `columns`, whatever titles hold. The title stands last, so that text
 * from right to left turns nothing else round.
 *
 * @param now epoch milliseconds.
 */
export function sessionTable(sessions: readonly SessionInfo[], columns: number, now: number): string {
  if (sessions.length === 0) return "no sessions\n";
  const title = Math.max(LEAST_TITLE, columns - ID - AGE - STATUS - 6);
  const lines = [row("ID", "AGE", "STATUS", "TITLE", title)];
  for (const session of sessions) {
    const { sessionId, updatedAt, status, problem } = session;
    const age = updatedAt === 0 ? "?" : ageText(now - updatedAt);
    lines.push(row(sessionId, age, status, titleText(session), title));
    // Of what cannot be read, the reason in full.
    if (problem !== undefined)
      lines.push(...wrapped(problem.message, columns - 2).map((line) => `  ${line}`));
  }
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function row(id: string, age: string, status: string, title: string, width: number): string {
  return [padded(oneLine(id, ID), ID), age.padStart(AGE), padded(status, STATUS), oneLine(title, width)].join(
    "  ",
  );
}

/** Title, else the first prompt; tags in front. */
function titleText({ title, firstPrompt, tags, problem }: SessionInfo): string {
  const marks = tags.map((tag) => `#${tag} `).join("");
  return `${marks}${title ?? firstPrompt ?? problem?.code ?? ""}`;
}

/** Such as `5s`, `12m`, `3h`, `40d`, `2y`: four columns at most. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  const days = Math.floor(seconds / 86_400);
  return days < 365 ? `${days}d` : `${Math.min(999, Math.floor(days / 365))}y`;
}
