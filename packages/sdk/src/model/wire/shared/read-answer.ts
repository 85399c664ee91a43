import type { HttpBody, HttpResponse } from "../../../platform/index.ts";
import { AbortError } from "../../../protocol/index.ts";
import type { ModelPart, ModelRequest, StreamOptions } from "../../port.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  connectionFailure,
  failed,
  looksLikeHtml,
  problemOf,
  shown,
  statusFailure,
  streamFailure,
} from "./failures.ts";
import { ask } from "./json.ts";
import { createSseParser } from "./sse.ts";
import type { StreamDecoder } from "./stream-decoder.ts";
import { takenIds } from "./taken-ids.ts";
import type { EncodedRequest, WireFormat, WirePlatform } from "./wire-format.ts";

const CONNECT_MS = 30_000;
/** Bytes of a body that is no stream of events. */
const MOST_READ = 64 * 1024;

/**
 * Sends one request and gives its parts, all of one network read together.
 *
 * @throws ModelFailedError, or AbortError as soon as the signal fires, whatever the provider does.
 */
export async function* readAnswer(
  endpoint: Endpoint,
  platform: WirePlatform,
  format: WireFormat,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<readonly ModelPart[]> {
  const encoded = await format.encode(request, options.loadArtifact);
  if (options.signal.aborted) throw new AbortError("The model request was aborted.");
  const response = await send(endpoint, platform, encoded, options.signal);
  if (response.status < 200 || response.status > 299) {
    const body = await readText(response.body);
    if (options.signal.aborted) throw new AbortError("The model request was aborted.");
    throw statusFailure(endpoint, response, body, platform.clock.now());
  }
  const type = response.headers["content-type"] ?? "";
  if (/html|application\/json/i.test(type)) throw notAStream(endpoint, await readText(response.body));
  yield* readEvents(endpoint, format.decoder(takenIds(request.messages)), response.body);
}

async function send(
  endpoint: Endpoint,
  { http, clock }: WirePlatform,
  { headers, body }: EncodedRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  try {
    return await http.request({
      url: endpoint.url,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "user-agent": "castellan",
        ...headers,
        ...endpoint.auth,
      },
      body,
      signal,
      clock,
      connectTimeoutMs: CONNECT_MS,
      headersTimeoutMs: endpoint.firstByteMs,
      idleTimeoutMs: endpoint.stallMs,
    });
  } catch (error) {
    throw connectionFailure(error, endpoint, false);
  }
}

async function* readEvents(
  endpoint: Endpoint,
  decoder: StreamDecoder,
  body: HttpBody,
): AsyncGenerator<readonly ModelPart[]> {
  let out: ModelPart[] = [];
  let events = 0;
  let done = false;
  const parser = createSseParser((data) => {
    events += 1;
    if (!done) done = decoder.event(data, out);
  });
  // Kept until the first event, to show what came instead of one.
  const head: Uint8Array[] = [];
  let fault: unknown;
  const bytes = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      try {
        const step = await bytes.next();
        if (step.done === true) {
          parser.end();
          if (events === 0) throw notAStream(endpoint, Buffer.concat(head).toString());
          if (!done) decoder.end(out);
          done = true;
        } else {
          parser.push(step.value);
          if (events === 0 && head.length < 8) head.push(step.value.subarray(0, 1024));
        }
      } catch (error) {
        fault = connectionFailure(error, endpoint, true);
      }
      if (out.length > 0) {
        const batch = out;
        out = [];
        yield batch;
      }
      if (fault !== undefined) throw fault;
      if (done) {
        body.drain();
        return;
      }
    }
  } finally {
    // Left in the middle: nobody reads on, so the connection ends.
    if (!done) await bytes.return?.();
  }
}

function notAStream(endpoint: Endpoint, body: string): Error {
  const said = shown(body);
  if (said === undefined) {
    return failed(endpoint, "The provider sent an empty answer.", { kind: "bad_body", retryable: true });
  }
  if (looksLikeHtml(body)) {
    const what = `The answer is an HTML page. Check the base URL, ${new URL(endpoint.url).origin}: ${said}`;
    return failed(endpoint, what, { kind: "bad_body", retryable: false });
  }
  try {
    const value: unknown = JSON.parse(body);
    if (ask(value, "error") !== undefined) return streamFailure(endpoint, problemOf(value));
  } catch {
    // Shown as it is.
  }
  return failed(endpoint, `The answer is no stream of events: ${said}`, {
    kind: "bad_body",
    retryable: false,
  });
}

/** The beginning of a body; what breaks it is no news beside the status that came before it. */
async function readText(body: HttpBody): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MOST_READ) break;
    }
  } catch {
    // What came before the break is told.
  }
  return Buffer.concat(chunks).subarray(0, MOST_READ).toString();
}
