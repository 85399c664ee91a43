import {
  type Client,
  type ClientPrompt,
  createHost,
  type Host,
  type Options,
  type SDKMessage,
  type SDKResultMessage,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scratch } from "./session.ts";

/** A client over a store in memory, unless a host is given. */
export function clientOf(options: Options, host: Host = createHost({ store: memoryStore() })): Client {
  return host.client({ cwd: scratch(), ...options });
}

/** One response, read to its end. */
export async function response(client: Client): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of client.receiveResponse()) messages.push(message);
  return messages;
}

/** Asks, and reads the response. */
export async function ask(client: Client, prompt: ClientPrompt): Promise<SDKMessage[]> {
  await client.query(prompt);
  return response(client);
}

/** The result that a response ends with. */
export function resultOf(messages: readonly SDKMessage[]): SDKResultMessage {
  const last = messages.at(-1);
  if (last?.type !== "result") throw new Error(`No result at the end of ${kinds(messages).join(", ")}`);
  return last;
}

/** Type and subtype of each message. */
export function kinds(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) =>
    "subtype" in message ? `${message.type}/${message.subtype}` : message.type,
  );
}
