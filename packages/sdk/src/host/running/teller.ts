import type { HookStart } from "../../hooks/index.ts";
import type { Platform } from "../../platform/index.ts";
import type { PermissionMode, SDKMessage, SDKToolProgress, SessionEvent } from "../../protocol/index.ts";
import type { ProgressNote, SchedulerDeps } from "../../scheduler/index.ts";
import { project, projectPrompt, type SessionState } from "../../sessions/index.ts";
import type { Options } from "../options/types.ts";
import { type Activity, createActivity } from "./activity.ts";
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
  options: Pick<Options, "stderr" | "debug" | "includeHookEvents" | "enableFileCheckpointing">,
  sessionId: string,
): Teller {
  let early: SDKMessage[] | undefined = [];
  let unwritten: SDKMessage[] = [];

  function line(text: string): void {
    try {
      options.stderr?.(text);
    } catch {
      // A broken log must not end a session.
    }
  }

  const ids = (): MessageIds => ({ uuid: platform.ids.uuid(), session_id: teller.sessionId });

  function goOn(): void {
    for (const message of early ?? []) queue.push(message);
    early = undefined;
  }

  const teller: Teller = {
    sessionId,
    notify(level, message) {
      if (level !== "info" || options.debug === true) line(`${level}: ${message}`);
      const note = { type: "system", subtype: "notification", ...ids(), level, message } as const;
      if (early === undefined) queue.push(note);
      else early.push(note);
    },
    toolLog(level, message, callId) {
      if (level === "warn" || level === "error" || options.debug === true)
        line(`${level}: ${callId}: ${message}`);
    },
    progress: (note) => queue.push(progressMessage(note, ids())),
    held({ model, leastMs }, permissionMode) {
      const held_back = { model, least_wait_ms: leastMs };
      queue.push({ type: "system", subtype: "status", ...ids(), permissionMode, held_back });
    },
    activity: createActivity((state) => {
      queue.push({ type: "system", subtype: "session_state_changed", ...ids(), state });
    }),
    hookStarted({ event, hook, toolUseId }) {
      const id = platform.ids.short("hook");
      queue.push({
        type: "system",
        subtype: "hook_started",
        ...ids(),
        ...{ hook_id: id, hook_name: hook, hook_event: event },
        ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
      });
      return id;
    },
    event(event, state) {
      // Its record must be stored before anybody hears of it.
      if (event.type === "approval.requested") return;
      if (event.type === "hook.ran" && options.includeHookEvents !== true) return;
      if (event.type === "user.message" && options.enableFileCheckpointing === true) {
        for (const message of projectPrompt(event, state)) queue.push(message);
      }
      const messages = project(event, state);
      if (event.type === "result") unwritten.push(...messages);
      else for (const message of messages) queue.push(message);
      if (event.type === "session.configured") goOn();
    },
    approval: (message) => queue.push(message(ids())),
    written() {
      for (const message of unwritten) queue.push(message);
      unwritten = [];
    },
    failed() {
      const lost = unwritten;
      unwritten = [];
      goOn();
      return lost;
    },
  };
  return teller;
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
