import {
  createHeadCache,
  createMessageCache,
  type ModelRequest,
  type ModelTool,
  type StreamOptions,
  wellFormed,
  wireName,
} from "../model/index.ts";
import {
  type ByProvider,
  CACHE_MARK,
  type CallOptions,
  isAnthropic,
  type PromptMessage,
  type PromptTool,
} from "./call-options.ts";
import { type Audience, encodeMessage } from "./encode-message.ts";
import { providerSettings } from "./settings.ts";

/** What requests of a session begin with: its own objects for as long as these stay the same. */
interface Prefix {
  readonly system: readonly PromptMessage[];
  readonly tools: readonly PromptTool[];
}

/** Makes what `doStream` is called with. The prefix and each message of the history are converted once. */
export function createRequestEncoder(
  audience: Audience,
  own: ByProvider,
): (
  request: ModelRequest,
  load: StreamOptions["loadArtifact"],
  abortSignal: AbortSignal,
) => Promise<CallOptions> {
  const cache = createMessageCache((message, files) => encodeMessage(wellFormed(message), files, audience));
  const marks = isAnthropic(audience.provider);
  const prefixes = createHeadCache(
    ({ system, tools, builtinTools }): Prefix => ({
      system: systemOf(wellFormed(system), marks),
      tools: wellFormed(tools).map((tool, i) => toolOf(tool, audience, marks && i === builtinTools - 1)),
    }),
  );
  return async (request, load, abortSignal) => {
    const history = (await cache.all(request.messages, load)).flat();
    const { system, tools } = prefixes(request);
    return {
      prompt: [...system, ...marked(history, marks), ...tailOf(wellFormed(request.tail))],
      ...(tools.length === 0 ? {} : { tools, toolChoice: { type: "auto" } }),
      ...providerSettings(request, audience.provider, audience.version, own),
      includeRawChunks: false,
      abortSignal,
    };
  };
}

function toolOf(tool: ModelTool, audience: Audience, isMarked: boolean): PromptTool {
  return {
    type: "function",
    name: wireName(tool.name),
    description: tool.description,
    inputSchema: { type: "object", ...tool.inputSchema },
    ...strictness(tool.strict, audience),
    ...(isMarked ? { providerOptions: CACHE_MARK } : {}),
  };
}

/** Servers that fill a template take one system message; the cache of Anthropic is marked behind the last. */
function systemOf(system: readonly string[], marks: boolean): readonly PromptMessage[] {
  const texts = system.filter((text) => text.trim() !== "");
  if (texts.length === 0) return [];
  if (!marks) return [{ role: "system", content: texts.join("\n\n") }];
  return withMark(texts.map((content) => ({ role: "system", content })));
}

function marked(history: readonly PromptMessage[], marks: boolean): readonly PromptMessage[] {
  return marks ? withMark(history) : history;
}

function withMark(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const last = messages.at(-1);
  return last === undefined ? [] : [...messages.slice(0, -1), { ...last, providerOptions: CACHE_MARK }];
}

/** Reminders stand behind the last mark. */
function tailOf(tail: readonly string[]): readonly PromptMessage[] {
  const content = tail.filter((text) => text.trim() !== "").map((text) => ({ type: "text", text }));
  return content.length === 0 ? [] : [{ role: "user", content }];
}

/** Responses makes a tool strict unless it is told otherwise, and optional fields required with it. */
function strictness(strict: boolean | undefined, { version, provider }: Audience): { strict?: boolean } {
  if (version === "v2") return {};
  if (strict === true) return { strict };
  return provider.endsWith(".responses") ? { strict: false } : {};
}
