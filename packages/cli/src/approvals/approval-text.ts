import type { ApprovalDecision, ApprovalRecord } from "@castellan/sdk";
import { callPreview } from "../terminal/call-preview.ts";
import { rememberText } from "../terminal/rule-text.ts";
import { printable } from "../terminal/safe-text.ts";

/** One approval on one line: id, age, status, title. */
export function approvalLine(record: ApprovalRecord, now: number): string {
  const title = printable(record.title).replaceAll("\n", " ");
  return `${record.id}  ${ageText(now - record.requestedAt).padStart(4)}  ${record.status.padEnd(8)}  ${title}`;
}

/** Everything about one, for a person. */
export function approvalText(record: ApprovalRecord, decision: ApprovalDecision | undefined): string {
  const remember = rememberText(record.suggestions);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["approval", record.id],
    ["status", record.status],
    ["session", record.sessionId],
    ["agent", record.agentId],
    ["tool", record.tool],
    ["why", record.message],
    ["rule", record.matchedRule?.text],
    ["for", record.approver === "auto" ? "a person or a program" : "a person"],
    ["asked", new Date(record.requestedAt).toISOString()],
    ["until", record.expiresAt === undefined ? undefined : new Date(record.expiresAt).toISOString()],
    ["remember", remember],
    // It runs as the model sent it.
    ["redacted", record.redacted?.map((place) => place.join(".") || "all of it").join(", ")],
    ["decided", decision && decisionText(decision)],
    ["note", decision?.note],
    ["reason", decision?.reason],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name.padEnd(9)}${printable(value).replaceAll("\n", " ")}`],
  );
  const marks = { plain: "  ", added: "+ ", removed: "- " };
  // What the model sent must not act on the terminal, nor pass for a line of ours.
  const call = callPreview(record.tool, record.input).flatMap(({ kind, text }) =>
    printable(text)
      .split("\n")
      .map((line) => `${marks[kind]}${line}`),
  );
  return `${[...lines, ...call].join("\n")}\n`;
}

function decisionText({ behavior, decidedBy, decidedAt, ended, updatedInput }: ApprovalDecision): string {
  const when = new Date(decidedAt).toISOString();
  if (ended !== undefined) return `by nobody (${ended}), ${when}`;
  const how = behavior === "approve" ? "approved" : "rejected";
  return `${how} by ${decidedBy}${updatedInput === undefined ? "" : ", with another input"}, ${when}`;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
