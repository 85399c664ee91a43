import type { CanUseTool, CanUseToolContext, DecisionReason, JsonObject } from "../protocol/index.ts";
import { copyJson } from "../schema/index.ts";
import { cutAt } from "../tools/index.ts";
import type { Answer } from "./read-answer.ts";
import { readAnswer } from "./read-answer.ts";
import { suggestionsOf } from "./suggestions.ts";
import type { GateDeps, GateScope, Judged } from "./types.ts";
import { Cancelled, messageOf, TooSlow, wait } from "./waiting.ts";

/** Characters of a call's summary in a title. */
const MOST_SUMMARY = 200;

/**
 * Asks the host's `canUseTool` about one call. Every way not to answer becomes a `bad` answer;
 * the wait ends when the run is aborted, and a later answer is ignored.
 *
 * @throws Cancelled
 */
export async function askCallback(
  canUseTool: CanUseTool,
  judged: Judged,
  deps: GateDeps,
  scope: GateScope,
): Promise<Answer> {
  const ms = deps.canUseToolTimeoutMs;
  // Without a limit of its own the question is moot when the round is.
  const moot = ms === undefined ? undefined : new AbortController();
  const onAbort = (): void => moot?.abort(scope.signal.reason);
  if (moot !== undefined) scope.signal.addEventListener("abort", onAbort, { once: true });
  const signal = moot?.signal ?? scope.signal;
  try {
    const shown = copyJson(judged.input);
    const input = shown.ok ? (shown.value as JsonObject) : { ...judged.input };
    const answer: unknown = await wait(
      canUseTool(judged.facts.name, input, contextOf(judged, deps, scope, signal)),
      scope.signal,
      ms === undefined ? undefined : { ms, clock: deps.platform.clock },
    );
    return readAnswer(answer, judged.input);
  } catch (error) {
    if (error instanceof Cancelled || scope.signal.aborted) throw new Cancelled();
    if (!(error instanceof TooSlow)) return { kind: "bad", problem: `it threw: ${messageOf(error)}` };
    moot?.abort(error);
    return { kind: "bad", problem: `it gave no answer within ${ms} ms (canUseToolTimeoutMs)` };
  } finally {
    if (moot !== undefined) scope.signal.removeEventListener("abort", onAbort);
  }
}

const ABOUT = Symbol("about");

/** One getter for all contexts: with one that closes over its question each would have a shape of its own. */
const SUGGESTIONS: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: { readonly [ABOUT]: Judged }) {
    return suggestionsOf(this[ABOUT]);
  },
};

function contextOf(judged: Judged, deps: GateDeps, scope: GateScope, signal: AbortSignal): CanUseToolContext {
  const { decision, facts, input } = judged;
  const { tool, call } = judged.prepared;
  const { displayName, title } = shownCall(judged);
  const description = text(() => tool.describe(input), tool.description);
  const blockedPath = pathOf(decision.reason);
  const server = tool.mcpInfo?.serverName;
  const context = {
    signal,
    toolUseID: call.id,
    ...(scope.agentId === undefined ? {} : { agentID: scope.agentId }),
    requestId: deps.platform.ids.short("req"),
    title,
    displayName,
    description,
    ...(blockedPath === undefined ? {} : { blockedPath }),
    decisionReason: decision.message,
    ...(decision.rule === undefined ? {} : { matchedRule: decision.rule.text }),
    ...(server === undefined ? {} : { mcpServer: server }),
    decision,
    destructive: facts.destructive,
    openWorld: facts.openWorld,
  };
  Object.defineProperty(context, ABOUT, { value: judged });
  return Object.defineProperty(context, "suggestions", SUGGESTIONS) as CanUseToolContext;
}

/** What people are shown of a call: its name there, and one line. */
export function shownCall({ facts, input, prepared }: Judged): {
  readonly displayName: string;
  readonly title: string;
} {
  const { tool } = prepared;
  const displayName = text(() => tool.userFacingName(input), tool.title ?? tool.name);
  const summary = text(() => tool.summary(input), "");
  return { displayName, title: titleOf(displayName, summary, facts.destructive) };
}

/** `Bash: npm test`, on one line. */
function titleOf(displayName: string, summary: string, destructive: boolean): string {
  const line = summary.replace(/\s+/g, " ").trim();
  const shown = line.length > MOST_SUMMARY ? `${cutAt(line, MOST_SUMMARY)} …` : line;
  const title = shown === "" || shown === displayName ? displayName : `${displayName}: ${shown}`;
  return destructive ? `${title} (cannot be undone)` : title;
}

function pathOf(reason: DecisionReason): string | undefined {
  if (reason.type === "subcommand") return pathOf(reason.reason);
  return reason.type === "workingDirectory" || reason.type === "safetyCheck" ? reason.path : undefined;
}

function text(ask: () => string, otherwise: string): string {
  try {
    const answer: unknown = ask();
    return typeof answer === "string" && answer !== "" ? answer : otherwise;
  } catch {
    return otherwise;
  }
}
