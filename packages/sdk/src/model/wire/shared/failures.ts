import type { HttpResponse } from "../../../platform/index.ts";
import { AbortError, isCastellanError } from "../../../protocol/index.ts";
import { ModelFailedError, type ModelFailure } from "../../failure.ts";
import type { Endpoint } from "./endpoint.ts";
import { ask, text } from "./json.ts";

/** Characters of a foreign body that an error shows. */
const SHOWN = 500;

/** Where a request went, as far as its failures tell it. */
export type FailurePlace = Pick<Endpoint, "id" | "auth" | "keyName">;

/** The failure that an endpoint's answer or connection came to. */
export function failed(
  endpoint: FailurePlace,
  what: string,
  failure: ModelFailure,
  cause?: unknown,
): ModelFailedError {
  return new ModelFailedError(withoutKey(endpoint, what), failure, { subject: endpoint.id, cause });
}

/** A body without its line breaks, cut; undefined when there is nothing to show. */
export function shown(body: string): string | undefined {
  const line = body.replace(/\s+/g, " ").trim();
  return line === "" ? undefined : line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
}

/** Some servers repeat the key in their complaint. */
function withoutKey(endpoint: FailurePlace, what: string): string {
  let clean = what;
  for (const value of Object.values(endpoint.auth)) {
    const secret = value.replace(/^Bearer /, "");
    if (secret.length >= 4) clean = clean.replaceAll(secret, "[key]");
  }
  return clean;
}

/** Codes that say how a server is set up, not how it fares. */
const SETUP = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID|HPE_)/;
const TIMES = new Set(["CONNECT_TIMEOUT", "HEADERS_TIMEOUT", "IDLE_TIMEOUT"]);

/** What a broken connection means: before the answer `network`, in its body `truncated`, by time `stalled`. */
export function connectionFailure(error: unknown, endpoint: Endpoint, inBody: boolean): unknown {
  if (isCastellanError(error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ABORTED") return new AbortError("The model request was aborted.", { cause: error });
  if (TIMES.has(code)) {
    return failed(endpoint, `The provider stalled: ${message}.`, { kind: "stalled", retryable: true }, error);
  }
  if (error instanceof RangeError) {
    return failed(endpoint, message, { kind: "bad_body", retryable: false }, error);
  }
  if (inBody) {
    const what = `The answer broke off in its middle: ${message}.`;
    return failed(endpoint, what, { kind: "truncated", retryable: true }, error);
  }
  const host = new URL(endpoint.url).host;
  if (code === "ECONNREFUSED") {
    const local = isLoopback(endpoint.url);
    const fix = local ? " Start the server, or correct its address." : "";
    const what = `Nothing listens at ${host}.${fix}`;
    return failed(endpoint, what, { kind: "network", retryable: !local }, error);
  }
  const what = `The host ${host} could not be reached: ${message || code}.`;
  return failed(endpoint, what, { kind: "network", retryable: !SETUP.test(code) }, error);
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}

const OVERFLOW =
  /context.?length|maximum context|context (window|size|limit)|prompt is too long|input is too long|exceed_context|too many tokens|request_too_large/i;
const OUT_OF_MONEY = /insufficient_quota|billing|credit balance/i;

/** The failure of a status that is no success. */
export function statusFailure(
  endpoint: FailurePlace,
  response: Pick<HttpResponse, "status" | "headers">,
  body: string,
  now: number,
): ModelFailedError {
  const { status, headers } = response;
  const problem = problemIn(body);
  const words = problem.message ?? (looksLikeHtml(body) ? `an HTML page: ${shown(body)}` : shown(body));
  const said = words === undefined ? "" : `: ${words}`;
  const all = `${problem.type} ${words ?? ""}`;
  if (status === 401 || status === 403) {
    const what = `The provider refused the key (${status})${said}. Check ${endpoint.keyName}.`;
    return failed(endpoint, what, { status, kind: "auth", retryable: false });
  }
  if (status === 413 || (status === 400 && OVERFLOW.test(all))) {
    const what = `The request is longer than the model takes (${status})${said}`;
    return failed(endpoint, what, { status, kind: "context_overflow", retryable: false });
  }
  const wait = retryAfter(headers, now);
  return failed(endpoint, `The provider answered ${status}${said}${movedTo(headers)}`, {
    status,
    kind: "http",
    retryable: mayRetry(status, headers, all),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function movedTo(headers: HttpResponse["headers"]): string {
  const { location } = headers;
  return location === undefined
    ? ""
    : ` (it points to ${shown(location)}; give that address as the base URL)`;
}

function mayRetry(status: number, headers: HttpResponse["headers"], words: string): boolean {
  const told = headers["x-should-retry"];
  if (told === "true" || told === "false") return told === "true";
  if (status === 429) return !OUT_OF_MONEY.test(words);
  return status === 408 || status === 409 || status >= 500;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: HttpResponse["headers"], now: number): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const value = headers["retry-after"];
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return Math.round(seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What an error inside the answer would have been as a status. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/overloaded/i, 529],
  [/rate_limit|too_many_requests|^429/i, 429],
  [/timeout/i, 504],
  [/invalid|unsupported/i, 400],
  [/authentication/i, 401],
  [/billing|quota/i, 402],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/api_error|server_error|internal|unavailable|^50[0234]/i, 500],
];

/** The failure of an error that came inside the answer. One that says nothing of itself may pass. */
export function streamFailure(endpoint: FailurePlace, problem: Problem): ModelFailedError {
  const what = problem.message ?? (problem.type || "no reason given");
  const status = STATUSES.find(([words]) => words.test(problem.type))?.[1];
  // "Too many tokens" a minute pass, too many in a request do not.
  const mayPass = status === 429 || status === 529;
  if (!mayPass && OVERFLOW.test(`${problem.type} ${what}`)) {
    const long = `The request is longer than the model takes: ${shown(what)}`;
    return failed(endpoint, long, { kind: "context_overflow", retryable: false });
  }
  const named = problem.type === "" ? "" : ` (${problem.type})`;
  return failed(endpoint, `The provider sent an error inside its answer${named}: ${shown(what) ?? what}`, {
    kind: "stream_error",
    retryable: status === undefined || status === 429 || status >= 500,
    ...(status === undefined ? {} : { status }),
  });
}

/** An error as the providers word it. */
export interface Problem {
  /** Type and code, as far as given. */
  readonly type: string;
  readonly message: string | undefined;
}

export function problemIn(body: string): Problem {
  try {
    return problemOf(JSON.parse(body));
  } catch {
    return { type: "", message: undefined };
  }
}

/** Reads `{error: {type, code, message}}`, `{error: "…"}`, `{message}` and `{detail}`. */
export function problemOf(value: unknown): Problem {
  const error = ask(value, "error");
  const holder = typeof error === "object" && error !== null ? error : value;
  const type = [ask(holder, "type"), ask(holder, "code")]
    .filter((word) => typeof word === "string" || typeof word === "number")
    .filter((word) => word !== "error");
  const message = text(error) ?? text(ask(holder, "message")) ?? text(ask(holder, "detail"));
  return { type: [...new Set(type.map(String))].join(" "), message };
}

export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(body);
}
