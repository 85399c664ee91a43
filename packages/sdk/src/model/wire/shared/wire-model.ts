import { streamOf } from "../../part-batches.ts";
import type { LanguageModel } from "../../port.ts";
import type { Endpoint } from "./endpoint.ts";
import { readAnswer } from "./read-answer.ts";
import type { WireFormat, WirePlatform } from "./wire-format.ts";

/** A model of the port over one endpoint. Each stream is one request, sent when its reader asks for the first part. */
export function createWireModel(
  endpoint: Endpoint,
  platform: WirePlatform,
  format: WireFormat,
): LanguageModel {
  return {
    id: endpoint.id,
    provider: endpoint.provider,
    limitKey: endpoint.limitKey,
    // Silence is told by the connection, byte by byte.
    stallMs: Number.POSITIVE_INFINITY,
    stream: (request, options) => streamOf(() => readAnswer(endpoint, platform, format, request, options)),
  };
}
