import type { ModelRequest } from "../../port.ts";

type HeadParts = {
  readonly [K in "system" | "builtinTools" | "maxOutputTokens" | "outputSchema"]: ModelRequest[K] | undefined;
};

/**
 * The head of a request (all before its messages), encoded once for as long as the session's prefix and settings
 * stay the same objects. Several sessions may share a model, so it is kept by the list of tools.
 */
export function createHeadCache<T>(encode: (request: ModelRequest) => T): (request: ModelRequest) => T {
  const known = new WeakMap<readonly unknown[], { parts: HeadParts; settings: string; head: T }>();
  return (request) => {
    const settings = JSON.stringify([request.thinking, request.effort]);
    const kept = known.get(request.tools);
    if (kept !== undefined && kept.settings === settings && sameParts(kept.parts, request)) return kept.head;
    const head = encode(request);
    const { system, builtinTools, maxOutputTokens, outputSchema } = request;
    const parts = { system, builtinTools, maxOutputTokens, outputSchema };
    known.set(request.tools, { parts, settings, head });
    return head;
  };
}

function sameParts(a: HeadParts, b: ModelRequest): boolean {
  return (
    a.system === b.system &&
    a.builtinTools === b.builtinTools &&
    a.maxOutputTokens === b.maxOutputTokens &&
    a.outputSchema === b.outputSchema
  );
}
