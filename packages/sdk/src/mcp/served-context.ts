import { createHash } from "node:crypto";
import type { ArtifactRef, BuiltinContext, CancelCode, JsonObject, ToolProgress } from "../protocol/index.ts";
import { CastellanError } from "../protocol/index.ts";
import type { Stored } from "./served-content.ts";

/** One call that came over a transport. */
export interface ServedCall {
  readonly context: BuiltinContext;
  readonly stored: Stored;
  /** Fires the call's signal; the first reason holds. */
  stop(code: CancelCode): void;
  /** From here on progress is dropped. */
  close(): void;
}

const MOST_BYTES = 100_000_000;

/** The context of a handler outside any session. Stored bytes live as long as the call. */
export function servedCall(
  id: string,
  sessionId: string,
  cwd: string,
  onProgress: ((params: JsonObject) => void) | undefined,
): ServedCall {
  const controller = new AbortController();
  const stored = new Map<string, Uint8Array>();
  let open = true;
  let steps = 0;
  const progress = (update: ToolProgress): void => {
    if (!open || onProgress === undefined) return;
    const fields = typeof update === "string" ? { message: update } : update;
    steps += 1;
    const { progress: done, total, message } = fields;
    onProgress({
      progress: typeof done === "number" ? done : steps,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof message === "string" ? { message } : {}),
    });
  };
  return {
    stored,
    stop(code) {
      controller.abort(Object.assign(new Error(`The call was stopped (${code}).`), { code }));
    },
    close() {
      open = false;
    },
    context: {
      toolUseId: id,
      sessionId,
      assistantMessageId: id,
      cwd,
      signal: controller.signal,
      metadata: { taskId: sessionId },
      artifacts: { put: (body, mediaType) => keep(stored, body, mediaType) },
      progress,
      log: () => undefined,
      callTool: async (name) => ({
        content: [
          { type: "text", text: `${name} cannot be called: no session stands behind this connection.` },
        ],
        isError: true,
      }),
      targets: [],
      services: {},
    },
  };
}

async function keep(
  stored: Map<string, Uint8Array>,
  body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
  mediaType: string,
): Promise<ArtifactRef> {
  const given = body as ConstructorParameters<typeof Response>[0];
  const bytes = new Uint8Array(await new Response(given).arrayBuffer());
  if (bytes.length > MOST_BYTES || typeof mediaType !== "string" || !mediaType.includes("/")) {
    const message = `An artifact of ${bytes.length} bytes and the media type ${String(mediaType)} cannot be stored.`;
    throw new CastellanError("artifact_invalid", message, { fix: "100 MB at most, as type/subtype." });
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  stored.set(hash, bytes);
  return { id: `art_${hash.slice(0, 12)}`, hash, size: bytes.length, mediaType };
}
