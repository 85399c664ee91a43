import { createHost, type Host, type Options } from "@castellan/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { runSession, type SessionOutcome } from "../run/run-session.ts";
import { askInTerminal } from "../terminal/ask.ts";
import { oneLine } from "../terminal/columns.ts";
import { createFloor } from "../terminal/floor.ts";
import { printableJson } from "../terminal/safe-text.ts";
import { styleOf } from "../terminal/style.ts";
import { createTranscript } from "../terminal/transcript.ts";
import { createDecisionLog, type DecisionLog } from "./decisions.ts";
import { DEMO_MODEL, DEMO_TITLE } from "./demo-model.ts";
import { demoTools } from "./demo-tools.ts";
import { findLiveModel } from "./live-model.ts";
import { type DemoFacts, endOfDemo, startOfDemo } from "./report.ts";
import { changes, layOutProject, testsPass } from "./scratch.ts";
import { allowOneEdit, sayYes } from "./script-answers.ts";

export interface DemoFlags {
  /** Prints one JSON document instead of the transcript. */
  readonly json?: boolean;
  /** Leaves the deny rule out: commander's `--no-deny`. */
  readonly deny?: boolean;
  /** A real model instead of the script. */
  readonly live?: boolean;
  /** With `live`: which one. */
  readonly model?: string;
}

/** A real model may wander; it does not do so for ever. */
const MOST_LIVE_TURNS = 40;

const ALLOW = "Bash(node --test)";
const DENY = "Read(.env)";

/** `castellan demo`: a scripted model, or with `--live` a real one, over real tools, real permissions and a real repository. */
export async function demoCommand(flags: DemoFlags): Promise<ExitCode> {
  if (flags.model !== undefined && flags.live !== true)
    throw new Fault(EXIT.usage, "--model needs --live: without it the demo's model is a script.");
  const live = flags.live === true ? await findLiveModel(flags.model) : undefined;
  const json = flags.json === true;
  const style = styleOf(process.stdout, process.env);
  const width = Math.min(120, Math.max(60, process.stdout.columns ?? 80));
  const floor = createFloor();
  const print = (lines: readonly string[]): void => {
    if (!json) for (const line of lines) floor.write(process.stdout, `${line}\n`);
  };

  const host = createHost();
  const folder = await layOutProject();
  const before = await testsPass(folder);
  const deny = flags.deny === false ? [] : [DENY];
  const person = !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  print(startOfDemo({ folder, before, allow: ALLOW, deny, live, person }, style));

  const custom = demoTools();
  const decisions = createDecisionLog();
  const tell = (tool: string, yes: boolean): void =>
    print([
      `  ${style.yellow("?")} ${oneLine(tool, 64)} is asked about; nobody is here, so the script says ${yes ? "yes" : "no"}`,
    ]);
  const script = live === undefined ? sayYes(floor, tell) : allowOneEdit(folder, floor, tell);
  const canUseTool = person
    ? decisions.noting("person", askInTerminal({ output: process.stdout, style, floor }))
    : decisions.noting("script", script);
  const { stdout } = process;
  const answeredBy = decisions.answeredBy;
  const transcript = createTranscript({ answer: stdout, notes: stdout, floor, style, width, answeredBy });
  const options: Options = {
    model: live ?? DEMO_MODEL,
    cwd: folder,
    title: DEMO_TITLE,
    ...(live === undefined ? {} : { maxTurns: MOST_LIVE_TURNS }),
    tools: ["Bash", "Edit", "Glob", "Grep", "LS", "Read", "Write", ...custom.tools],
    allowedTools: [ALLOW],
    settings: { permissions: { deny } },
    // Test results a line each, whatever Node's release and whoever started the demo.
    env: { NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: "--test-reporter=spec" },
    includePartialMessages: !json && process.stdout.isTTY === true,
    canUseTool,
  };
  const outcome = await runSession({
    host,
    prompt: "A test of this shop fails. Find out why, fix it, and note the fix.",
    options,
    onMessage(message) {
      decisions.message(message);
      if (!json) transcript.message(message);
    },
  });

  const [after, diff] = await Promise.all([testsPass(folder), changes(folder)]);
  const facts: DemoFacts = {
    sessionId: outcome.sessionId,
    log: logOf(host, outcome, folder),
    folder,
    model: live ?? "script",
    testsPass: { before, after },
    diff,
    decisions: decisions.calls,
    customToolCalls: custom.fixes,
    result: outcome.result,
  };
  if (json) process.stdout.write(`${printableJson(facts, 2)}\n`);
  else print(endOfDemo(facts, style, width));
  return exitCodeOfDemo(outcome, facts, decisions);
}

function logOf(host: Host, { sessionId }: SessionOutcome, folder: string): string | undefined {
  return sessionId === undefined ? undefined : host.store.locate?.(sessionId, folder);
}

/** A person's no is an end as good as green tests. */
function exitCodeOfDemo(outcome: SessionOutcome, facts: DemoFacts, { calls }: DecisionLog): ExitCode {
  if (outcome.exitCode !== EXIT.done || facts.testsPass.after) return outcome.exitCode;
  const refused = calls.some((call) => call.answeredBy === "person" && call.decision.behavior === "deny");
  return refused ? EXIT.done : EXIT.failed;
}
