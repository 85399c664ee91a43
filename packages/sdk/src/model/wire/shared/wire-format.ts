import type { Platform } from "../../../platform/index.ts";
import type { ModelRequest, StreamOptions } from "../../port.ts";
import type { StreamDecoder } from "./stream-decoder.ts";

/** What a wire format needs of the platform. */
export type WirePlatform = Pick<Platform, "http" | "clock" | "ids" | "sha256">;

/** A request in one format: its own headers, and a body in pieces that are kept from turn to turn. */
export interface EncodedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
}

/** One wire format over one endpoint. */
export interface WireFormat {
  /** Given at once unless a message holds an artifact that must be read first. */
  encode(
    request: ModelRequest,
    load: StreamOptions["loadArtifact"],
  ): EncodedRequest | Promise<EncodedRequest>;
  /** @param taken tells whether a call in the history of this request has an id. */
  decoder(taken: (id: string) => boolean): StreamDecoder;
}
