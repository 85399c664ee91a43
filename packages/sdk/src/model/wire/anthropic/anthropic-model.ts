import type { LanguageModel } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import type { WirePlatform } from "../shared/wire-format.ts";
import { createWireModel } from "../shared/wire-model.ts";
import { createAnthropicDecoder } from "./decoder.ts";
import { createEncoder } from "./encode-request.ts";

/** A model behind the Anthropic Messages API, or a server that speaks it. */
export function anthropicModel(endpoint: Endpoint, platform: WirePlatform): LanguageModel {
  const { provider, model } = endpoint;
  const encode = createEncoder({ provider, model, longest: 64, sha256: platform.sha256 });
  const decoder = () => createAnthropicDecoder(endpoint, () => platform.ids.short("call"));
  return createWireModel(endpoint, platform, { encode, decoder });
}
