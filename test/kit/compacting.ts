import type { LanguageModel, ModelPart, ModelRequest } from "@castellan/sdk";

/** What a model of a test says. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  /** Tokens that the provider counts for the request. Default: a quarter of its characters. */
  readonly inputTokens?: number;
  readonly overflow?: true;
}

export interface AnsweringModel extends LanguageModel {
  readonly requests: readonly ModelRequest[];
  /** Those among them that ask for a summary. */
  readonly summaries: readonly ModelRequest[];
}

/** Whether a request asks for a summary of the history. */
export function asksForSummary({ system, tools }: ModelRequest): boolean {
  return tools.length === 0 && system[0]?.startsWith("You sum up the conversation") === true;
}

/** A model that answers as a function of the request, with counts of tokens as a provider gives them. */
export function answering(
  answer: (request: ModelRequest, turn: number) => Said | Promise<Said>,
  more: {
    readonly contextWindow?: number;
    readonly summary?: (request: ModelRequest) => Said | Promise<Said>;
  } = {},
): AnsweringModel {
  const requests: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  let turn = 0;
  return {
    id: "test-model",
    provider: "test",
    ...(more.contextWindow === undefined ? {} : { contextWindow: more.contextWindow }),
    requests,
    summaries,
    async *stream(request, { signal }): AsyncGenerator<ModelPart> {
      const isSummary = asksForSummary(request);
      const said: Said = isSummary
        ? await (more.summary ?? (() => ({ text: "SUMMARY: the work goes on." })))(request)
        : await answer(request, ++turn);
      signal.throwIfAborted();
      // The history of a session is its own array: what a test looks at later is how it was.
      (isSummary ? summaries : requests).push({ ...request, messages: [...request.messages] });
      if (said.overflow === true) {
        const failure = { message: "the prompt is too long.", kind: "context_overflow", retryable: false };
        throw Object.assign(new Error("too long"), { failure });
      }
      if (said.text !== undefined) yield { type: "text", delta: said.text };
      for (const [at, { name, input }] of (said.calls ?? []).entries()) {
        const id = `call_${turn}_${at}`;
        yield { type: "toolStart", id, name };
        yield { type: "toolEnd", id, inputText: JSON.stringify(input) };
      }
      const inputTokens = said.inputTokens ?? Math.ceil(sizeOf(request) / 4);
      yield { type: "usage", usage: { inputTokens, outputTokens: 10 } };
      yield { type: "finish", stopReason: said.calls === undefined ? "end_turn" : "tool_use" };
    },
  };
}

/** Characters of a request. */
export function sizeOf({ system, tools, messages, tail }: ModelRequest): number {
  return JSON.stringify([system, tools, messages, tail]).length;
}

/** All text that a request holds. */
export function textIn(request: ModelRequest): string {
  return JSON.stringify([request.system, request.messages, request.tail]);
}
