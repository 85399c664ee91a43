import type { HookStart } from "../../hooks/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { PermissionMode, SDKMessage, SDKToolProgress, SessionEvent } from "../../protocol/index.ts";
import type { ProgressNote, SchedulerDeps } from "../../scheduler/index.ts";
import { project, projectPrompt, type SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import { type Activity, createActivity } from "./activity.ts";
import type { Inbox } from "./inbox-types.ts";
import type { MessageQueue } from "./message-queue.ts";

export type Level = "info" | "warning" | "error";

/** Tells the reader what a session does. Nothing here throws. */
export interface Teller {
  /** The session's id, as soon as it is known. */
  sessionId: string;
  /** For people: into the iterator and, if it matters or with `debug`, to `stderr`. */
  notify(level: Level, message: string): void;
  /** What tools log: to `stderr`, since the reader of the iterator has not asked for it. */
  readonly toolLog: NonNullable<SchedulerDeps["log"]>;
  progress(note: ProgressNote): void;
  /** Tells that the next request waits for the limiter of its provider. */
  held(request: { readonly model: string; readonly leastMs: number }, mode: PermissionMode): void;
  /** Tells of a hook that begins, and gives its run an id. */
  readonly hookStarted: (start: HookStart) => string;
  /** Told when a call begins to wait that may wait for long. */
  inbox: Pick<Inbox, "keep"> | undefined;
  /** Whether the session works, waits for a message, or for an answer. */
  readonly activity: Activity;
  /** For each event as it is recorded. A result waits until it is written. */
  event(event: SessionEvent, state: SessionState): void;
  /** Tells of a call that waits in the inbox, once its record is stored. */
  approval(message: (ids: MessageIds) => SDKMessage): void;
  /** Everything recorded so far is written: what waited for that goes out. */
  written(): void;
  /** What waited for being written will not be, and is given back. Notes from before the init message go out. */
  failed(): readonly SDKMessage[];
}

/** The init message comes first: notes from before it wait for it. */
export function createTeller(
  queue: MessageQueue,
  platform: Pick<Platform, "ids">,
  options: TellerOptions,
  sessionId: string,
): Teller {
  return new SessionTeller(queue, platform, options, sessionId);
}

type TellerOptions = Pick<Options, "stderr" | "debug" | "includeHookEvents" | "enableFileCheckpointing">;

const NONE: readonly SDKMessage[] = [];

class SessionTeller implements Teller {
  sessionId: string;
  inbox: Pick<Inbox, "keep"> | undefined;
  readonly activity: Activity;
  readonly #queue: MessageQueue;
  readonly #platform: Pick<Platform, "ids">;
  readonly #options: TellerOptions;
  #early: SDKMessage[] | undefined = [];
  #unwritten: readonly SDKMessage[] = NONE;

  constructor(
    queue: MessageQueue,
    platform: Pick<Platform, "ids">,
    options: TellerOptions,
    sessionId: string,
  ) {
    this.sessionId = sessionId;
    this.#queue = queue;
    this.#platform = platform;
    this.#options = options;
    this.activity = createActivity((state) => {
      queue.push({ type: "system", subtype: "session_state_changed", ...this.#ids(), state });
    });
  }

  // These are handed on by themselves.

  readonly notify = (level: Level, message: string): void => {
    if (level !== "info" || this.#options.debug === true) this.#line(`${level}: ${message}`);
    const note = { type: "system", subtype: "notification", ...this.#ids(), level, message } as const;
    if (this.#early === undefined) this.#queue.push(note);
    else this.#early.push(note);
  };

  readonly toolLog: Teller["toolLog"] = (level, message, callId) => {
    if (level === "warn" || level === "error" || this.#options.debug === true) {
      this.#line(`${level}: ${callId}: ${message}`);
    }
  };

  readonly progress = (note: ProgressNote): void => this.#queue.push(progressMessage(note, this.#ids()));

  readonly hookStarted: Teller["hookStarted"] = ({ event, hook, toolUseId }) => {
    const id = this.#platform.ids.short("hook");
    this.#queue.push({
      type: "system",
      subtype: "hook_started",
      ...this.#ids(),
      ...{ hook_id: id, hook_name: hook, hook_event: event },
      ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
    });
    return id;
  };

  held({ model, leastMs }: Parameters<Teller["held"]>[0], permissionMode: PermissionMode): void {
    const held_back = { model, least_wait_ms: leastMs };
    this.#queue.push({ type: "system", subtype: "status", ...this.#ids(), permissionMode, held_back });
  }

  readonly event = (event: SessionEvent, state: SessionState): void => {
    if (event.type === "approval.requested" || event.type === "timer.set") this.inbox?.keep();
    // Its record must be stored before anybody hears of it.
    if (event.type === "approval.requested") return;
    const { includeHookEvents, enableFileCheckpointing } = this.#options;
    if (event.type === "hook.ran" && includeHookEvents !== true) return;
    if (event.type === "user.message" && enableFileCheckpointing === true) {
      for (const message of projectPrompt(event, state)) this.#queue.push(message);
    }
    const messages = project(event, state);
    if (event.type === "result") this.#unwritten = [...this.#unwritten, ...messages];
    else for (const message of messages) this.#queue.push(message);
    if (event.type === "session.configured") this.#goOn();
  };

  approval(message: (ids: MessageIds) => SDKMessage): void {
    this.#queue.push(message(this.#ids()));
  }

  written(): void {
    for (const message of this.#unwritten) this.#queue.push(message);
    this.#unwritten = NONE;
  }

  failed(): readonly SDKMessage[] {
    const lost = this.#unwritten;
    this.#unwritten = NONE;
    this.#goOn();
    return lost;
  }

  #line(text: string): void {
    try {
      this.#options.stderr?.(text);
    } catch {
      // A broken log must not end a session.
    }
  }

  #ids(): MessageIds {
    return { uuid: this.#platform.ids.uuid(), session_id: this.sessionId };
  }

  #goOn(): void {
    for (const message of this.#early ?? []) this.#queue.push(message);
    this.#early = undefined;
  }
}

type MessageIds = Pick<SDKToolProgress, "uuid" | "session_id">;

function progressMessage(note: ProgressNote, ids: MessageIds): SDKToolProgress {
  return {
    type: "tool_progress",
    ...ids,
    parent_tool_use_id: null,
    tool_use_id: note.callId,
    tool_name: note.name,
    progress: note.progress,
  };
}
