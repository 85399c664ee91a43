import type { AiSdkModel } from "../model/index.ts";

/** Which addresses a model fetches itself: `supportedUrls`, patterns by media type (`image/*` and `*` too). */
export async function urlRule(model: AiSdkModel): Promise<(mediaType: string, url: string) => boolean> {
  const given = await (model as { readonly supportedUrls?: unknown }).supportedUrls;
  const rules = Object.entries(
    typeof given === "object" && given !== null ? given : {},
  ) as readonly (readonly [string, unknown])[];
  return (mediaType, url) =>
    rules.some(
      ([type, patterns]) =>
        fits(type, mediaType) &&
        Array.isArray(patterns) &&
        patterns.some((pattern: unknown) => pattern instanceof RegExp && url.search(pattern) >= 0),
    );
}

function fits(type: string, mediaType: string): boolean {
  if (type === "*" || type === "*/*") return true;
  return type.endsWith("/*") ? mediaType.startsWith(type.slice(0, -1)) : type === mediaType;
}
