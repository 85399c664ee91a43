import { Buffer } from "node:buffer";
import { putArtifact } from "../artifacts/index.ts";
import type { ArtifactRef, FilePart, ResultPart } from "../protocol/index.ts";
import { errorText } from "../protocol/index.ts";
import { textPart } from "./results.ts";
import type { SchedulerDeps } from "./types.ts";

export interface Stored {
  readonly content: readonly ResultPart[];
  readonly artifacts: readonly ArtifactRef[];
}

type Deps = Pick<SchedulerDeps, "artifacts" | "platform" | "notify">;

/**
 * Sound and blobs are nothing that a model reads as they are: they are stored, and a line names them.
 * Images and texts stay. Content without such parts is given back untouched.
 */
export async function storeFiles(content: readonly ResultPart[], name: string, deps: Deps): Promise<Stored> {
  if (!content.some(isBlob)) return { content, artifacts: [] };
  const artifacts: ArtifactRef[] = [];
  const parts: ResultPart[] = [];
  for (const part of content) {
    if (!isBlob(part)) {
      parts.push(part);
      continue;
    }
    const ref = await store(part, name, deps);
    if (ref !== undefined) artifacts.push(ref);
    const called = part.name === undefined ? "" : ` (${part.name})`;
    parts.push(
      textPart(
        ref === undefined
          ? `[${part.mediaType}${called} could not be stored]`
          : `[artifact ${ref.id}: ${ref.mediaType}, ${ref.size} bytes${called}]`,
      ),
    );
  }
  return { content: parts, artifacts };
}

type Blob = FilePart & { readonly ref: { readonly kind: "data"; readonly base64: string } };

function isBlob(part: ResultPart): part is Blob {
  return part.type === "file" && part.ref.kind === "data" && !part.mediaType.startsWith("image/");
}

async function store(part: Blob, name: string, deps: Deps): Promise<ArtifactRef | undefined> {
  try {
    return await putArtifact(
      deps.artifacts,
      deps.platform,
      Buffer.from(part.ref.base64, "base64"),
      part.mediaType,
    );
  } catch (error) {
    const why = errorText(error);
    deps.notify("warning", `A ${part.mediaType} result of ${name} could not be stored: ${why}`);
    return undefined;
  }
}
