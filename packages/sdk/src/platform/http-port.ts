import type { Clock } from "./clock-port.ts";

/** One request. Time limits run on `clock`, so that a test can move them. */
export interface HttpRequest {
  /** `http:` or `https:`. */
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with its length, never chunked. Pieces are sent one behind the other. */
  readonly body?: Uint8Array | readonly Uint8Array[];
  /** Once it fires the socket is destroyed, and everything that waits rejects with `ABORTED`. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds until a new connection stands, TLS included. Default: no limit. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds until the status line has come, counted from the call. Default: no limit. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds of silence in the body while its reader waits. Default: no limit. */
  readonly idleTimeoutMs?: number;
}

/** Bytes as they arrive. May be read once. Leaving it early destroys the connection. */
export interface HttpBody extends AsyncIterable<Uint8Array> {
  /**
   * Nothing more is wanted: reads the rest away for up to a second so that the connection can be
   * used again, then destroys it. Returns at once.
   */
  drain(): void;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpBody;
}

/**
 * Why a request or its body failed: `code` of the error that it rejects with, beside the codes
 * of the operating system (`ECONNRESET`, `ENOTFOUND` …) and of TLS.
 */
export type HttpFaultCode = "ABORTED" | "CONNECT_TIMEOUT" | "HEADERS_TIMEOUT" | "IDLE_TIMEOUT" | "BODY_CUT";

/** HTTP over connections that are kept. Redirects are answers like any other. */
export interface Http {
  /** @throws an Error with a `code` (`HttpFaultCode`, or the system's). */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Ends the connections that nobody uses. */
  close(): void;
}
