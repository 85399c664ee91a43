import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../model/index.ts";
import { request, user } from "../model/wire/test-kit.ts";
import { type FromAiSdkOptions, fromAiSdk } from "./index.ts";
import { type Call, handMade, outcome } from "./test-kit.ts";

type Settings = Pick<ModelRequest, "thinking" | "effort" | "maxOutputTokens">;
type Own = NonNullable<FromAiSdkOptions["providerOptions"]>;

const adaptive = { type: "adaptive" } as const;
const on = { type: "enabled", budgetTokens: 2000 } as const;
const off = { type: "disabled" } as const;
const KEYS = ["maxOutputTokens", "reasoning", "providerOptions"];

async function settings(version: "v2" | "v3" | "v4", provider: string, asked: Settings, own?: Own) {
  let call: Call;
  const onCall = (options: Call): void => {
    call = options;
  };
  const model = fromAiSdk(handMade(version, [], { provider, onCall }), own && { providerOptions: own });
  await outcome(model, request([user("Hi")], asked));
  return Object.fromEntries(KEYS.filter((key) => key in call).map((key) => [key, call[key]]));
}

describe("settings of a request", () => {
  it.each<[provider: string, Settings, providerOptions: object | undefined]>([
    ["anthropic.messages", {}, undefined],
    ["anthropic.messages", { thinking: on }, { anthropic: { thinking: on } }],
    ["anthropic.messages", { thinking: off }, { anthropic: { thinking: off } }],
    [
      "vertex.anthropic.messages",
      { thinking: adaptive },
      { anthropic: { thinking: { type: "adaptive", display: "summarized" } } },
    ],
    ["anthropic.messages", { effort: "minimal" }, { anthropic: { effort: "low" } }],
    ["anthropic.messages", { effort: "max" }, { anthropic: { effort: "max" } }],
    ["anthropic.messages", { thinking: on, effort: "high" }, { anthropic: { thinking: on, effort: "high" } }],
    ["google.generative-ai", {}, undefined],
    ["google.generative-ai", { effort: "high" }, undefined],
    [
      "google.generative-ai",
      { thinking: on },
      { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } } },
    ],
    [
      "google.generative-ai",
      { thinking: adaptive },
      { google: { thinkingConfig: { includeThoughts: true } } },
    ],
    ["google.generative-ai", { thinking: off }, { google: { thinkingConfig: { thinkingBudget: 0 } } }],
    ["openai.responses", {}, { openai: { store: false } }],
    ["azure.responses", {}, { openai: { store: false } }],
    ["xai.responses", {}, undefined],
    ["openai.chat", {}, undefined],
    ["openai.chat", { thinking: on }, undefined],
    ["openai.chat", { effort: "minimal" }, { openai: { reasoningEffort: "minimal" } }],
    ["openai.chat", { effort: "max" }, { openai: { reasoningEffort: "xhigh" } }],
    ["openai.chat", { thinking: off }, { openai: { reasoningEffort: "none" } }],
    ["openai.chat", { thinking: off, effort: "high" }, { openai: { reasoningEffort: "none" } }],
    ["openai.responses", { effort: "low" }, { openai: { reasoningEffort: "low", store: false } }],
    ["mistral.chat", { effort: "low" }, { mistral: { reasoningEffort: "low" } }],
  ])("%s with %j", async (provider, asked, providerOptions) => {
    const expected = providerOptions === undefined ? {} : { providerOptions };
    expect(await settings("v2", provider, asked)).toStrictEqual(expected);
    expect(await settings("v3", provider, asked)).toStrictEqual(expected);
  });

  it.each<[Settings, object]>([
    [{}, {}],
    [{ effort: "max" }, { reasoning: "max" }],
    [{ thinking: on }, {}],
    [{ thinking: on, effort: "low" }, { reasoning: "low" }],
    [{ thinking: off }, { reasoning: "none" }],
    [{ thinking: off, effort: "high" }, { reasoning: "none" }],
  ])("of version 4 name the effort: %j", async (asked, expected) => {
    const { reasoning } = await settings("v4", "openai.chat", asked);
    expect(reasoning === undefined ? {} : { reasoning }).toStrictEqual(expected);
  });

  it("hold the limit of the answer", async () => {
    expect(await settings("v3", "openai.chat", { maxOutputTokens: 50 })).toStrictEqual({
      maxOutputTokens: 50,
    });
  });

  it("give way to the provider options of one's own, key by key", async () => {
    const own = { openai: { store: true, user: "u" }, other: { a: 1 } };
    expect(await settings("v3", "openai.responses", { effort: "low" }, own)).toStrictEqual({
      providerOptions: { openai: { reasoningEffort: "low", store: true, user: "u" }, other: { a: 1 } },
    });
    expect(own).toEqual({ openai: { store: true, user: "u" }, other: { a: 1 } });
  });
});
