import type { Platform } from "../platform/index.ts";
import type {
  ApprovalEnd,
  ApprovalRecord,
  ApprovalStore,
  DecisionReason,
  EventData,
  JsonObject,
  JsonValue,
  MatchedRule,
  PermissionUpdate,
  Recorder,
} from "../protocol/index.ts";

/** A call that nobody but a person, or who stands for one, can settle. */
export interface Question {
  readonly callId: string;
  readonly name: string;
  /** After hooks, the schema and the tool's check; it need not be JSON. */
  readonly input: JsonObject;
  readonly agentId?: string | undefined;
  readonly message: string;
  readonly reason: DecisionReason;
  readonly rule?: MatchedRule | undefined;
  readonly suggestions: readonly PermissionUpdate[];
  readonly title: string;
  /** A program may decide it. */
  readonly approver: "human" | "auto";
  readonly policyVersion: string;
  /** A hook wants it to wait: the turn ends as soon as nothing else can run. */
  readonly isDeferred: boolean;
}

/** How the wait for an answer ends. */
export type Ruling =
  | {
      readonly kind: "approve";
      readonly by: string;
      readonly updatedInput?: JsonObject;
      readonly updates: readonly PermissionUpdate[];
    }
  | { readonly kind: "reject"; readonly by: string; readonly reason?: string }
  /** Nobody decided in time. */
  | { readonly kind: "expired" }
  /** It was said that rules or mode settle the call: it is to be judged again. */
  | { readonly kind: "settled" }
  /** A Notification hook ended the run. */
  | { readonly kind: "stopped"; readonly reason: string };

/** Whether the turn may end with the call in the inbox, or waits with it. */
export type Parked = "waits" | "pauses";

export interface AskScope {
  readonly signal: AbortSignal;
  /** Called when the call begins to wait for somebody; gives what says that it does no more. */
  parked(how: Parked): () => void;
  /** The signal has fired because the session ends or pauses: call and question stay for whoever goes on. */
  isLeft(): boolean;
}

/** The session's side of the inbox. */
export interface Desk {
  /**
   * Puts a question into the inbox and waits for what is decided about it. It is in the log and in the store before
   * anybody is told. One that was asked before about the same input goes on, with its decision if there is one.
   *
   * Rejects with the signal's reason when that fires, and with `store_failed`.
   */
  ask(question: Question, scope: AskScope): Promise<Ruling>;
  /** The call is over without an answer: its question is over too. */
  end(requested: EventData<"approval.requested">, why: ApprovalEnd): void;
  /**
   * Somebody has decided about the call with this very input. If nobody has, the question is taken back, and nobody can.
   *
   * Rejects with `store_failed`.
   */
  isRuled(callId: string, input: JsonObject): Promise<boolean>;
  /** Rules or mode have come to settle a call that waits: unless somebody has decided, `ask` resolves with `settled`. */
  settle(callId: string): void;
  /** Ends the questions of calls that nobody can go on with: those that a handler made, of a run that broke off. */
  sweep(): void;
  /** Rejects all that waits. @param reason the model reads it */
  rejectAll(reason: string): Promise<void>;
  /** Resolves once the store knows of every question that was taken back. */
  close(): Promise<void>;
}

/** How people hear of a question. */
export interface Tell {
  /** False: an earlier run has told of it, and this one only goes on waiting. */
  readonly isFresh: boolean;
  readonly isDeferred: boolean;
  record(): ApprovalRecord;
}

export interface Told {
  /** Resolves when somebody who was told ends the run. Undefined: nobody can. */
  readonly stopped?: Promise<Extract<Ruling, { kind: "stopped" }>>;
  /** The wait is over. @param isLeft nobody answered: the session ends or pauses, and the question stays. */
  over(isLeft: boolean): void;
}

/** What of the session's state the desk reads. */
interface DeskState {
  readonly approvals: ReadonlyMap<
    string,
    {
      readonly requested: EventData<"approval.requested">;
      readonly resolved?: EventData<"approval.resolved">;
    }
  >;
  readonly round?: { readonly calls: ReadonlyMap<string, { readonly part: { readonly input: JsonValue } }> };
}

export interface DeskParts {
  readonly store: ApprovalStore;
  readonly platform: Pick<Platform, "clock" | "ids" | "sha256">;
  readonly log: Recorder & { readonly state: DeskState };
  readonly sessionId: string;
  readonly onPending: "wait" | "pause";
  /** Milliseconds that somebody has. Absent: no end. */
  readonly expiresInMs?: number | undefined;
  /** Takes out of a question what must not be recorded. @throws what the session's redactor throws */
  readonly redact?:
    | ((requested: EventData<"approval.requested">) => EventData<"approval.requested">)
    | undefined;
  /** Must not throw. */
  tell(requested: EventData<"approval.requested">, tell: Tell): Told;
}
