import type { Platform } from "../../platform/index.ts";
import type {
  BuiltinContext,
  JsonObject,
  ShellState,
  ToolProgress,
  ToolResult,
} from "../../protocol/index.ts";
import { need } from "../deps.ts";
import { failure } from "../results.ts";
import { cutOutput } from "./cut-output.ts";
import { reportProgress } from "./report-progress.ts";
import { runShell, type ShellOutcome } from "./run-shell.ts";
import { startInBackground } from "./start-in-background.ts";

export const DEFAULT_TIMEOUT_MS = 120_000;
export const MOST_TIMEOUT_MS = 600_000;

/** Runs a command line. `judgedCwd` is the shell's directory when the line was judged; without one it does not run. */
export async function runLine(
  platform: Platform,
  input: JsonObject,
  context: BuiltinContext,
  onProgress: (update: ToolProgress) => void,
  judgedCwd: string | undefined,
): Promise<ToolResult> {
  const shell = need(context.services, "shell");
  const cwd = shell.cwd();
  if (judgedCwd === undefined) {
    return failure("It is not known where this command was judged, so it was not run. Send it again.");
  }
  if (judgedCwd !== cwd) {
    return failure(
      `The shell has moved from ${judgedCwd} to ${cwd} since this command was judged, so it was not run. Send it again.`,
    );
  }
  const gone = await goneText(platform, shell);
  if (gone !== undefined) return failure(gone);
  if (input.run_in_background === true) return startInBackground(input, context, cwd);
  const kept = await context.services.checkpoints?.beforeLine(context.toolUseId, context.targets);
  if (kept?.ok === false) return failure(kept.text);
  const timeoutMs = typeof input.timeout === "number" ? input.timeout : DEFAULT_TIMEOUT_MS;
  const outcome = await runShell(platform, need(context.services, "spawner"), {
    line: String(input.command),
    cwd,
    timeoutMs,
    signal: context.signal,
    onText: reportProgress(platform.clock, onProgress),
  });
  await kept?.line.settle();
  if (outcome.end.kind === "failed") return failure(outcome.end.message);
  const shown = await cutOutput(outcome.output, context);
  const notes = [endNote(outcome, timeoutMs), await moveNote(platform, shell, cwd, outcome.cwd)];
  const text = [shown.text.replace(/\n$/, ""), ...notes].filter((each) => each !== "").join("\n");
  return {
    content: [{ type: "text", text: text === "" ? "(no output, exit code 0)" : text }],
    isError: outcome.end.kind !== "exit" || outcome.end.code !== 0,
    structuredContent: {
      exitCode: outcome.end.kind === "exit" ? outcome.end.code : null,
      timedOut: outcome.end.kind === "timeout",
      interrupted: outcome.end.kind === "interrupted",
      cwd: shell.cwd(),
    },
    ...(shown.artifact === undefined ? {} : { artifacts: [shown.artifact] }),
  };
}

/** The line was judged for one directory: where that is gone, it runs in no other. */
async function goneText(platform: Platform, shell: ShellState): Promise<string | undefined> {
  const cwd = shell.cwd();
  const stats = await platform.fs.stat(cwd).catch(() => undefined);
  if (stats?.isDirectory() === true) return undefined;
  if (cwd === shell.startDirectory) return `The working directory ${cwd} does not exist any more.`;
  shell.setCwd(shell.startDirectory);
  return `The shell's directory ${cwd} does not exist any more. Nothing was run. The shell is back in ${shell.startDirectory}: send the command again.`;
}

function endNote(outcome: ShellOutcome, timeoutMs: number): string {
  const { end } = outcome;
  const partial =
    outcome.output.text === "" ? "It had printed nothing." : "What it printed until then is above.";
  if (end.kind === "timeout") {
    return `(Timed out after ${timeoutMs} ms: the command and everything it started was ended. ${partial})`;
  }
  if (end.kind === "interrupted") {
    return `(Interrupted: the command and everything it started was ended. ${partial})`;
  }
  if (end.kind === "killed") return `(Ended by the signal ${end.signal}.)`;
  return end.kind === "exit" && end.code !== 0 ? `(exit code ${end.code})` : "";
}

/** Takes over where the shell went, if it may be there. */
async function moveNote(
  platform: Platform,
  shell: ShellState,
  before: string,
  told: string | undefined,
): Promise<string> {
  if (told === undefined || told === before) return "";
  const real = await platform.fs.realpath(told).catch(() => undefined);
  if (real === before) return "";
  if (real === undefined || !(await shell.isInside(real))) {
    const why = real === undefined ? "does not exist any more" : "is outside the allowed directories";
    return `(${told} ${why}: the shell is back in ${before}.)`;
  }
  shell.setCwd(real);
  return `(The shell is now in ${real}.)`;
}
