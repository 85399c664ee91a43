import { createHost, type Options, type SDKMessage } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { askInTerminal } from "../terminal/ask.ts";
import { createFloor, type Floor } from "../terminal/floor.ts";
import { printable, printableJson } from "../terminal/safe-text.ts";
import { styleOf } from "../terminal/style.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { inFlagWords, type OutputFormat, type RunFlags, runOptions } from "./options.ts";
import { outputSchema } from "./output-schema.ts";
import { promptText } from "./prompt-text.ts";
import { resumedTools } from "./resumed-tools.ts";
import { runSession, type SessionOutcome } from "./run-session.ts";
import { settingsFlag } from "./settings-flag.ts";
import { unaskedText } from "./unasked-text.ts";

/** `castellan run`: one prompt, to its result. */
export async function runCommand(argument: string | undefined, flags: RunFlags): Promise<ExitCode> {
  checkTogether(flags);
  const format = flags.json === true ? "json" : (flags.outputFormat ?? "text");
  const prompt = await promptText(argument, process.stdin);
  if (prompt === "" && flags.resume === undefined && flags.continue !== true) {
    throw new Fault(EXIT.usage, 'No prompt. Write castellan run "<what to do>", or pipe it in.');
  }
  const schema = flags.outputSchema === undefined ? undefined : await outputSchema(flags.outputSchema);
  const floor = createFloor();
  const style = styleOf(process.stderr, process.env);
  const host = createHost();
  const options: Options = {
    ...runOptions(flags),
    ...settingsFlag(flags.settings),
    ...(await resumedTools(host, flags)),
    ...(schema === undefined ? {} : { outputFormat: { type: "json_schema", schema } }),
    // What went into a pipe cannot be taken back: there, only finished answers are printed.
    ...(format === "text" && process.stdout.isTTY === true ? { includePartialMessages: true } : {}),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true && flags.approvals !== "durable"
      ? { canUseTool: askInTerminal({ output: process.stderr, style, floor }) }
      : {}),
    ...(flags.debug === true
      ? { stderr: (line: string) => floor.write(process.stderr, `${printable(line)}\n`) }
      : {}),
  };
  const outcome = await runSession({
    host,
    prompt,
    options,
    onMessage: writerFor(format, floor, schema !== undefined),
  });
  explain(outcome);
  return outcome.exitCode;
}

function checkTogether(flags: RunFlags): void {
  const mode = flags.permissionMode;
  if ((mode === "bypassPermissions" || mode === "yolo") && flags.allowDangerouslySkipPermissions !== true) {
    throw new Fault(
      EXIT.usage,
      `--permission-mode ${mode} runs every call without asking. Add --allow-dangerously-skip-permissions, or choose another mode.`,
    );
  }
  if (flags.onPending !== undefined && flags.approvals !== "durable") {
    throw new Fault(EXIT.usage, "--on-pending needs --approvals durable.");
  }
  if (flags.includePartialMessages === true && flags.outputFormat !== "stream-json") {
    throw new Fault(EXIT.usage, "--include-partial-messages needs --output-format stream-json.");
  }
}

/** `data`: the answer is data, and standard output is for nothing else. */
function writerFor(format: OutputFormat, floor: Floor, data: boolean): (message: SDKMessage) => void {
  if (format === "text") {
    const transcript = createTranscript({
      answer: data ? process.stderr : process.stdout,
      notes: process.stderr,
      floor,
      style: styleOf(process.stderr, process.env),
      width: Math.max(40, process.stderr.columns ?? 100),
    });
    return (message) => {
      transcript.message(message);
      if (message.type === "result" && message.structured_output !== undefined)
        floor.write(process.stdout, `${printableJson(message.structured_output)}\n`);
    };
  }
  return (message) => {
    // One document on standard output has no place for warnings.
    if (format === "json" && message.type === "system" && message.subtype === "notification") {
      const { level, message: text } = message;
      if (level !== "info") floor.write(process.stderr, `castellan: ${level}: ${printable(text)}\n`);
    }
    if (format === "stream-json" || message.type === "result")
      floor.write(process.stdout, `${printableJson(message)}\n`);
  };
}

/** Says on standard error why a run is no success, and what can be done. */
function explain({ exitCode, result, sessionId, unasked }: SessionOutcome): void {
  const tell = (line: string): void => {
    process.stderr.write(`castellan: ${printable(line)}\n`);
  };
  const setUp = new Set<ExitCode>([EXIT.usage, EXIT.configuration]);
  for (const error of result?.errors ?? []) tell(setUp.has(exitCode) ? inFlagWords(error) : error);
  if (result === undefined) tell("The session ended without a result.");
  if (exitCode === EXIT.denied) for (const line of unaskedText(unasked)) tell(line);
  if (exitCode === EXIT.paused) {
    tell(
      `Decide with castellan approvals; then go on with: castellan run --resume ${sessionId} --approvals durable`,
    );
  }
  if (exitCode === EXIT.interrupted || exitCode === EXIT.limit) {
    tell(`To go on: castellan run --resume ${sessionId}`);
  }
}
