import { createHash } from "node:crypto";
import { type ArtifactRef, type BuiltinContext, CastellanError, type JsonObject } from "../protocol/index.ts";
import { issuesText } from "../schema/index.ts";
import { definitionOf } from "./brand.ts";
import type { AnyTool, HandlerResult, Tool } from "./types.ts";

/**
 * Calls a tool as a plain function, for tests: validates the arguments, runs the handler, and gives back what it
 * returned, untouched. Arguments that are not valid give an error result, as the model would get one; what the
 * handler throws is thrown.
 *
 * No permission is asked for, and nothing is logged. Left-out parts of the context are stand-ins: artifacts are
 * hashed and dropped, progress and log lines go nowhere, `cwd` is `/`.
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
  const full = { ...standIn(), ...context };
  return (await definition.call(parsed.input, full, full.progress)) as HandlerResult;
}

function standIn(): BuiltinContext {
  return {
    toolUseId: "call_1",
    sessionId: "session_1",
    assistantMessageId: "message_1",
    cwd: "/",
    signal: new AbortController().signal,
    metadata: { taskId: "session_1" },
    artifacts: { put: hashOnly },
    progress: () => undefined,
    log: () => undefined,
    targets: [],
    services: {},
  };
}

async function hashOnly(
  body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
  mediaType: string,
): Promise<ArtifactRef> {
  const bytes = new Uint8Array(
    await new Response(body as ConstructorParameters<typeof Response>[0]).arrayBuffer(),
  );
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { id: `art_${hash.slice(0, 12)}`, hash, size: bytes.length, mediaType };
}
