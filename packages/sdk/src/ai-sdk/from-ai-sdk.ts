import {
  type AiSdkModel,
  type AiSdkParts,
  aiSdkFault,
  type FailurePlace,
  type LanguageModel,
  type ModelPart,
  type ModelRequest,
  type StreamOptions,
  streamOf,
} from "../model/index.ts";
import { nodePlatform } from "../platform/index.ts";
import { CastellanError } from "../protocol/index.ts";
import type { ByProvider, CallOptions } from "./call-options.ts";
import { createDecoder } from "./decoder.ts";
import { createRequestEncoder } from "./encode-request.ts";
import { stalled, thrownFailure } from "./failures.ts";
import { aborted, createWatch, type Source, sourceOf } from "./read-stream.ts";
import { urlRule } from "./supported-urls.ts";

/** Milliseconds of silence after which a request counts as lost. */
const STALL_MS = 60_000;
const LONGEST_ID = 64;

/** How a model of the AI SDK is taken over. */
export interface FromAiSdkOptions extends AiSdkParts {
  /** `providerOptions` of every request, by provider; they win over what Castellan sets. */
  readonly providerOptions?: { readonly [provider: string]: { readonly [key: string]: unknown } };
  /** Name in logs and results. Default `ai-sdk:<provider>/<modelId>`. */
  readonly id?: string;
  /** Milliseconds without any part until the request is tried again. Default 60,000. */
  readonly stallMs?: number;
}

type DoStream = (options: CallOptions) => PromiseLike<{ readonly stream: unknown }>;

/** Sessions that use the same object share its limits. Another object may have another key. */
const numbers = new WeakMap<AiSdkModel, number>();
let count = 0;

/**
 * A model of the port made of a LanguageModel of the AI SDK, interface version 2, 3 or 4. The option `model` takes such
 * an object directly; this is for `providerOptions` and for use without a session.
 *
 * Retries are the caller's: what the object throws, and errors inside its stream, become failures that say whether
 * another try may help. A stream that ends without its end, and one that is silent for `stallMs`, are such failures.
 *
 * @throws CastellanError `invalid_model` for an object of another version.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): LanguageModel {
  const found = aiSdkFault(model);
  if (found !== undefined) {
    throw new CastellanError(
      "invalid_model",
      `The AI SDK model's ${found.key} is ${JSON.stringify(found.got)}; it must be ${found.expected}.`,
      { subject: "model", fix: "Take a release of its provider's package for AI SDK 5, 6 or 7." },
    );
  }
  const { clock, sha256 } = options.platform ?? nodePlatform();
  const { provider, modelId, specificationVersion: version } = model;
  const id = options.id ?? `ai-sdk:${provider}/${modelId}`;
  const meta = `ai-sdk:${provider}`;
  const place: FailurePlace = { id, auth: {}, keyName: `the key that the package of ${provider} was given` };
  const stallMs = options.stallMs ?? STALL_MS;
  const warn = once(id, options.warn);
  const own: ByProvider = options.providerOptions ?? {};
  let encoder: Promise<ReturnType<typeof createRequestEncoder>> | undefined;

  /** Made once, unless the object fails to say which addresses it fetches. */
  function known(): ReturnType<typeof makeEncoder> {
    encoder ??= makeEncoder().catch((error: unknown) => {
      encoder = undefined;
      throw error;
    });
    return encoder;
  }

  async function makeEncoder(): Promise<ReturnType<typeof createRequestEncoder>> {
    const takesUrl = await urlRule(model);
    const audience = { version, provider, modelId, meta, takesUrl, longest: LONGEST_ID, sha256 };
    return createRequestEncoder(audience, own);
  }

  async function* parts(
    request: ModelRequest,
    { signal, loadArtifact }: StreamOptions,
  ): AsyncGenerator<readonly ModelPart[]> {
    if (signal.aborted) throw aborted();
    const watch = createWatch(signal, clock, stallMs, () => stalled(place, stallMs));
    const decoder = createDecoder(place, { meta, modelId }, () => clock.now(), warn);
    let source: Source | undefined;
    let whole = false;
    try {
      const asked = await (await watch.wait(known()))(request, loadArtifact, watch.signal);
      // Called on the object itself: it may be an instance of a class.
      const answer = await watch.wait((model.doStream as DoStream).call(model, asked));
      source = sourceOf(answer.stream);
      for (;;) {
        const { done, value } = await watch.wait(source.next());
        if (done === true) break;
        const out: ModelPart[] = [];
        decoder.part(value, out);
        if (out.length > 0) yield out;
      }
      whole = true;
      decoder.end();
    } catch (error) {
      // The answer was whole; how its connection ends is of no interest.
      if (decoder.finished && !signal.aborted) return;
      throw thrownFailure(error, place, clock.now(), source !== undefined);
    } finally {
      watch.end(whole);
      if (!whole) source?.cancel();
    }
  }

  return {
    id,
    provider: meta,
    limitKey: `${meta}#${numberOf(model)}`,
    stallMs,
    stream: (request, how) => streamOf(() => parts(request, how)),
  };
}

function numberOf(model: AiSdkModel): number {
  const known = numbers.get(model);
  if (known !== undefined) return known;
  count += 1;
  numbers.set(model, count);
  return count;
}

function once(id: string, tell: AiSdkParts["warn"]): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (tell === undefined || told.has(line)) return;
    told.add(line);
    tell(`${id}: ${line}`);
  };
}
