import { text as allOf } from "node:stream/consumers";
import type { DryCall } from "@castellan/sdk/permissions";
import { EXIT } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { givenFile } from "../run/given-file.ts";

const FIX = `Write a command ('git push'), or --tool Read --input '{"file_path":".env"}'.`;

/** The flags that say which call is meant. */
export interface CallFlags {
  readonly tool?: string;
  /** JSON, `@file`, or `-` for standard input. */
  readonly input?: string;
}

/**
 * The call that a command line names: a command for Bash, or a tool with its input.
 *
 * @throws Fault (usage)
 */
export async function callOf(
  command: string | undefined,
  flags: CallFlags,
  stdin: NodeJS.ReadableStream,
): Promise<DryCall> {
  if (command !== undefined) {
    if (flags.input !== undefined) throw usage("A command and --input name two calls.");
    if (flags.tool !== undefined && flags.tool !== "Bash")
      throw usage(`A command is a call of Bash, not of ${flags.tool}.`);
    return { tool: "Bash", input: { command } };
  }
  if (flags.tool === undefined && flags.input === undefined) throw usage("No call.");
  if (flags.tool === undefined) throw usage("--input needs --tool.");
  if (flags.input === undefined) throw usage("--tool needs --input.");
  return { tool: flags.tool, input: await inputOf(flags.input, stdin) };
}

async function inputOf(value: string, stdin: NodeJS.ReadableStream): Promise<DryCall["input"]> {
  const where = value === "-" ? "Standard input" : value.startsWith("@") ? value.slice(1) : "--input";
  const text = await textOf(value, stdin);
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    throw usage(`${where} is no JSON: ${(error as Error).message}.`, error);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw usage(`${where} is no JSON object.`);
  return input as DryCall["input"];
}

async function textOf(value: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (value === "-") return (await allOf(stdin)).replace(/^\u{feff}/u, "");
  if (!value.startsWith("@")) return value;
  const file = value.slice(1);
  if (file === "") throw usage("--input @ names no file.");
  return givenFile("--input", file, "Name a file of JSON.");
}

function usage(what: string, cause?: unknown): Fault {
  return new Fault(EXIT.usage, `${what} ${FIX}`, cause);
}
