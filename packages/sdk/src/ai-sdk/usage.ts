import type { Usage } from "../protocol/index.ts";

/** Token counts of a `finish` part: numbers in version 2, objects in 3 and 4. */
export function readUsage(usage: unknown, metadata: unknown): Partial<Usage> {
  const input = at(usage, "inputTokens");
  return typeof input === "object" && input !== null ? detailed(usage, input) : flat(usage, metadata);
}

function detailed(usage: unknown, input: object): Partial<Usage> {
  const cacheRead = count(at(input, "cacheRead"));
  const cacheWrite = count(at(input, "cacheWrite"));
  const total = count(at(input, "total"));
  const fresh = total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0);
  return told({
    inputTokens: count(at(input, "noCache")) ?? fresh,
    outputTokens: count(at(at(usage, "outputTokens"), "total")),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}

/** Anthropic's `inputTokens` of version 2 leave the cached ones out; all others' hold them. */
function flat(usage: unknown, metadata: unknown): Partial<Usage> {
  const all = count(at(usage, "inputTokens"));
  const cacheRead = count(at(usage, "cachedInputTokens"));
  const anthropic = at(metadata, "anthropic");
  const holdsCached = anthropic === undefined && all !== undefined;
  return told({
    inputTokens: holdsCached ? all - (cacheRead ?? 0) : all,
    outputTokens: count(at(usage, "outputTokens")),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: count(at(anthropic, "cacheCreationInputTokens")),
  });
}

function told(counts: { readonly [K in keyof Usage]: number | undefined }): Partial<Usage> {
  const known = Object.entries(counts).filter(([, tokens]) => tokens !== undefined);
  return Object.fromEntries(known.map(([key, tokens]) => [key, Math.max(0, tokens ?? 0)]));
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A property of what may be no object. */
export function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
