import { createHash } from "node:crypto";
import {
  type ArtifactRef,
  type BuiltinContext,
  type CalledToolResult,
  CastellanError,
  type JsonObject,
} from "../protocol/index.ts";
import { issuesText } from "../schema/index.ts";
import { definitionOf } from "./brand.ts";
import type { AnyTool, HandlerResult, Tool } from "./types.ts";

/**
 * Calls a tool as a plain function, for tests: validates the arguments, runs the handler, and gives back what it
 * returned, untouched. Arguments that are not valid give an error result, as the model would get one; what the
 * handler throws is thrown.
 *
 * No permission is asked for, and nothing is logged. Left-out parts of the context are stand-ins: artifacts are
 * hashed and dropped, progress and log lines go nowhere, `callTool` finds no tool, `cwd` is `/`, and `taskId` is the
 * `sessionId`.
 *
 * @throws CastellanError `invalid_tool` when `tool` was not made by `tool()` or `buildTool()`.
 */
export async function invokeTool<Args>(
  tool: Tool<Args> | AnyTool,
  args: Args | JsonObject,
  context: Partial<BuiltinContext> = {},
): Promise<HandlerResult> {
  const definition = definitionOf(tool);
  if (definition === undefined) {
    throw new CastellanError("invalid_tool", "invokeTool: the first argument is no tool.", {
      fix: "Give it what tool() or buildTool() returned.",
    });
  }
  const parsed = await definition.parseInput(args);
  if (!parsed.ok) {
    const text = `The input of ${definition.name} is not valid:\n${issuesText(parsed.issues)}`;
    return { content: [{ type: "text", text }], isError: true };
  }
  const full: BuiltinContext = { ...standIn(context.sessionId), ...context };
  return (await definition.call(parsed.input, full, full.progress)) as HandlerResult;
}

function standIn(sessionId = "session_1"): BuiltinContext {
  return {
    toolUseId: "call_1",
    sessionId,
    assistantMessageId: "message_1",
    cwd: "/",
    signal: new AbortController().signal,
    metadata: { taskId: sessionId },
    artifacts: { put: hashOnly },
    progress: () => undefined,
    log: () => undefined,
    callTool: noTool,
    targets: [],
    services: {},
  };
}

async function noTool(name: string): Promise<CalledToolResult> {
  const text = `No such tool: ${name}. A test gives its own callTool: invokeTool(tool, args, { callTool }).`;
  return { content: [{ type: "text", text }], isError: true };
}

const MOST_ARTIFACT_BYTES = 100_000_000;

/** Refuses what a session's store refuses. */
async function hashOnly(
  body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
  mediaType: string,
): Promise<ArtifactRef> {
  if (typeof mediaType !== "string" || !/^[^\s/]+\/[^\s/]/.test(mediaType)) {
    throw new CastellanError("artifact_invalid", `The media type of an artifact is ${String(mediaType)}.`, {
      subject: "mediaType",
      fix: 'Name it as "type/subtype", for instance "text/plain".',
    });
  }
  const bytes = new Uint8Array(
    await new Response(body as ConstructorParameters<typeof Response>[0]).arrayBuffer(),
  );
  if (bytes.length > MOST_ARTIFACT_BYTES) {
    const message = `An artifact of ${bytes.length} bytes is over the limit of 100 MB.`;
    throw new CastellanError("artifact_invalid", message, { subject: "body", fix: "Store it in parts." });
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { id: `art_${hash.slice(0, 12)}`, hash, size: bytes.length, mediaType };
}
