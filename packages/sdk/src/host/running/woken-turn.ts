import type { OpenSession } from "../opening/open-session.ts";
import { textPrompt } from "./user-message.ts";

type Parts = Pick<OpenSession, "log" | "timers" | "shells">;

/** A turn is to begin though nobody has said anything: a timer is due, or a background command has ended. */
export function hasNews({ log, timers, shells }: Parts): boolean {
  return timers.isDue() || (log.state.round === undefined && shells.hasNews());
}

/**
 * Records what such a turn begins with, so that it is counted as one. Where a round is open there is nothing to record:
 * its calls go on. False: there is no news.
 */
export function beginWoken(parts: Parts): boolean {
  if (!hasNews(parts)) return false;
  const { log, timers, shells } = parts;
  if (log.state.round !== undefined) return true;
  const isOpen = timers.deliver(true);
  const lines = shells.takeNews();
  if (lines.length > 0) {
    const { message } = textPrompt(lines.join("\n"));
    log.record("user.message", { message, synthetic: true, ...(isOpen ? {} : { opens: true }) });
  }
  return true;
}
