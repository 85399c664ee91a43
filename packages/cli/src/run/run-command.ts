import type { Options, SDKMessage } from "@castellan/sdk";
import type { ExitCode } from "../exit-codes.ts";
import { askInTerminal } from "../terminal/ask.ts";
import { styleOf } from "../terminal/style.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { type RunFlags, runOptions } from "./options.ts";
import { promptText, UsageError } from "./prompt-text.ts";
import { runSession } from "./run-session.ts";

/** `castellan run`: one prompt, to its result. */
export async function runCommand(argument: string | undefined, flags: RunFlags): Promise<ExitCode> {
  const format = flags.json === true ? "json" : (flags.outputFormat ?? "text");
  const prompt = await promptText(argument, process.stdin);
  if (prompt === "" && flags.resume === undefined) {
    throw new UsageError('No prompt. Write castellan run "<what to do>", or pipe it in.');
  }
  const onMessage = writerFor(format);
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const options: Options = {
    ...runOptions(flags),
    ...(format === "text" ? { includePartialMessages: true } : {}),
    ...(interactive ? { canUseTool: terminalQuestions() } : {}),
    ...(flags.debug === true ? { stderr: (line: string) => process.stderr.write(`${line}\n`) } : {}),
  };
  const outcome = await runSession({ prompt, options, onMessage });
  if (format === "text" && outcome.result?.is_error === true) {
    for (const error of outcome.result.errors ?? []) process.stderr.write(`castellan: ${error}\n`);
  }
  return outcome.exitCode;
}

function terminalQuestions(): NonNullable<Options["canUseTool"]> {
  return askInTerminal({
    output: process.stderr,
    style: styleOf(process.stderr, process.env),
    onCancel: () => process.kill(process.pid, "SIGINT"),
  });
}

function writerFor(format: "text" | "json" | "stream-json"): (message: SDKMessage) => void {
  if (format === "text") {
    const transcript = createTranscript({
      answer: process.stdout,
      notes: process.stderr,
      style: styleOf(process.stderr, process.env),
      width: Math.max(40, process.stderr.columns ?? 100),
    });
    return (message) => transcript.message(message);
  }
  return (message) => {
    if (format === "stream-json" || message.type === "result")
      process.stdout.write(`${JSON.stringify(message)}\n`);
  };
}
