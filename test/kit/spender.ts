import {
  createHost,
  type HostModelOptions,
  type LanguageModel,
  type ModelPart,
  type Options,
  type SDKResultMessage,
  type SDKUserMessage,
} from "@castellan/sdk";
import { hurriedClock } from "./hurried-clock.ts";

/** What a provider does with a request, and what it counts for it. */
export interface Spend {
  /** `broken`: the stream ends without an end mark, and is tried again. `full`: the answer is cut short by the window. */
  readonly does: "text" | "call" | "broken" | "full";
  readonly input: number;
  readonly output: number;
}

export interface Spender extends LanguageModel {
  /** What every request was counted as, whatever became of it, in order. */
  readonly counted: readonly { readonly tokens: number; readonly usd: number }[];
}

/** US dollars of a million tokens. */
export const RATES = { input: 2, output: 10 } as const;

/**
 * A model that goes through a list again and again; every request of every kind is counted.
 *
 * @param more.summary what it does with each request for a summary. Default: what is next in the list.
 */
export function spender(
  acts: readonly Spend[],
  more: { readonly id?: string; readonly contextWindow?: number; readonly summary?: Spend } = {},
): Spender {
  const counted: { tokens: number; usd: number }[] = [];
  return {
    id: more.id ?? "spender",
    provider: "test",
    ...(more.contextWindow === undefined ? {} : { contextWindow: more.contextWindow }),
    counted,
    async *stream({ tools }): AsyncGenerator<ModelPart> {
      const act = acts[counted.length % acts.length] as Spend;
      const { does, input, output } = tools.length === 0 ? (more.summary ?? act) : act;
      counted.push({ tokens: input + output, usd: (input * RATES.input + output * RATES.output) / 1e6 });
      const n = counted.length;
      yield { type: "text", delta: `Answer ${n}. ${"word ".repeat(output)}` };
      const calls = does === "call" && tools.length > 0;
      if (calls) {
        yield { type: "toolStart", id: `c${n}`, name: "LS" };
        yield { type: "toolEnd", id: `c${n}`, inputText: '{"path":"."}' };
      }
      yield { type: "usage", usage: { inputTokens: input, outputTokens: output } };
      if (does === "broken") return;
      yield {
        type: "finish",
        stopReason: does === "full" ? "context_overflow" : calls ? "tool_use" : "end_turn",
      };
    },
  };
}

/** One run of a session in a host of its own, as a new process has it: the results of its prompts. */
export async function spend(
  prompts: readonly string[],
  options: Options,
  models: HostModelOptions = { prices: { "*": RATES } },
): Promise<readonly SDKResultMessage[]> {
  const { clock } = hurriedClock();
  const host = createHost({ models, platform: { clock } });
  async function* stream(): AsyncGenerator<SDKUserMessage> {
    for (const content of prompts) yield { type: "user", message: { role: "user", content } };
  }
  const results: SDKResultMessage[] = [];
  for await (const message of host.query({
    prompt: prompts.length === 1 ? (prompts[0] ?? "") : stream(),
    options,
  })) {
    if (message.type === "result") results.push(message);
  }
  await host.close();
  return results;
}
