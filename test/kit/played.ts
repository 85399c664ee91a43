import type { Host, Options, SDKMessage, SDKResultMessage } from "@castellan/sdk";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { scratch } from "./session.ts";

/** A query that was read to its end. */
export interface Played {
  readonly sessionId: string;
  readonly messages: readonly SDKMessage[];
  readonly result: SDKResultMessage;
}

/** Plays a script in a session of this host, in a new folder unless the options say where. */
export async function play(
  host: Host,
  turns: readonly ScriptStep[],
  options: Options = {},
  prompt = "go",
): Promise<Played> {
  const messages: SDKMessage[] = [];
  const cwd = options.resume === undefined ? { cwd: options.cwd ?? scratch() } : {};
  for await (const message of host.query({
    prompt,
    options: { model: scriptedModel(turns), ...cwd, ...options },
  })) {
    messages.push(message);
  }
  const result = messages.findLast((each) => each.type === "result");
  if (result?.type !== "result") throw new Error("no result");
  return { sessionId: result.session_id, messages, result };
}
