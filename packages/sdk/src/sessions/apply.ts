import type { EventData, SessionEvent } from "../protocol/index.ts";
import { askApproval, endApproval, resolveApproval } from "./approvals.ts";
import { compact } from "./compact.ts";
import { queueMessage, unqueueMessage } from "./queued.ts";
import { decideCall, finishCall, openNextRound, startCall } from "./rounds.ts";
import { spend } from "./spending.ts";
import type { SessionState } from "./state.ts";
import { nothingSpent } from "./state.ts";
import { clearTimer, fireTimer, hearTimer, setTimer } from "./timers.ts";

/**
 * Moves `state` one event forward, in constant time, with no clock and no I/O.
 *
 * @throws `log_corrupt` for an answer of the model, or a summary, while results of the round before are missing:
 * no valid log holds that.
 */
export function apply(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "session.started":
      start(state, event.data);
      break;
    case "session.configured":
      configure(state, event.data);
      break;
    case "session.renamed":
      state.title = event.data.title;
      break;
    case "session.tagged":
      state.tags = event.data.tags;
      break;
    case "mode.changed":
      state.mode = event.data.mode;
      if (event.data.prePlanMode === undefined) delete state.prePlanMode;
      else state.prePlanMode = event.data.prePlanMode;
      break;
    case "model.changed":
      state.model = event.data.model;
      break;
    case "rules.changed":
      state.sessionRules = event.data.rules;
      state.removedRules = event.data.removed ?? [];
      state.additionalDirectories = event.data.additionalDirectories;
      break;
    case "todos.changed":
      state.todos = event.data.todos;
      break;
    case "cwd.changed":
      state.shellCwd = event.data.cwd;
      break;
    case "file.seen":
      state.filesSeen.set(event.data.path, { digest: event.data.digest, partial: event.data.partial });
      break;
    case "task.started":
      state.tasks.set(event.data.taskId, { started: event.data });
      break;
    case "task.finished":
      endTask(state, event.data);
      break;
    case "timer.set":
      setTimer(state, event.data);
      break;
    case "timer.fired":
      fireTimer(state, event.data);
      break;
    case "timer.cleared":
      clearTimer(state, event.data);
      break;
    case "user.message":
      hear(state, event.data);
      if (event.data.synthetic !== true) state.userMessageId = event.id;
      break;
    case "message.queued":
      queueMessage(state, event.data);
      break;
    case "message.dropped":
      unqueueMessage(state, event.data.uuid);
      break;
    case "model.requested":
      state.turn += 1;
      if (event.data.missed !== undefined) state.missed = event.data.missed;
      break;
    case "model.completed":
      openNextRound(state, event.data.message, event.seq);
      spend(state, event.data);
      spend(state.total, event.data);
      break;
    case "compacted":
      compact(state, event.data, event.seq);
      break;
    case "tool.decided":
      decideCall(state, event.data);
      break;
    case "tool.started":
      startCall(state, event.data);
      break;
    case "tool.finished":
      finishCall(state, event.data);
      break;
    case "approval.requested":
      askApproval(state, event.data);
      break;
    case "approval.resolved":
      resolveApproval(state, event.data);
      break;
    case "approval.expired":
      endApproval(state, event.data);
      break;
    case "result":
      Object.assign(state, nothingSpent());
      state.results += 1;
      state.outcome = event.data.subtype;
      break;
    case "file.checkpointed":
    case "model.retried":
    case "hook.ran":
      break;
  }
  state.lastSeq = event.seq;
}

function start(state: SessionState, data: EventData<"session.started">): void {
  state.sessionId = data.sessionId;
  state.cwd = data.cwd;
  state.shellCwd = data.cwd;
  state.release = data.release;
  if (data.title !== undefined) state.title = data.title;
}

/** Grants stay: a resume that forgot a deny of the session would loosen it. */
function configure(state: SessionState, data: EventData<"session.configured">): void {
  state.configured = data;
  if (data.release !== undefined) state.release = data.release;
  state.model = data.model;
  state.mode = data.mode;
  if (data.mode !== "plan") delete state.prePlanMode;
  state.removedRules = [];
  state.additionalDirectories = data.additionalDirectories;
}

function hear(state: SessionState, data: EventData<"user.message">): void {
  if (state.round === undefined) state.messages.push(data.message);
  else state.round.waiting.push(data.message);
  if (data.timerId !== undefined) hearTimer(state, data.timerId);
  if (data.missed !== undefined) state.missed = data.missed;
  if (data.synthetic === true && data.opens !== true) return;
  unqueueMessage(state, data.message.uuid);
  if (data.synthetic === true) state.woken = true;
  else delete state.woken;
  state.turn = 0;
  delete state.missed;
  state.denials = [];
}

function endTask(state: SessionState, data: EventData<"task.finished">): void {
  const task = state.tasks.get(data.taskId);
  if (task !== undefined) state.tasks.set(data.taskId, { ...task, finished: data });
}
