import type { LanguageModel } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import type { WirePlatform } from "../shared/wire-format.ts";
import { createWireModel } from "../shared/wire-model.ts";
import { createResponsesDecoder } from "./decoder.ts";
import { createEncoder } from "./encode-request.ts";

/** A model behind OpenAI's Responses API, which reasoning models need to keep their thoughts over tool calls. */
export function responsesModel(endpoint: Endpoint, platform: WirePlatform): LanguageModel {
  const { provider, model } = endpoint;
  const encode = createEncoder({ provider, model, longest: 64, sha256: platform.sha256 });
  const decoder = () => createResponsesDecoder(endpoint, () => platform.ids.short("call"));
  return createWireModel(endpoint, platform, { encode, decoder });
}
