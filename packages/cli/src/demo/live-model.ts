import { createHost, type SDKUserMessage } from "@castellan/sdk";
import { EXIT, exitCodeOfReason } from "../exit-codes.ts";
import { Fault } from "../fault.ts";
import { inFlagWords } from "../run/options.ts";

/**
 * The model of `demo --live`, looked up as a session would and asked nothing. Undefined: `auto`.
 *
 * @throws Fault (configuration) where there is no such model or no key for it, naming the variables.
 */
export async function findLiveModel(name = "auto"): Promise<string> {
  const host = createHost();
  let found: string | undefined;
  // A session without a message finds its model and ends; it stays in memory.
  const session = host.query({ prompt: nothing(), options: { model: name, persistSession: false } });
  try {
    for await (const message of session) {
      if (message.type === "system" && message.subtype === "init") found = message.model;
      if (message.type !== "result" || !message.is_error) continue;
      const why = inFlagWords(message.errors?.join(" ") ?? message.terminal_reason);
      throw new Fault(exitCodeOfReason(message.terminal_reason), `demo --live has no model. ${why}`);
    }
  } finally {
    await host.close();
  }
  if (found === undefined) throw new Fault(EXIT.failed, "demo --live did not learn which model it has.");
  return found;
}

async function* nothing(): AsyncGenerator<SDKUserMessage> {}
