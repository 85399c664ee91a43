import type { JsonObject, McpTransport } from "../protocol/index.ts";
import { type RequestId, RPC_ERRORS, readMessage } from "./messages.ts";

/** A connection to a server, from the side that calls. */
export interface McpClient {
  /**
   * Sends a request and waits for its answer, as long as it takes.
   *
   * Rejects with an Error when the server answers with one, the connection is closed, or `signal` fires; then the
   * server is told, and a late answer is dropped.
   */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<unknown>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
  readonly isClosed: boolean;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The parameters of each `notifications/progress` for this request. */
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly onProgress: RequestOptions["onProgress"];
}

/** Takes a transport over and starts it. `onClose` is called once, however the connection ends. */
export async function startClient(transport: McpTransport, onClose: () => void): Promise<McpClient> {
  const pending = new Map<RequestId, Pending>();
  let closed = false;
  // From 1 on: known servers take no cancellation of a request 0.
  let last = 0;

  const send = (message: object): Promise<void> => transport.send({ jsonrpc: "2.0", ...message });
  /** For what nobody waits for: a lost connection shows elsewhere. */
  const tell = (message: object): void => void send(message).catch(() => undefined);

  transport.onclose = () => {
    if (closed) return;
    closed = true;
    for (const { reject } of pending.values()) reject(new Error("The server closed the connection."));
    pending.clear();
    onClose();
  };
  transport.onmessage = (value: unknown) => {
    const message = readMessage(value);
    switch (message.kind) {
      case "result":
        take(pending, message.id)?.resolve(message.result);
        break;
      case "error":
        take(pending, message.id)?.reject(new Error(message.message));
        break;
      case "request":
        tell({ id: message.id, ...answerTo(message.method) });
        break;
      case "notification":
        if (message.method === "notifications/progress") {
          pending.get(message.params.progressToken as RequestId)?.onProgress?.(message.params);
        }
        break;
      case "malformed":
        break;
    }
  };
  await transport.start();

  return {
    get isClosed() {
      return closed;
    },
    request(method, params, { signal, onProgress } = {}) {
      if (closed) return Promise.reject(new Error("The server closed the connection."));
      if (signal?.aborted === true) return Promise.reject(new Error("The call was cancelled."));
      last += 1;
      const id = last;
      const meta = onProgress === undefined ? {} : { _meta: { progressToken: id } };
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          if (!pending.delete(id)) return;
          tell({
            method: "notifications/cancelled",
            params: { requestId: id, reason: "The call was cancelled." },
          });
          reject(new Error("The call was cancelled."));
        };
        const settled = (): void => signal?.removeEventListener("abort", onAbort);
        pending.set(id, {
          onProgress,
          resolve(result) {
            settled();
            resolve(result);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        send({ id, method, params: { ...params, ...meta } }).catch((error: unknown) => {
          take(pending, id)?.reject(error instanceof Error ? error : new Error(String(error)));
        });
      });
    },
    notify: (method) => send({ method }),
    close: () => transport.close(),
  };
}

function take(pending: Map<RequestId, Pending>, id: RequestId): Pending | undefined {
  const found = pending.get(id);
  pending.delete(id);
  return found;
}

/** This side offers nothing that a server could ask for. */
function answerTo(method: string): object {
  if (method === "ping") return { result: {} };
  const message = `${method.slice(0, 100)} is not offered by this client.`;
  return { error: { code: RPC_ERRORS.methodNotFound, message } };
}
