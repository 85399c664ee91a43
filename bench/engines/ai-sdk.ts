import { createAnthropic } from "@ai-sdk/anthropic";
import { fromAiSdk } from "@castellan/sdk/ai-sdk";
import { type Engine, KEY, MODEL } from "../task.ts";
import { runSession } from "./session.ts";

/** Ours, with the wire of the AI SDK's package in the place of our own. */
export const engine: Engine = (session) => {
  const anthropic = createAnthropic({ baseURL: `${session.url}/v1`, apiKey: KEY });
  return runSession(session, fromAiSdk(anthropic(MODEL)));
};
