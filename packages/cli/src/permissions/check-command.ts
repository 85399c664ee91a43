import { check, type Decision, explainDecision } from "@castellan/sdk/permissions";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { type CallFlags, callOf } from "./call-of.ts";
import { checkOptions, type PolicyFlags, tellFinding } from "./flags.ts";

export type CheckFlags = PolicyFlags & CallFlags;

/** `castellan permissions check`: the decision about one call. */
export async function checkCommand(command: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const decision = await decisionOf(command, flags);
  const text = `${decision.behavior}: ${decision.message}`;
  process.stdout.write(`${flags.json === true ? printableJson(decision) : printable(text)}\n`);
  return EXIT.done;
}

/** `castellan permissions explain`: why, in at most twelve lines. */
export async function explainCommand(command: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const decision = await decisionOf(command, flags);
  const text = explainDecision(decision);
  process.stdout.write(`${flags.json === true ? printableJson({ text, decision }) : printable(text)}\n`);
  return EXIT.done;
}

async function decisionOf(command: string | undefined, flags: CheckFlags): Promise<Decision> {
  const call = await callOf(command, flags, process.stdin);
  return check(call, { ...checkOptions(flags), onFinding: tellFinding });
}
