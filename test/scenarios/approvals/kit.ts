import {
  createHost,
  type Host,
  type HostOptions,
  type Options,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
  tool,
} from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { afterEach } from "vitest";
import { scratch } from "../../kit/session.ts";

// For tests of the inbox: a host over a real store, a tool that counts what it did, and a session that is read along.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

export const STORES = {
  memory: () => memoryStore(),
  JSONL: () => jsonlStore({ home: scratch() }),
  SQLite: () => sqliteStore({ home: scratch() }),
} as const;

export function hostOver(store: NonNullable<HostOptions["store"]> = memoryStore()): Host {
  const host = createHost({ store });
  open.push(host);
  if ("close" in store) open.unshift(store);
  return host;
}

/** A tool that asks, and what it was called with. */
export function sendTool(name = "send", extras: { readonly readOnly?: boolean } = {}) {
  const sent: string[] = [];
  const made = tool({
    name,
    description: "Sends a text.",
    version: "1.0.0",
    riskLevel: "high",
    inputSchema: { text: "string" },
    ...(extras.readOnly === true ? { annotations: { readOnlyHint: true } } : {}),
    targets: ({ text }) => [{ kind: "name", value: String(text) }],
    execute: async ({ text }) => {
      sent.push(String(text));
      return { success: true, output: `sent ${text}` };
    },
  });
  return { tool: made, sent };
}

export const call = (id: string, text: string, name = "send") => ({ id, name, input: { text } });

/** A session that runs, with what it has said so far. */
export interface Read {
  readonly query: Query;
  readonly messages: SDKMessage[];
  readonly result: Promise<SDKResultMessage>;
  readonly model: ReturnType<typeof scriptedModel>;
  /** Resolves once a message fits. */
  until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage>;
}

export function begin(host: Host, turns: readonly ScriptStep[], options: Options, prompt = "go"): Read {
  const model = scriptedModel(turns);
  const messages: SDKMessage[] = [];
  const waiting: { fits(message: SDKMessage): boolean; resolve(message: SDKMessage): void }[] = [];
  const query = host.query({
    prompt,
    options: { model, ...(options.resume === undefined ? { cwd: scratch() } : {}), ...options },
  });
  const result = (async () => {
    for await (const message of query) {
      messages.push(message);
      for (const each of waiting) if (each.fits(message)) each.resolve(message);
    }
    const last = messages.findLast((message) => message.type === "result");
    if (last?.type !== "result") throw new Error("the session ended without a result");
    return last;
  })();
  result.catch(() => {});
  return {
    query,
    messages,
    result,
    model,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const found = messages.find(fits);
        if (found !== undefined) return resolve(found);
        waiting.push({ fits, resolve });
        void result.then((end) => reject(new Error(`it ended before: ${JSON.stringify(end)}`)), reject);
      }),
  };
}

/** The id of the approval of a call, once it is told. */
export async function asked(read: Read, callId: string): Promise<string> {
  const message = await read.until(
    (each) => each.type === "system" && each.subtype === "approval_requested" && each.tool_use_id === callId,
  );
  if (message.type !== "system" || message.subtype !== "approval_requested") throw new Error("unreachable");
  return message.approval_id;
}

/** The text of each result that the last request holds, by call. */
export function resultsIn({ model }: Read): Record<string, string> {
  const found: [string, string][] = [];
  for (const message of model.requests.at(-1)?.messages ?? []) {
    if (message.role !== "tool") continue;
    for (const part of message.parts) {
      found.push([part.callId, part.content.map((each) => (each.type === "text" ? each.text : "")).join("")]);
    }
  }
  return Object.fromEntries(found);
}
