import { runUserTurn } from "../../loop/index.ts";
import type { EventStore } from "../../protocol/index.ts";
import { AbortError, type CastellanError } from "../../protocol/index.ts";
import { claimSession } from "../claims.ts";
import { type OpenSession, openSession } from "../opening/open-session.ts";
import type { CheckedOptions } from "../options/parse.ts";
import type { Options } from "../options/types.ts";
import type { Shared } from "../shared.ts";
import { createBrake } from "./brake.ts";
import { failureResult } from "./failure-result.ts";
import { createInbox } from "./inbox.ts";
import type { Inbox } from "./inbox-types.ts";
import { createFirstLook, type InterruptReceipt, interruptTurn } from "./interrupt.ts";
import { createMessageQueue, type MessageQueue } from "./message-queue.ts";
import { pumpPrompts } from "./pump-prompts.ts";
import { tellLost } from "./tell-lost.ts";
import { createTeller } from "./teller.ts";
import { turnsOf } from "./turns-of.ts";
import type { Prompt } from "./user-message.ts";

/** A session on its way, from its first step to the last message. It runs whether it is read or not. */
export interface SessionRun {
  readonly queue: MessageQueue;
  readonly inbox: Inbox;
  readonly store: EventStore;
  /** Resolves when everything is written and let go of; never rejects. */
  readonly ended: Promise<void>;
  /** All is written and told; control methods come too late. */
  isOver(): boolean;
  /** The session once it is open; rejects with what kept it from opening. */
  readonly session: Promise<OpenSession>;
  /** Ends the turn that runs, or the one that has been asked for and has yet to begin. */
  interrupt(): Promise<InterruptReceipt>;
  /**
   * Takes one more message, checked. Resolves once there is room for another.
   *
   * @throws CastellanError `query_closed`
   */
  send(prompt: Prompt): Promise<void>;
  /** Feeds further messages. Rejects with `query_closed`, or with what the stream threw. */
  stream(messages: AsyncIterable<unknown>): Promise<void>;
  /** Ends the session; resolves as `ended` does. */
  close(): Promise<void>;
}

export interface RunParts {
  readonly shared: Shared;
  readonly checked: CheckedOptions;
  readonly prompt: string | AsyncIterable<unknown>;
}

/** Starts a session at once and returns its handles. */
export function startRun({ shared, checked, prompt }: RunParts): SessionRun {
  const { platform, store } = shared;
  const { options, hooks } = checked;
  const newId = options.sessionId ?? platform.ids.uuid();
  const began = platform.clock.monotonic();
  const queue = createMessageQueue();
  const teller = createTeller(queue, platform, options, firstGuess(options, newId));
  const brake = createBrake(typeof prompt === "string");
  const inbox = createInbox(
    () => void brake.cut("new_message"),
    () => brake.expect(),
    () => {
      const heard = session.then(({ desk, timers }) => {
        timers.heard();
        return desk?.heard();
      });
      void heard.catch(() => {});
    },
  );
  teller.inbox = inbox;
  const main = inbox.source();
  let unclaim: (() => void) | undefined;
  let releases: readonly (() => Promise<void>)[] = [];
  let isOver = false;
  const look = createFirstLook(typeof prompt !== "string", brake, inbox, platform.clock);

  const discard = (): void => {
    inbox.discard();
    tellLost(inbox.takeLost(), teller);
  };
  const end = (code: "close" | "abort"): void => {
    discard();
    brake.end(code);
  };
  /** The lease went while no turn ran: nobody has been told yet. */
  let lost: CastellanError | undefined;
  const unlisten = shared.lease?.onLost((error) => {
    if (!brake.hasTurn() && typeof prompt !== "string") lost = error;
    end("close");
  });
  const outer = options.abortController?.signal;
  const onOuterAbort = (): void => end("abort");
  if (outer?.aborted === true) onOuterAbort();
  else outer?.addEventListener("abort", onOuterAbort, { once: true });

  for (const warning of checked.warnings) teller.notify("warning", warning);
  const session = openSession({
    ...{ shared, options, hooks, newId, inbox, queue, teller },
    claim(sessionId) {
      teller.sessionId = sessionId;
      unclaim = claimSession(store, sessionId);
    },
    stop: () => brake.stop(),
    atEnd(release) {
      releases = releases.concat(release);
    },
  });

  async function run(): Promise<void> {
    let open: OpenSession | undefined;
    try {
      open = await session;
      const { log, loop, desk } = open;
      inbox.bind(open);
      const nextTurn = turnsOf(open, { prompt, main, inbox, brake, teller, look });
      // All turns, in order, and here: a turn may last for days, and each function that is suspended above it with it.
      for (let turn = await nextTurn(); turn !== undefined; turn = await nextTurn()) {
        const { message } = turn;
        teller.activity.go("running");
        inbox.keep();
        if (message !== undefined) await desk?.heard();
        await brake.turn((signal, settled) => runUserTurn(loop, signal, message, settled));
        // A result goes out once it is written.
        teller.written();
        log.snapshot();
      }
      await log.barrier();
      if (lost !== undefined) throw lost;
    } catch (error) {
      discard();
      const unwritten = teller.failed();
      const durationMs = Math.round(platform.clock.monotonic() - began);
      const { sessionId } = teller;
      const failed = { platform, sessionId, error, state: open?.log.state, unwritten, durationMs };
      for (const message of failureResult(failed)) queue.push(message);
    }
    unlisten?.();
    brake.done();
    look.over();
    outer?.removeEventListener("abort", onOuterAbort);
    discard();
    await Promise.all(releases.map((letGo) => letGo()));
    await closeLog(open);
    if (unclaim !== undefined) await release(store, teller.sessionId);
    unclaim?.();
    isOver = true;
    queue.end(brake.ending() === "abort" ? new AbortError() : undefined);
  }
  const ended = run();

  return {
    queue,
    inbox,
    store,
    session,
    ended,
    isOver: () => isOver,
    interrupt: () => interruptTurn(brake, inbox, look),
    async send(prompt) {
      const source = inbox.source();
      const written = source.push(prompt);
      const room = source.room();
      source.end();
      await written;
      await room;
    },
    async stream(messages) {
      const source = inbox.source();
      try {
        await pumpPrompts(messages, source, brake.stop());
      } finally {
        source.end();
      }
    },
    close() {
      end("close");
      return ended;
    },
  };
}

/** Which session it is most likely to be, until that is known. */
function firstGuess({ resume, forkSession, resumeSessionAt }: Options, newId: string): string {
  return resume === undefined || forkSession === true || resumeSessionAt !== undefined ? newId : resume;
}

async function closeLog(open: OpenSession | undefined): Promise<void> {
  try {
    await open?.log.close();
  } catch {
    // The result has told that the log could not be written.
  }
}

async function release(store: EventStore, sessionId: string): Promise<void> {
  try {
    await store.release?.(sessionId);
  } catch {
    // What was acknowledged is written; the claim goes with this process.
  }
}
