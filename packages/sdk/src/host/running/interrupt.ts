import type { Clock } from "../../platform/index.ts";
import type { Brake } from "./brake.ts";
import type { Inbox } from "./inbox-types.ts";
import { type Prompt, textOf } from "./user-message.ts";

/** What an `interrupt()` came to. */
export interface InterruptReceipt {
  /** A turn is stopped: its result is no success. False where no turn ran and none had been asked for. */
  readonly stopped: boolean;
  /** The messages that still wait; each has a turn of its own from here on, in this order. */
  readonly stillQueued: readonly QueuedMessage[];
}

/** A message of a person that has yet to be heard. */
export interface QueuedMessage {
  /** The `uuid` that the message was given with. */
  readonly uuid?: string;
  /** Its text; pictures are left out. */
  readonly text: string;
  readonly priority: "now" | "next" | "later";
}

/**
 * The moment in which a prompt stream is looked at for the first time. An interrupt that comes before it is meant for
 * a message that the stream has ready; where there is none, it stopped nothing.
 */
export interface FirstLook {
  /** Undefined once the stream has been looked at, and for a prompt that is no stream. */
  pending(): Promise<void> | undefined;
  /** The stream is being read: drops an early cut where nothing came. */
  take(): Promise<void>;
  /** There will be no look any more. */
  over(): void;
}

export function createFirstLook(isStream: boolean, brake: Brake, inbox: Inbox, clock: Clock): FirstLook {
  if (!isStream) return NO_LOOK;
  let over = (): void => {};
  let look: Promise<void> | undefined = new Promise((resolve) => {
    over = () => {
      look = undefined;
      resolve();
    };
  });
  return {
    pending: () => look,
    async take() {
      if (brake.isCutAhead()) {
        // What an async generator has ready is there within this turn of the event loop.
        await new Promise<void>((resolve) => clock.timer(0, resolve));
        if (!inbox.isWaited()) brake.forget();
      }
      over();
    },
    over: () => over(),
  };
}

const NO_LOOK: FirstLook = { pending: () => undefined, take: async () => {}, over: () => {} };

/** Stops the turn that runs, or the next one where it has been asked for already. */
export async function interruptTurn(brake: Brake, inbox: Inbox, look: FirstLook): Promise<InterruptReceipt> {
  const pending = look.pending();
  const isAhead = !brake.hasTurn();
  const isWaited = inbox.isWaited();
  let stopped = brake.cut("interrupt", isWaited || pending !== undefined);
  if (pending !== undefined && !isWaited) {
    await pending;
    stopped = inbox.isWaited();
  }
  // Where no turn runs, the one that is stopped is that of the first message.
  const waiting = inbox.queued().slice(isAhead && stopped ? 1 : 0);
  return { stopped, stillQueued: waiting.map(queued) };
}

function queued({ message, priority, uuid }: Prompt): QueuedMessage {
  return { ...(uuid === undefined ? {} : { uuid }), text: textOf(message), priority };
}
