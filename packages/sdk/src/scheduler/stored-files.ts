import type { ArtifactStore, ResultPart } from "../protocol/index.ts";
import type { Ending } from "./results.ts";
import { textPart } from "./results.ts";

/**
 * A result whose `artifacts` and `images` are really stored; one that names what nobody stored becomes an error
 * that says which. A result without references is given back as it is.
 */
export async function withStoredFiles(ending: Ending, tool: string, store: ArtifactStore): Promise<Ending> {
  const { artifacts = [], content } = ending;
  if (artifacts.length === 0 && !content.some(isStored)) return ending;
  const missing: string[] = [];
  const kept: ResultPart[] = [];
  for (const part of content) {
    if (!isStored(part) || (await has(store, part.ref.hash))) kept.push(part);
    else missing.push(`${part.name ?? part.ref.hash} (images)`);
  }
  const there: (typeof artifacts)[number][] = [];
  for (const ref of artifacts) {
    if (await has(store, ref.hash)) there.push(ref);
    else missing.push(`${ref.id} (artifacts)`);
  }
  if (missing.length === 0) return ending;
  const { artifacts: _, ...rest } = ending;
  const text =
    `The result of ${tool} names what is not stored: ${missing.join(", ")}. ` +
    "Put into artifacts and images what context.artifacts.put(body, mediaType) gives.";
  return {
    ...rest,
    outcome: ending.outcome === "finished" ? "failed" : ending.outcome,
    isError: true,
    content: [textPart(text), ...kept],
    ...(there.length === 0 ? {} : { artifacts: there }),
  };
}

function isStored(
  part: ResultPart,
): part is Extract<ResultPart, { type: "file" }> & { readonly ref: { readonly kind: "artifact" } } {
  return part.type === "file" && part.ref.kind === "artifact";
}

/** A store that cannot answer has nothing: the reader of the result would not get it either. */
async function has(store: ArtifactStore, hash: string): Promise<boolean> {
  try {
    return store.has === undefined ? (await store.get(hash)) !== undefined : await store.has(hash);
  } catch {
    return false;
  }
}
