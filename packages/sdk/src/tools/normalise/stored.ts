import type { ArtifactRef, FilePart } from "../../protocol/index.ts";

type Fields = { readonly [key: string]: unknown };

/** The references of a result, or the entry that is none. */
export type StoredReading =
  | { readonly ok: true; readonly refs: readonly ArtifactRef[] }
  | { readonly ok: false; readonly why: string };

/** Reads `artifacts` or `images`: lists of what `context.artifacts.put` gave. */
export function readStored(value: unknown, field: "artifacts" | "images"): StoredReading {
  if (value === undefined) return { ok: true, refs: [] };
  if (!Array.isArray(value)) return { ok: false, why: `${field} must be a list` };
  const refs: ArtifactRef[] = [];
  for (let index = 0; index < value.length; index++) {
    const ref = readRef(value[index]);
    const isImage = ref?.mediaType.startsWith("image/") === true;
    if (ref === undefined || (field === "images" && !isImage)) {
      const what = field === "images" ? "stored image" : "stored artifact";
      return {
        ok: false,
        why: `${field}[${index}] is no ${what}; put there what context.artifacts.put(body, mediaType) gives`,
      };
    }
    refs.push(ref);
  }
  return { ok: true, refs };
}

function readRef(value: unknown): ArtifactRef | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, hash, size, mediaType } = value as Fields;
  if (typeof id !== "string" || typeof hash !== "string" || typeof mediaType !== "string") return undefined;
  if (!/^[0-9a-f]{64}$/.test(hash) || !Number.isSafeInteger(size) || (size as number) < 0) return undefined;
  return { id, hash, size: size as number, mediaType };
}

/** A stored image as a part of a result. */
export function imagePart({ id, hash, size, mediaType }: ArtifactRef): FilePart {
  return { type: "file", mediaType, ref: { kind: "artifact", hash, size }, name: id };
}

/** How the model is told of an artifact. The content hash stays with the host. */
export function artifactLine({ id, size, mediaType }: ArtifactRef): string {
  return `[artifact ${id}: ${mediaType}, ${size} bytes]`;
}
