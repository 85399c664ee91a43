import type { UserMessage } from "../../protocol/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import type { OpenSession } from "../opening/open-session.ts";
import type { Brake } from "./brake.ts";
import { NEWS } from "./inbox.ts";
import type { Inbox, InboxSource } from "./inbox-types.ts";
import type { FirstLook } from "./interrupt.ts";
import { pumpPrompts } from "./pump-prompts.ts";
import type { Teller } from "./teller.ts";
import { textPrompt } from "./user-message.ts";
import { beginWoken, hasNews } from "./woken-turn.ts";

/** What the turns of a session are taken from. */
export interface TurnParts {
  readonly prompt: string | AsyncIterable<unknown>;
  /** The prompt's own way into the inbox. */
  readonly main: InboxSource;
  readonly inbox: Inbox;
  readonly brake: Brake;
  readonly teller: Teller;
  readonly look: FirstLook;
}

/** What a turn begins with; no message where a session goes on with what is open. */
export interface Turn {
  readonly message: UserMessage | undefined;
}

/** Gives the turns of a session, each when the one before has ended, and nothing once there are no more. */
export function turnsOf(
  open: OpenSession,
  { prompt, main, inbox, brake, teller, look }: TurnParts,
): () => Promise<Turn | undefined> {
  const { log, sessionId, unfinished } = open;
  const before = log.state.results;
  let isFirst = true;
  return async () => {
    if (isFirst) {
      isFirst = false;
      if (typeof prompt === "string") {
        main.end();
        if (prompt === "" && !unfinished && !beginWoken(open)) throw nothingToDo(sessionId);
        // A string has its one result, also where the session ends before the turn has begun.
        return { message: prompt === "" ? undefined : textPrompt(prompt).message };
      }
      pumpPrompts(prompt, main, brake.stop()).then(
        () => main.end(),
        (error: unknown) => main.end(error ?? new Error("The prompt stream failed without saying why.")),
      );
      await look.take();
    }
    const waits = log.state.results > before ? () => teller.activity.go("idle") : undefined;
    const message = await inbox.next(waits, () => hasNews(open));
    if (message !== NEWS) return message && { message };
    beginWoken(open);
    return { message: undefined };
  };
}

function nothingToDo(sessionId: string): CastellanError {
  return new CastellanError(
    "invalid_option",
    `prompt is "", and session ${sessionId} has nothing left to go on with.`,
    {
      subject: "prompt",
      fix: "Give a prompt.",
    },
  );
}
