/** Providers take images of at most 5 MB in base64. */
export const MOST_IMAGE_BYTES = 3_750_000;

export type MediaKind =
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "other" };

/** What the first bytes of a file say it is. Names are not looked at: they may be wrong. */
export function mediaKind(bytes: Uint8Array): MediaKind {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return { kind: "image", mimeType: "image/png" };
  if (start.startsWith("\xff\xd8\xff")) return { kind: "image", mimeType: "image/jpeg" };
  if (/^GIF8[79]a/.test(start)) return { kind: "image", mimeType: "image/gif" };
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return { kind: "image", mimeType: "image/webp" };
  return start.startsWith("%PDF-") ? { kind: "pdf" } : { kind: "other" };
}
