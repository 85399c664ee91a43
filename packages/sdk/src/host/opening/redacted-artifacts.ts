import type { Platform } from "../../platform/index.ts";
import type { ArtifactStore, SessionEvent } from "../../protocol/index.ts";
import { EVENT_TYPES } from "../../protocol/index.ts";
import { type Redact, redacted } from "../../sessions/index.ts";

/**
 * The artifact store as tools and their results use it: texts pass through the redactor before they are stored, as the
 * content of a `tool.finished` without a call. What is no UTF-8 is stored as it is. A redactor that fails keeps the blob
 * out: `put` rejects with CastellanError `redaction_failed`.
 */
export function redactedArtifacts(
  store: ArtifactStore,
  redact: Redact | undefined,
  { clock }: Pick<Platform, "clock">,
): ArtifactStore {
  if (redact === undefined) return store;
  return {
    ...(store.has === undefined
      ? {}
      : { has: (hash: string) => store.has?.(hash) ?? Promise.resolve(false) }),
    get: (hash) => store.get(hash),
    delete: (hash) => store.delete(hash),
    list: () => store.list(),
    put: async (bytes) => {
      const text = textOf(bytes);
      if (text === undefined) return store.put(bytes);
      const kept = plainText(redact, text, clock.now());
      return store.put(kept === text ? bytes : new TextEncoder().encode(kept));
    },
  };
}

function plainText(redact: Redact, text: string, ts: number): string {
  const { v, critical } = EVENT_TYPES["tool.finished"];
  const event = {
    ...{ v, seq: 0, id: "artifact", ts, type: "tool.finished", ...(critical ? { critical } : {}) },
    data: {
      ...{ callId: "artifact", name: "artifact", outcome: "finished", isError: false },
      content: [{ type: "text", text }],
    },
  } as SessionEvent;
  const plain = redacted(redact, event);
  const part = plain.type === "tool.finished" ? plain.data.content?.[0] : undefined;
  return part?.type === "text" ? part.text : "";
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
