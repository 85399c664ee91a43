import type { Decision, ToolDefinition } from "../protocol/index.ts";
import { askInbox, settle } from "./chain.ts";
import { checkContext, judge, judgeAgain } from "./judge.ts";
import { runPreHooks } from "./pre-hooks.ts";
import { askClosed, settleAnswered } from "./settle-answered.ts";
import type {
  Considered,
  Gate,
  GateCall,
  GateDeps,
  GateScope,
  Judged,
  Prepared,
  RefuseVerdict,
  RunVerdict,
  Verdict,
} from "./types.ts";
import { validateUnanswered } from "./validate.ts";
import { finalInput } from "./verdicts.ts";
import { Cancelled, throwIfAborted } from "./waiting.ts";

/** Makes the gate of one session. */
export function createGate(deps: GateDeps): Gate {
  return new SessionGate(deps);
}

class SessionGate implements Gate {
  readonly #deps: GateDeps;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  authorise(call: GateCall, scope: GateScope): Promise<Verdict> {
    return authorise(call, this.#deps, scope);
  }

  consider(call: GateCall, scope: GateScope): ReturnType<Gate["consider"]> {
    return consider(call, this.#deps, scope);
  }

  confirm(verdict: RunVerdict, scope: GateScope, anew = false): Promise<Verdict> {
    return confirm(verdict, this.#deps, scope, anew);
  }

  mayPark(callId: string): boolean {
    const { desk, hooks } = this.#deps;
    return desk !== undefined && (desk.isDurable || hooks.has("PreToolUse") || desk.isAsked(callId));
  }

  isAsked(callId: string): boolean {
    return this.#deps.desk?.isAsked(callId) === true;
  }

  over(callId: string): void {
    this.#deps.desk?.moot(callId, "cancelled");
  }

  isCurrent(verdict: RunVerdict): boolean {
    return this.#deps.policy.current().policy === verdict.basis.policy;
  }
}

/** One function from here to the question: what is suspended while a person thinks costs memory. */
async function authorise(call: GateCall, deps: GateDeps, scope: GateScope): Promise<Verdict> {
  try {
    const examined = await examine(call, deps, scope);
    let verdict = examined.ok ? await settle(examined.judged, deps, scope) : examined.verdict;
    // Whoever decided in the inbox was first.
    if (
      examined.ok &&
      mayBeRuled(verdict, call.id, deps) &&
      (await deps.desk?.isRuled(call.id, examined.judged.input))
    ) {
      verdict = await askInbox(examined.judged, deps, scope);
    }
    // An earlier run may have put it into the inbox, and now rules or mode settle it.
    deps.desk?.moot(call.id, call.isRedacted === true ? "lost" : "settled");
    return verdict;
  } catch (error) {
    return cancelledBy(error);
  }
}

/** The call would run by another word than that of the inbox, where it was put once. */
function mayBeRuled(verdict: Verdict, callId: string, { desk }: GateDeps): verdict is RunVerdict {
  return (
    verdict.kind === "run" && verdict.decision.reason.type !== "approval" && desk?.isAsked(callId) === true
  );
}

type Examined =
  | { readonly ok: true; readonly judged: Judged }
  | { readonly ok: false; readonly verdict: RefuseVerdict };

/** The call up to its decision: nobody is asked. */
async function examine(call: GateCall, deps: GateDeps, scope: GateScope): Promise<Examined> {
  throwIfAborted(scope.signal);
  const tool = deps.catalogue.resolve(call.name);
  if (tool === undefined) return refused(noSuchTool(call, deps));
  if (call.isRedacted === true) return refused(invalid(redactedText(call), call, tool, []));
  const validated = await validateUnanswered(tool, call.input, checkContext(deps, scope));
  if (!validated.ok) return refused(invalid(validated.text, call, tool, []));

  const hooked = await runPreHooks(call, tool, validated.input, deps, scope);
  if (hooked.kind === "invalid") return refused(invalid(hooked.text, call, tool, hooked.contexts));
  if (hooked.kind === "stopped") return refused(stopped(hooked.prepared, hooked.reason));

  const judgement = await judge(hooked.prepared, hooked.prepared.input, deps, scope);
  if (judgement.ok) return judgement;
  return refused(invalid(judgement.text, call, tool, hooked.prepared.hookContexts));
}

function refused(verdict: RefuseVerdict): Examined {
  return { ok: false, verdict };
}

/**
 * As `authorise`, up to the question: what was decided, with modes and settings that turn a question into a refusal.
 * No person, callback or PermissionRequest hook is asked.
 */
async function consider(
  call: GateCall,
  deps: GateDeps,
  scope: GateScope,
): Promise<Considered | { readonly kind: "cancelled" }> {
  try {
    const examined = await examine(call, deps, scope);
    if (!examined.ok) return examined.verdict;
    const { judged } = examined;
    return { kind: "decided", judged, decision: finalInput(judged, askClosed(judged) ?? judged.decision) };
  } catch (error) {
    return cancelledBy(error);
  }
}

async function confirm(
  verdict: RunVerdict,
  deps: GateDeps,
  scope: GateScope,
  anew: boolean,
): Promise<Verdict> {
  try {
    throwIfAborted(scope.signal);
    const { basis, decision } = verdict;
    if (!anew && deps.policy.current().policy === basis.policy) return verdict;
    const again = await judgeAgain(basis.prepared, basis.input, basis.check, deps, scope);
    // Who allowed it has allowed it still.
    return verdict.asked ? settleAnswered(again, basis, deps, decision) : await settle(again, deps, scope);
  } catch (error) {
    return cancelledBy(error);
  }
}

/** @throws what is no `Cancelled`. */
function cancelledBy(error: unknown): { readonly kind: "cancelled" } {
  if (error instanceof Cancelled) return { kind: "cancelled" };
  throw error;
}

function noSuchTool(call: GateCall, deps: GateDeps): RefuseVerdict {
  const near = deps.catalogue.nearest(call.name);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  const text = `No such tool: ${call.name.slice(0, 200)}.${hint}`;
  return { kind: "refuse", code: "no_such_tool", text, input: call.input, hookContexts: [] };
}

function invalid(
  text: string,
  call: GateCall,
  tool: ToolDefinition,
  hookContexts: readonly string[],
): RefuseVerdict {
  return { kind: "refuse", code: "invalid_input", text, tool, input: call.input, hookContexts };
}

/** What was taken out may be the very thing that decides; what is left must not run in its place. */
function redactedText({ name }: GateCall): string {
  return (
    `The input of ${name} was redacted when it was recorded, and the run that knew it is over, so it did not run. ` +
    "Call it again, with its whole input, if it is still wanted."
  );
}

/** A hook ended the run before the call: it must not run, whatever else was said about it. */
function stopped(prepared: Prepared, reason: string): RefuseVerdict {
  const detail = `A PreToolUse hook ended the run, so this did not run: ${reason}`;
  const decision: Decision = {
    behavior: "deny",
    message: detail,
    reason: { type: "hook", detail },
    hard: false,
    trace: [],
    suggestions: [],
  };
  const { tool, input, hookContexts } = prepared;
  return {
    kind: "refuse",
    code: "denied",
    text: detail,
    tool,
    decision,
    input,
    stop: { reason },
    hookContexts,
  };
}
