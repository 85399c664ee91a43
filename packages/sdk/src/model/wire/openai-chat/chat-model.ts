import type { LanguageModel } from "../../port.ts";
import type { Endpoint } from "../shared/endpoint.ts";
import type { WirePlatform } from "../shared/wire-format.ts";
import { createWireModel } from "../shared/wire-model.ts";
import { createChatDecoder } from "./decoder.ts";
import { createEncoder } from "./encode-request.ts";

/** A model behind OpenAI's chat completions, or one of the many servers that speak it. */
export function chatModel(endpoint: Endpoint, platform: WirePlatform): LanguageModel {
  const { provider, dialect } = endpoint;
  const encode = createEncoder(endpoint.model, { provider, dialect, longest: 40, sha256: platform.sha256 });
  const decoder = (taken: (id: string) => boolean) =>
    createChatDecoder(endpoint, () => platform.ids.short("call"), taken);
  return createWireModel(endpoint, platform, { encode, decoder });
}
