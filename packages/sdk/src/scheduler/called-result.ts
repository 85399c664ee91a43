import type { ArtifactRef, CalledToolResult, ContentBlock, ResultPart } from "../protocol/index.ts";
import type { Ending } from "./results.ts";

/** An ending as the handler that made the call gets it: in the form in which a handler returns results. */
export function calledResult(ending: Ending): CalledToolResult {
  const images = ending.content.flatMap(imageRef);
  return {
    content: ending.content.flatMap(block),
    isError: ending.isError,
    ...(ending.structured === undefined ? {} : { structuredContent: ending.structured }),
    ...(ending.artifacts === undefined ? {} : { artifacts: ending.artifacts }),
    ...(images.length === 0 ? {} : { images }),
  };
}

/** For a call that was never made. */
export function failedCall(text: string): CalledToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function block(part: ResultPart): ContentBlock[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.ref.kind !== "data") return [];
  return [{ type: "image", data: part.ref.base64, mimeType: part.mediaType }];
}

function imageRef(part: ResultPart): ArtifactRef[] {
  if (part.type !== "file" || part.ref.kind !== "artifact") return [];
  const { hash, size } = part.ref;
  return [{ id: part.name ?? hash.slice(0, 12), hash, size, mediaType: part.mediaType }];
}
