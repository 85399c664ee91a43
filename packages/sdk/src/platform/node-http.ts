import type { ClientRequest, Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import type { Timer } from "./clock-port.ts";
import { createHttpBody } from "./http-body.ts";
import { httpFault } from "./http-fault.ts";
import type { Http, HttpRequest, HttpResponse } from "./http-port.ts";

const AGENT = { keepAlive: true, keepAliveMsecs: 15_000, maxFreeSockets: 256, scheduling: "lifo" } as const;
const SMALL = 16_384;

/**
 * HTTP of this Node process: one keeping agent a scheme, which pools by host. Idle connections do not
 * keep the process alive.
 */
export function nodeHttp(): Http {
  let plain: HttpAgent | undefined;
  let secure: HttpsAgent | undefined;
  return {
    request(request) {
      if (request.signal.aborted) return Promise.reject(abortError());
      const isSecure = request.url.startsWith("https:");
      if (isSecure) secure ??= new (node("node:https").Agent)(AGENT);
      else plain ??= new (node("node:http").Agent)(AGENT);
      return send(request, isSecure ? secure : plain);
    },
    close() {
      for (const agent of [plain, secure]) if (agent !== undefined) closeIdle(agent);
      plain = undefined;
      secure = undefined;
    },
  };
}

/** What is in use ends its request first, and is not kept behind it. */
function closeIdle(agent: HttpAgent | HttpsAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of [...(sockets ?? [])]) socket.destroy();
  }
}

function send(request: HttpRequest, agent: HttpAgent | undefined): Promise<HttpResponse> {
  const { promise, resolve, reject } = settler<HttpResponse>();
  const pieces = gather(request.body);
  const start = node(request.url.startsWith("https:") ? "node:https" : "node:http").request;
  let client: ClientRequest | undefined;
  let isOver = false;

  const settle = (): void => {
    isOver = true;
    limits.clear();
    request.signal.removeEventListener("abort", onAbort);
  };
  const onAbort = (): void => fail(abortError());
  const fail = (error: Error): void => {
    settle();
    client?.destroy();
    reject(error);
  };
  const limits = limitTimes(request, fail);
  request.signal.addEventListener("abort", onAbort, { once: true });

  function open(): void {
    try {
      begin();
    } catch (error) {
      // Node throws at once for an address, a method or a header that it cannot send.
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function begin(): void {
    const sent = start(request.url, {
      method: request.method,
      headers: { ...request.headers, ...(pieces === undefined ? {} : { "content-length": sizeOf(pieces) }) },
      ...(agent === undefined ? {} : { agent }),
    });
    client = sent;
    limits.connecting(sent);
    // Stays for good: a socket may report its end long after the answer.
    sent.on("error", (error) => {
      if (!isOver && isStale(sent, error)) open();
      else fail(error);
    });
    sent.once("response", (answer) => {
      settle();
      resolve({
        status: answer.statusCode ?? 0,
        headers: flatHeaders(answer.headers),
        body: createHttpBody(answer, request),
      });
    });
    for (const piece of pieces ?? []) sent.write(piece);
    sent.end();
  }
  open();
  return promise;
}

/**
 * A kept connection that its server had given up: no news, and nothing was answered on it, so the request goes out again
 * at once. That ends with a new connection at the latest.
 */
function isStale(client: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return client.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** TLS takes milliseconds to load, so nothing is loaded before the first request. */
const node: typeof process.getBuiltinModule = (name: string) => process.getBuiltinModule(name);

function limitTimes(
  request: HttpRequest,
  fail: (error: Error) => void,
): { connecting(client: ClientRequest): void; clear(): void } {
  const { clock, connectTimeoutMs, headersTimeoutMs } = request;
  const late = (code: "CONNECT_TIMEOUT" | "HEADERS_TIMEOUT", ms: number) => () =>
    fail(httpFault(code, `no ${code === "CONNECT_TIMEOUT" ? "connection" : "answer"} within ${ms} ms`));
  let connect: Timer | undefined;
  const headers =
    headersTimeoutMs === undefined
      ? undefined
      : clock.timer(headersTimeoutMs, late("HEADERS_TIMEOUT", headersTimeoutMs));
  return {
    connecting(client) {
      if (connectTimeoutMs === undefined) return;
      const timer = clock.timer(connectTimeoutMs, late("CONNECT_TIMEOUT", connectTimeoutMs));
      connect?.cancel();
      connect = timer;
      const ready = request.url.startsWith("https:") ? "secureConnect" : "connect";
      client.once("socket", (socket) => {
        if (client.reusedSocket || !socket.connecting) timer.cancel();
        else socket.once(ready, () => timer.cancel());
      });
    },
    clear() {
      connect?.cancel();
      headers?.cancel();
    },
  };
}

function abortError(): Error {
  return httpFault("ABORTED", "the request was aborted");
}

/** Small neighbours are joined: a write costs more than a copy of a few kilobytes. */
function gather(body: HttpRequest["body"]): readonly Uint8Array[] | undefined {
  if (body === undefined || body instanceof Uint8Array) return body && [body];
  const pieces: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = (): void => {
    if (small.length > 0) pieces.push(small.length === 1 ? (small[0] as Uint8Array) : Buffer.concat(small));
    small = [];
  };
  for (const piece of body) {
    if (piece.byteLength <= SMALL) small.push(piece);
    else {
      flush();
      pieces.push(piece);
    }
  }
  flush();
  return pieces;
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
}

function flatHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

/** `Promise.withResolvers` is younger than the oldest Node that we run on. */
function settler<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
