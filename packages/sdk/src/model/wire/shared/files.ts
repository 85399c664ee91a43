import type { FilePart, Message } from "../../../protocol/index.ts";
import type { StreamOptions } from "../../port.ts";

/** Base64 of the artifacts of one message, by hash; a missing one has no entry. */
export type LoadedFiles = ReadonlyMap<string, string>;

/** What a file comes to on a wire. */
export type FileForm =
  | { readonly form: "image" | "pdf"; readonly mediaType: string; readonly source: FileSource }
  /** What cannot be sent as a file is told as text. */
  | { readonly form: "text"; readonly text: string };

export type FileSource =
  | { readonly kind: "base64"; readonly data: string }
  | { readonly kind: "url"; readonly url: string };

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Every file of a message, those of its tool results too. */
export function filesOf(message: Message): readonly FilePart[] {
  const files: FilePart[] = [];
  for (const part of message.parts) {
    if (part.type === "file") files.push(part);
    else if (part.type === "toolResult") {
      for (const item of part.content) if (item.type === "file") files.push(item);
    }
  }
  return files;
}

export async function loadFiles(
  files: readonly FilePart[],
  load: StreamOptions["loadArtifact"],
): Promise<LoadedFiles> {
  const loaded = new Map<string, string>();
  for (const { ref } of files) {
    if (ref.kind !== "artifact" || loaded.has(ref.hash)) continue;
    const bytes = await load?.(ref.hash);
    if (bytes !== undefined) loaded.set(ref.hash, Buffer.from(bytes).toString("base64"));
  }
  return loaded;
}

/** Decides how a file is shown; a URL counts as what its media type says. */
export function fileForm(file: FilePart, loaded: LoadedFiles): FileForm {
  const mediaType = (file.mediaType.split(";")[0] ?? "").trim().toLowerCase();
  const source = sourceOf(file, loaded);
  if (source === undefined) return { form: "text", text: `[${label(file)} is not stored any more]` };
  // Of an image at an address the kind is not known before it is fetched.
  const isImage = IMAGES.has(mediaType) || (mediaType === "image/*" && source.kind === "url");
  if (isImage) return { form: "image", mediaType, source };
  if (mediaType === "application/pdf") return { form: "pdf", mediaType, source };
  if (source.kind === "url") return { form: "text", text: `[${label(file)}: ${source.url}]` };
  if (mediaType.startsWith("text/") || mediaType === "application/json") {
    return { form: "text", text: `${label(file)}:\n${Buffer.from(source.data, "base64").toString()}` };
  }
  return { form: "text", text: `[${label(file)} cannot be shown to this model]` };
}

function sourceOf({ ref }: FilePart, loaded: LoadedFiles): FileSource | undefined {
  if (ref.kind === "url") return { kind: "url", url: ref.url };
  const data = ref.kind === "data" ? ref.base64 : loaded.get(ref.hash);
  return data === undefined ? undefined : { kind: "base64", data };
}

function label({ name, mediaType }: FilePart): string {
  return name === undefined ? `file of type ${mediaType}` : `file ${name} (${mediaType})`;
}

/** A source as one URL. */
export function fileUrl(mediaType: string, source: FileSource): string {
  return source.kind === "url" ? source.url : `data:${mediaType};base64,${source.data}`;
}
