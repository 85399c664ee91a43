import { readFile } from "node:fs/promises";
import type { ApprovalRecord, ApproveOptions, JsonObject } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { withHost } from "../sessions/with-host.ts";
import { answersOf } from "./answers.ts";
import { findApproval, userName } from "./find-approval.ts";
import { tellDecided } from "./tell-decided.ts";

export interface ApproveFlags {
  readonly input?: string;
  readonly answer?: readonly string[];
  readonly remember?: true | "session" | "localSettings" | "projectSettings" | "userSettings";
  readonly note?: string;
  readonly by?: string;
  readonly json?: boolean;
}

/** `castellan approvals approve`. */
export function approveCommand(given: string, flags: ApproveFlags): Promise<ExitCode> {
  return withHost(async (host) => {
    const record = await findApproval(host, given);
    const updatedInput = await editsOf(record, flags);
    const options: ApproveOptions = {
      by: flags.by ?? userName(),
      // What was looked at is what is decided about.
      inputHash: record.inputHash,
      ...(flags.note === undefined ? {} : { note: flags.note }),
      ...(updatedInput === undefined ? {} : { updatedInput }),
      ...(flags.remember === undefined ? {} : { remember: flags.remember }),
    };
    return tellDecided(host, await host.approvals.approve(record.id, options), flags.json === true);
  });
}

async function editsOf(
  record: ApprovalRecord,
  { input, answer }: ApproveFlags,
): Promise<JsonObject | undefined> {
  const edited = input === undefined ? undefined : await readInput(input);
  if (record.tool !== "AskUserQuestion") {
    if (answer === undefined) return edited;
    throw new Fault(EXIT.usage, `--answer is for questions; this is a call of ${record.tool}. Use --input.`);
  }
  if (answer !== undefined) return { ...(edited ?? record.input), answers: answersOf(record.input, answer) };
  if (edited !== undefined) return edited;
  throw new Fault(EXIT.usage, "It is a question: say --answer <answer>, or reject it.");
}

async function readInput(value: string): Promise<JsonObject> {
  const where = value.startsWith("@") ? `--input ${value}` : "--input";
  let text = value;
  if (value.startsWith("@")) {
    try {
      text = await readFile(value.slice(1), "utf8");
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      throw new Fault(EXIT.usage, `${where} cannot be read: ${why}. Give a file with JSON.`, error);
    }
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\u{feff}/u, ""));
  } catch (error) {
    throw new Fault(
      EXIT.usage,
      `${where} is no JSON: ${(error as Error).message}. Give the whole input.`,
      error,
    );
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject;
  throw new Fault(EXIT.usage, `${where} is no JSON object. Give the whole input.`);
}
