import type { Snapshot } from "../protocol/index.ts";
import { NO_APPROVALS, NO_QUEUE, NO_TIMERS, type Round, type RoundCall, type SessionState } from "./state.ts";

/** The version of `encodeState`. Another meaning of the same text, or a change of the fold inside one release, is a new one. */
export const SNAPSHOT_VERSION = 2;

/** What a snapshot is made and checked with. */
export interface SnapshotParts {
  /** The release that folds. A fold of another one is not believed: it may know other events, or read them otherwise. */
  readonly release: string;
  /** SHA-256 in hex. */
  readonly sha256: (text: string) => string;
}

/** @param lastId the `id` of event `state.lastSeq`: it binds the snapshot to this very log. */
export function makeSnapshot(state: SessionState, lastId: string, parts: SnapshotParts): Snapshot {
  const head = JSON.stringify({ release: parts.release, lastId });
  const text = `${head.slice(0, -1)},"state":${encodeState(state)}}`;
  return { v: SNAPSHOT_VERSION, seq: state.lastSeq, hash: parts.sha256(text), state: text };
}

/** What a snapshot that may be believed holds. */
export interface OpenedSnapshot {
  readonly state: SessionState;
  readonly lastId: string;
}

/** Undefined for a snapshot of another version or release, and for one that was changed. Never throws. */
export function openSnapshot(snapshot: Snapshot, parts: SnapshotParts): OpenedSnapshot | undefined {
  try {
    const { v, seq, hash, state: text } = snapshot;
    if (v !== SNAPSHOT_VERSION || parts.sha256(text) !== hash) return undefined;
    const { release, lastId, state: encoded } = JSON.parse(text) as Record<string, unknown>;
    if (release !== parts.release || typeof lastId !== "string") return undefined;
    const state = decode(encoded as EncodedState);
    return state.lastSeq === seq && seq > 0 ? { state, lastId } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A state as one text: the same for equal states, however they came about. Its own fields have a fixed order; what
 * events hold keeps the order that it was written in, since providers get that back byte for byte.
 */
export function encodeState(state: SessionState): string {
  const { usage, modelUsage, modelCostUsd, costUsd, costUnknown } = state.total;
  const encoded: EncodedState = {
    sessionId: state.sessionId,
    cwd: state.cwd,
    shellCwd: state.shellCwd,
    release: state.release,
    title: state.title,
    tags: state.tags,
    configured: state.configured,
    model: state.model,
    messages: state.messages,
    compacted: state.compacted,
    round: encodeRound(state.round, state),
    closedRound: encodeRound(state.closedRound, state),
    mode: state.mode,
    prePlanMode: state.prePlanMode,
    sessionRules: state.sessionRules,
    removedRules: state.removedRules,
    additionalDirectories: state.additionalDirectories,
    todos: state.todos,
    filesSeen: [...state.filesSeen],
    tasks: [...state.tasks],
    // Seldom there: states without one are the same text as before there were any.
    approvals: state.approvals.size === 0 ? undefined : [...state.approvals],
    queue: state.queue.size === 0 ? undefined : [...state.queue],
    timers: state.timers.size === 0 ? undefined : [...state.timers],
    userMessageId: state.userMessageId,
    usage: state.usage,
    modelUsage: state.modelUsage,
    modelCostUsd: state.modelCostUsd,
    costUsd: state.costUsd,
    costUnknown: state.costUnknown,
    total: { usage, modelUsage, modelCostUsd, costUsd, costUnknown },
    woken: state.woken,
    turn: state.turn,
    missed: state.missed,
    denials: state.denials,
    lastSeq: state.lastSeq,
    results: state.results,
    outcome: state.outcome,
  };
  return JSON.stringify(encoded);
}

/** Maps as pairs. A field that is new in the state does not compile until it is written here. */
type Plain<T> = T extends ReadonlyMap<infer K, infer V> ? readonly (readonly [K, V])[] : T;

type EncodedState = {
  readonly [K in keyof Required<SessionState>]: K extends "round" | "closedRound"
    ? EncodedRound | undefined
    : K extends "approvals" | "queue" | "timers"
      ? Plain<SessionState[K]> | undefined
      : Plain<SessionState[K]>;
};

interface EncodedRound {
  readonly assistant: Round["assistant"];
  readonly calls: readonly RoundCall[];
  readonly open: number;
  readonly waiting: Round["waiting"];
  /** The place in `denials`, where it still stands there: a call that is decided again replaces it. */
  readonly denied: readonly (readonly [callId: string, denial: number | SessionState["denials"][number]])[];
}

function encodeRound(round: Round | undefined, { denials }: SessionState): EncodedRound | undefined {
  if (round === undefined) return undefined;
  return {
    assistant: round.assistant,
    calls: Array.from(round.calls.values(), ({ part, decided, started, finished }) => {
      return { part, decided, started, finished } as RoundCall;
    }),
    open: round.open,
    waiting: round.waiting,
    denied: Array.from(round.denied, ([callId, denial]) => {
      const at = denials.indexOf(denial);
      return [callId, at === -1 ? denial : at] as const;
    }),
  };
}

function decode(encoded: EncodedState): SessionState {
  const { filesSeen, tasks, approvals, queue, timers, round, closedRound, ...rest } = encoded;
  return {
    ...(rest as Omit<
      SessionState,
      "filesSeen" | "tasks" | "approvals" | "queue" | "timers" | "round" | "closedRound"
    >),
    filesSeen: new Map(filesSeen),
    tasks: new Map(tasks),
    approvals: approvals === undefined ? NO_APPROVALS : new Map(approvals),
    queue: queue === undefined ? NO_QUEUE : new Map(queue),
    timers: timers === undefined ? NO_TIMERS : new Map(timers),
    ...(round === undefined ? {} : { round: decodeRound(round, encoded) }),
    ...(closedRound === undefined ? {} : { closedRound: decodeRound(closedRound, encoded) }),
  };
}

function decodeRound(round: EncodedRound, { denials }: EncodedState): Round {
  return {
    ...round,
    calls: new Map(round.calls.map((call) => [call.part.id, call])),
    denied: new Map(
      round.denied.map(([callId, denial]) => {
        return [callId, typeof denial === "number" ? (denials[denial] as (typeof denials)[number]) : denial];
      }),
    ),
  };
}
