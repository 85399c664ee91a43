import type { Platform } from "../platform/index.ts";
import { type ArtifactRef, type ArtifactStore, CastellanError } from "../protocol/index.ts";
import { type ArtifactBody, readBody } from "./read-body.ts";

/** `type/subtype`, with parameters or without. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\r\n]*"))*$/;

/**
 * Stores a body and gives the reference that a result may carry. Its `id` is a short handle of this one
 * call; the same bytes stored twice have two ids and one blob.
 *
 * @param mediaType required, such as `text/plain` or `image/png`.
 * @throws CastellanError `artifact_invalid` for a body or media type that cannot be stored; what the
 *   store throws passes as it is.
 */
export async function putArtifact(
  store: ArtifactStore,
  platform: Platform,
  body: ArtifactBody,
  mediaType: string,
): Promise<ArtifactRef> {
  if (typeof mediaType !== "string" || !MEDIA_TYPE.test(mediaType)) {
    const got = typeof mediaType === "string" ? JSON.stringify(mediaType) : typeof mediaType;
    throw new CastellanError("artifact_invalid", `The media type of an artifact is ${got}.`, {
      subject: "mediaType",
      fix: 'Name it as "type/subtype", for instance "text/plain".',
    });
  }
  const bytes = await readBody(body);
  const hash = await store.put(bytes);
  // A store that takes out what must not be kept stores other bytes.
  const kept = hash === platform.sha256(bytes) ? bytes : ((await store.get(hash)) ?? bytes);
  return { id: platform.ids.short("art"), hash, size: kept.byteLength, mediaType };
}
