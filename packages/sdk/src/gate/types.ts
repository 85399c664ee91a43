import type { Desk, Parked } from "../approvals/index.ts";
import type { HookRunDeps, HookTable } from "../hooks/index.ts";
import type { CompiledPolicy, DecideCall, HookEffect, ToolFacts } from "../permissions/index.ts";
import type { Platform } from "../platform/index.ts";
import type {
  ApprovalEnd,
  BaseHookInput,
  CanUseTool,
  Decision,
  JsonObject,
  PermissionContext,
  PermissionUpdate,
  Recorder,
  ResolvedTarget,
  ToolCall,
  ToolDefinition,
  ToolServices,
} from "../protocol/index.ts";
import type { Catalogue } from "../tools/index.ts";
import type { Workspace } from "../workspace/index.ts";

/** The one door that every call goes through, whoever makes it. It executes nothing. */
export interface Gate {
  /**
   * Validates, runs the PreToolUse hooks, decides, and asks where the answer is ask.
   * Expected outcomes are values; it does not reject for anything that a tool, hook or callback does.
   */
  authorise(call: GateCall, scope: GateScope): Promise<Verdict>;
  /**
   * The decision alone, as `authorise` comes to it: nobody is asked, and an ask stays one unless mode or settings
   * turn it into a deny.
   */
  consider(call: GateCall, scope: GateScope): Promise<Considered>;
  /**
   * Looks again at the moment before the call runs: the same verdict while mode and rules are what they
   * were, else the call is decided anew and, if it comes to that, asked about. Hooks do not run again.
   *
   * @param anew other calls have run since: the disk may be another one, so it is looked at in any case.
   */
  confirm(verdict: RunVerdict, scope: GateScope, anew?: boolean): Promise<Verdict>;
  /** False: the call never waits in the inbox, whatever it comes to. */
  mayPark(callId: string): boolean;
  /** A question about the call stands in the log, answered or not, and the call has not begun. */
  isAsked(callId: string): boolean;
  /** The call gets its result: a question about it that nobody has answered is over. */
  over(callId: string): void;
  /** False once mode or rules changed after the verdict: `confirm` it then. */
  isCurrent(verdict: RunVerdict): boolean;
}

export type GateCall = ToolCall & {
  readonly assistantMessageId: string;
  /** Its input is not the one that the model sent: a redactor took something out, and nobody knows it any more. */
  readonly isRedacted?: true;
};

export interface GateScope {
  readonly signal: AbortSignal;
  /**
   * Told when the call begins to wait in the inbox; gives what says that it waits no more. Present where the call may
   * be left open when the session ends, so that whoever resumes it goes on waiting.
   */
  readonly spot?: {
    parked(how: Parked): () => void;
    /** The signal has fired because the session ends or pauses: the call is left open in the log. */
    isLeft(): boolean;
  };
  readonly agentId?: string;
}

export type Verdict = RunVerdict | RefuseVerdict | { readonly kind: "cancelled" };

/** What a call comes to before anybody is asked. */
export type Considered =
  | { readonly kind: "decided"; readonly judged: Judged; readonly decision: Decision }
  | RefuseVerdict
  | { readonly kind: "cancelled" };

export interface RunVerdict {
  readonly kind: "run";
  readonly tool: ToolDefinition;
  readonly facts: ToolFacts;
  /** Final: after hooks, the tool's check and edits. */
  readonly input: JsonObject;
  /** As they were judged, in the order of `tool.targets(input)`. */
  readonly targets: readonly ResolvedTarget[];
  readonly decision: Decision;
  /** `canUseTool` was asked about this call and allowed it. */
  readonly asked: boolean;
  /** A PermissionRequest hook answered in the person's stead. */
  readonly hookAnswered?: true;
  readonly hookContexts: readonly string[];
  /** What `confirm` decides anew from. */
  readonly basis: Judged;
}

