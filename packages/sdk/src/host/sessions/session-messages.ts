import type { SDKMessage } from "../../protocol/index.ts";
import { foldOf, transcript } from "../../sessions/index.ts";
import { notFound } from "../opening/not-found.ts";
import { flag, shape, text, wholeNumber } from "../options/checks.ts";
import { checkArgument } from "./check-argument.ts";
import type { SessionsHost } from "./sessions-host.ts";
import type { SessionMessagesOptions } from "./types.ts";

const OPTIONS = shape({ offset: wholeNumber(0), limit: wholeNumber(0), includeSystem: flag }, "an object");

/** See `Sessions.messages`. */
export async function sessionMessages(
  { store }: SessionsHost,
  sessionId: string,
  options: SessionMessagesOptions = {},
): Promise<readonly SDKMessage[]> {
  checkArgument("getSessionMessages", "sessionId", sessionId, text);
  checkArgument("getSessionMessages", "options", options, OPTIONS);
  const { offset = 0, limit, includeSystem = false } = options;
  const events = await store.read(sessionId);
  if (events.length === 0) throw notFound(sessionId);
  foldOf(events, sessionId);
  const messages = transcript(events).filter(
    ({ type }) => includeSystem || type === "user" || type === "assistant",
  );
  return messages.slice(offset, limit === undefined ? undefined : offset + limit);
}
