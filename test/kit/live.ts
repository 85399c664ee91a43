import {
  createHost,
  type EventStore,
  type Host,
  type LanguageModel,
  type ModelPart,
  type Options,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from "@castellan/sdk";
import { type AppendBatch, memoryStore } from "@castellan/sdk/stores";
import { scratch } from "./session.ts";

/** A session that is read in the background. */
export interface Live {
  readonly query: Query;
  readonly messages: SDKMessage[];
  /** Resolves when the iterator has ended; with what it threw, if it did. */
  readonly ended: Promise<unknown>;
  /** Resolves once a message fits, also one that has come already; rejects when the session ends without it. */
  until(fits: (message: SDKMessage) => boolean): Promise<SDKMessage>;
  results(): SDKResultMessage[];
}

/**
 * Starts a session in memory (unless the options or the host say otherwise), and reads it.
 *
 * @param reads when the reading begins. Default: at once.
 */
export function live(
  prompt: string | AsyncIterable<SDKUserMessage>,
  options: Options,
  host: Host = createHost({ store: memoryStore() }),
  reads?: Promise<void>,
): Live {
  const query = host.query({ prompt, options: { cwd: scratch(), ...options } });
  const messages: SDKMessage[] = [];
  let isOver = false;
  let stir = (): void => {};
  const ended = (async () => {
    try {
      await reads;
      for await (const message of query) {
        messages.push(message);
        stir();
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      isOver = true;
      stir();
    }
  })();
  return {
    query,
    messages,
    ended,
    async until(fits) {
      for (;;) {
        const found = messages.find(fits);
        if (found !== undefined) return found;
        if (isOver) throw new Error(`Not among ${messages.map((m) => m.type).join(", ")}`);
        await new Promise<void>((resolve) => {
          stir = resolve;
        });
      }
    },
    results: () => messages.filter((message) => message.type === "result"),
  };
}

/** A door that a test opens: `wait` holds whoever comes until then, `reached` tells that somebody has come. */
export function gate(): { readonly reached: Promise<void>; open(): void; wait(): Promise<void> } {
  let open = (): void => {};
  let arrive = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open: () => open(),
    wait() {
      arrive();
      return opened;
    },
  };
}

/** User messages as a program yields them. */
export const said = (content: string, more: Partial<SDKUserMessage> = {}): SDKUserMessage => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});

/** A model that streams what the test makes of the number of the request. */
export function streaming(
  parts: (request: number, signal: AbortSignal) => AsyncIterable<ModelPart>,
): LanguageModel {
  let requests = 0;
  return {
    id: "streaming",
    provider: "test",
    async *stream(_, { signal }) {
      requests += 1;
      yield* parts(requests, signal);
    },
  };
}

/** Never resolves. */
export const silence = (): Promise<never> => new Promise(() => {});

/** A store that tells of each batch before it is appended; what `before` throws, the append throws. */
export function watchedStore(
  before: (batch: AppendBatch) => void | Promise<void>,
  inner: EventStore = memoryStore(),
): EventStore {
  return {
    ...inner,
    async append(batches) {
      for (const batch of batches) await before(batch);
      return inner.append(batches);
    },
  };
}

/** The types of a session's stored events, in order. */
export async function storedTypes(store: EventStore, sessionId: string): Promise<string[]> {
  return (await store.read(sessionId)).map((event) => event.type);
}