export interface RefuseVerdict {
  readonly kind: "refuse";
  readonly code: "no_such_tool" | "invalid_input" | "denied";
  /** What the model reads. */
  readonly text: string;
  /** Absent where there is no such tool. */
  readonly tool?: ToolDefinition;
  readonly decision?: Decision;
  /** As far as it came: the final input of a denied call, the model's own of an invalid one. */
  readonly input: JsonObject;
  /** The person wants the run to end after this call's result. */
  readonly interrupt?: true;
  /** A hook wants the run to end. */
  readonly stop?: { readonly reason: string };
  readonly asked?: true;
  readonly hookContexts: readonly string[];
}

/** A call after validation and hooks. */
export interface Prepared {
  readonly call: GateCall;
  readonly tool: ToolDefinition;
  readonly input: JsonObject;
  readonly hooks?: HookEffect;
  readonly hookContexts: readonly string[];
}

/** A call with everything that `decide()` saw, and its answer. */
export interface Judged {
  readonly prepared: Prepared;
  readonly facts: ToolFacts;
  readonly input: JsonObject;
  readonly targets: readonly ResolvedTarget[];
  readonly check?: NonNullable<DecideCall["check"]>;
  readonly context: PermissionContext;
  readonly policy: CompiledPolicy;
  readonly decision: Decision;
}

/** The inbox, and what goes there: all questions that are left, or those that a hook defers. */
export type GateDesk = Pick<Desk, "ask" | "isRuled" | "settle"> & {
  readonly isDurable: boolean;
  /** The call is over, or settled, without an answer: its question, if one is open, is over too. */
  moot(callId: string, why: ApprovalEnd): void;
  /** It is there, or was answered and has not begun. */
  isAsked(callId: string): boolean;
  /** Somebody has decided about it. */
  isDecided(callId: string): Promise<boolean>;
};

export type Level = "info" | "warning" | "error";

export interface GateDeps {
  readonly catalogue: Catalogue;
  readonly workspace: Workspace;
  readonly policy: PolicyHolder;
  readonly hooks: HookTable;
  /** The fields that every hook input has; called only when a hook matches. */
  hookInput(): BaseHookInput;
  /** Told of each hook that begins. */
  readonly hookStarted?: HookRunDeps["started"];
  readonly canUseTool?: CanUseTool | undefined;
  /** Where questions wait for somebody outside of this process. Absent: only `canUseTool` can be asked. */
  readonly desk?: GateDesk | undefined;
  /**
   * Writes updates that are meant for settings files, before they count, and gives those that count then. It must not
   * reject. Absent: updates for a file are refused.
   */
  readonly persist?:
    | ((updates: readonly PermissionUpdate[]) => Promise<readonly PermissionUpdate[]>)
    | undefined;
  /** How long one answer may take; none by default. */
  readonly canUseToolTimeoutMs?: number | undefined;
  /** `every-call`: also asked about allowed calls, where it can only tighten. */
  readonly canUseToolScope: "ask" | "every-call";
  readonly services: ToolServices;
  readonly platform: Platform;
  readonly recorder: Recorder;
  readonly sessionId: string;
  /** For people: failing hooks, malformed answers. It must not throw. */
  notify(level: Level, message: string): void;
}

/** The policy of this moment. Contexts are immutable: a change makes a new one. */
export interface PolicyNow {
  readonly context: PermissionContext;
  readonly policy: CompiledPolicy;
}

/** `note`: what is another way than was asked for, for a person. */
export type PolicyChange =
  | { readonly ok: true; readonly note?: string }
  | { readonly ok: false; readonly error: string };

/** Holds the context of a session. Ask `current()` again after every await. */
export interface PolicyHolder {
  current(): PolicyNow;
  /** Calls `listener` behind each change; gives what stops that. It must not throw. */
  onChange(listener: () => void): () => void;
  /**
   * Applies all updates or none. What the directories that are added really mean is looked up here.
   *
   * @param by who changed it, for the log.
   */
  update(updates: readonly PermissionUpdate[], by: string): PolicyChange;
  /** `yolo` is `bypassPermissions`, which is refused without the danger flag. */
  setMode(mode: string, by: string): PolicyChange;
  /**
   * Goes back to the mode before plan mode; to default, with a note, where that one may not be had any more. Nothing
   * happens outside plan mode.
   */
  leavePlanMode(by: string): PolicyChange;
}
