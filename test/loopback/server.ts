import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicBook } from "./anthropic/book.ts";
import { chatBook } from "./chat/book.ts";
import { responsesBook } from "./responses/book.ts";
import type { Format, FormatBook, LoopbackStep, LoopbackTurn, RecordedRequest } from "./script.ts";
import { sendAnswer } from "./send-answer.ts";

const BOOKS: Readonly<Record<Format, FormatBook>> = {
  anthropic: anthropicBook,
  chat: chatBook,
  responses: responsesBook,
};

const PATHS: ReadonlyMap<string, Format> = new Map([
  ["/v1/messages", "anthropic"],
  ["/v1/chat/completions", "chat"],
  ["/v1/responses", "responses"],
]);

export interface LoopbackOptions {
  /** One a request, in order of arrival; or a function that answers each. A request too many is answered 500. */
  readonly turns: readonly LoopbackStep[] | ((request: RecordedRequest) => LoopbackTurn | string);
  /** Requests must carry it. Default: any key, or none, is taken. */
  readonly key?: string;
  /** False: requests are not kept. Default true. */
  readonly record?: boolean;
}

export interface Loopback {
  /** `http://127.0.0.1:<port>`, as ANTHROPIC_BASE_URL takes it. */
  readonly url: string;
  /** The same with `/v1`, as OPENAI_BASE_URL takes it. */
  readonly baseURL: string;
  /** The variables that lead `anthropic/…` and `openai/…` here. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly RecordedRequest[];
  /** Connections so far, and requests whose client went away before the answer was whole. */
  readonly counts: { readonly connections: number; readonly abandoned: number };
  close(): Promise<void>;
}

/**
 * A server on this machine that speaks the Messages API, chat completions and Responses, streaming. It refuses what
 * the real ones refuse, with their error bodies.
 */
export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  const requests: RecordedRequest[] = [];
  let arrived = 0;
  let connections = 0;
  let abandoned = 0;

  const server = createServer((incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) abandoned += 1;
    });
    void answer(incoming, response);
  });
  server.on("connection", () => {
    connections += 1;
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const path = incoming.url ?? "";
    const format = PATHS.get(path);
    if (format === undefined || incoming.method !== "POST") {
      response
        .writeHead(404, { "content-type": "application/json" })
        .end('{"error":{"message":"Not Found"}}');
      return;
    }
    const book = BOOKS[format];
    const raw = Buffer.concat(chunks);
    const { headers } = incoming;
    const body = parse(raw);
    const refused = body === undefined ? "The body is no JSON." : book.validate({ body, headers });
    const index = arrived;
    arrived += 1;
    const request: RecordedRequest = { index, format, path, headers, raw, body, ...(refused && { refused }) };
    if (options.record !== false) requests.push(request);
    const deny = (status: number, message: string): void => {
      response.writeHead(status, { "content-type": "application/json", "request-id": `req_${index}` });
      response.end(book.errorBody(status, message));
    };
    if (options.key !== undefined && keyOf(request) !== options.key) return deny(401, "invalid x-api-key");
    if (refused !== undefined) return deny(400, refused);
    const { turns } = options;
    const step = typeof turns === "function" ? turns(request) : turns[index];
    if (step === undefined) return deny(500, "The script of the loopback server has no turn left.");
    const said = typeof step === "function" ? step(request) : step;
    const turn: LoopbackTurn = typeof said === "string" ? { text: said } : said;
    await sendAnswer(response, book.answer(turn, request), turn.fault, book);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    baseURL: `${url}/v1`,
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: options.key ?? "loopback-key",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: options.key ?? "loopback-key",
    },
    requests,
    get counts() {
      return { connections, abandoned };
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const LONE = /\p{Surrogate}/u;

function keyOf({ headers }: RecordedRequest): string | undefined {
  const bearer = headers.authorization;
  const key =
    headers["x-api-key"] ?? (typeof bearer === "string" ? bearer.replace(/^Bearer /, "") : undefined);
  return typeof key === "string" ? key : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the validators look at it.
function parse(raw: Buffer): any {
  try {
    // Providers take no half characters, of which JSON.parse thinks nothing.
    return JSON.parse(raw.toString(), (key, value) => {
      if (LONE.test(key) || (typeof value === "string" && LONE.test(value)))
        throw new Error("half a character");
      return value;
    });
  } catch {
    return undefined;
  }
}
