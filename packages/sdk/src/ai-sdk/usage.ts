import { ask, count } from "../model/index.ts";
import type { Usage } from "../protocol/index.ts";

/** Token counts of a `finish` part: numbers in version 2, objects in 3 and 4. */
export function readUsage(usage: unknown, metadata: unknown): Partial<Usage> {
  const input = ask(usage, "inputTokens");
  return typeof input === "object" && input !== null ? detailed(usage, input) : flat(usage, metadata);
}

function detailed(usage: unknown, input: object): Partial<Usage> {
  const cacheRead = count(ask(input, "cacheRead"));
  const cacheWrite = count(ask(input, "cacheWrite"));
  const total = count(ask(input, "total"));
  const fresh = total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0);
  return told({
    inputTokens: count(ask(input, "noCache")) ?? fresh,
    outputTokens: count(ask(ask(usage, "outputTokens"), "total")),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}

/** Anthropic's `inputTokens` of version 2 leave the cached ones out; all others' hold them. */
function flat(usage: unknown, metadata: unknown): Partial<Usage> {
  const all = count(ask(usage, "inputTokens"));
  const cacheRead = count(ask(usage, "cachedInputTokens"));
  const anthropic = ask(metadata, "anthropic");
  const holdsCached = anthropic === undefined && all !== undefined;
  return told({
    inputTokens: holdsCached ? all - (cacheRead ?? 0) : all,
    outputTokens: count(ask(usage, "outputTokens")),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: count(ask(anthropic, "cacheCreationInputTokens")),
  });
}

function told(counts: { readonly [K in keyof Usage]: number | undefined }): Partial<Usage> {
  const known = Object.entries(counts).filter(([, tokens]) => tokens !== undefined);
  return Object.fromEntries(known.map(([key, tokens]) => [key, Math.max(0, tokens ?? 0)]));
}
