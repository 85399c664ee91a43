import { createHost, type HostModelOptions, type Options, type SDKResultMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { scratch } from "../kit/session.ts";

const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 4_000, cacheWriteTokens: 500 };
/** $0.0065 an answer. */
const prices = { scripted: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 3 } };
const step: ScriptStep = { toolCalls: [{ name: "LS", input: { path: "." } }], usage };
const end: ScriptStep = { text: "done", usage };

async function play(
  steps: readonly ScriptStep[],
  options: Options = {},
  models: HostModelOptions = { prices },
  prompt = "go",
) {
  const model = scriptedModel(steps);
  const host = createHost({ models });
  let result: SDKResultMessage | undefined;
  const common = { cwd: scratch(), ...(options.sessionStore === undefined ? { persistSession: false } : {}) };
  for await (const message of host.query({ prompt, options: { model, ...common, ...options } })) {
    if (message.type === "result") result = message;
  }
  await host.close();
  if (result === undefined) throw new Error("No result.");
  return { result, model };
}

describe("cost", () => {
  it("is summed over answers and told by model, caches counted", async () => {
    const { result } = await play([step, end]);
    expect(result.total_cost_usd).toBeCloseTo(0.013, 10);
    expect(result.cost_unknown).toBeUndefined();
    expect(result.modelUsage.scripted).toEqual({
      input_tokens: 2_000,
      output_tokens: 200,
      cache_read_input_tokens: 8_000,
      cache_creation_input_tokens: 1_000,
      cost_usd: expect.closeTo(0.013, 10),
    });
  });

  it("is unknown where a price is missing, and never guessed", async () => {
    const { result } = await play([end], {}, {});
    expect(result).toMatchObject({ total_cost_usd: 0, cost_unknown: true });
    expect(result.modelUsage.scripted).not.toHaveProperty("cost_usd");
  });
});

describe("maxBudgetUsd", () => {
  it("ends the run before the first request behind it", async () => {
    const { result, model } = await play([step, step, step, end], { maxBudgetUsd: 0.013 });
    expect(model.requests).toHaveLength(2);
    expect(result).toMatchObject({
      subtype: "error_max_budget_usd",
      terminal_reason: "max_budget_usd",
      errors: ["Stopped before model request 3: $0.013 are spent, maxBudgetUsd is 0.013."],
    });
    expect(result.total_cost_usd).toBeCloseTo(0.013, 10);
  });

  it("lets an answer that went over it stand", async () => {
    const { result } = await play([end], { maxBudgetUsd: 0.000_001 });
    expect(result).toMatchObject({ subtype: "success", result: "done" });
  });

  it("counts from the session's start, also over a resume", async () => {
    const sessionStore = memoryStore();
    const cwd = scratch();
    const { result: first } = await play([end], { sessionStore, cwd, maxBudgetUsd: 0.0065 });
    const { result, model } = await play([end], {
      ...{ sessionStore, cwd, maxBudgetUsd: 0.0065, resume: first.session_id },
    });
    expect(first.subtype).toBe("success");
    expect(model.requests).toHaveLength(0);
    expect(result.subtype).toBe("error_max_budget_usd");
  });

  it("is refused at the start when the price of the model, or of its fallback, is not known", async () => {
    const { result, model } = await play([end], { maxBudgetUsd: 1 }, {});
    expect(result).toMatchObject({ subtype: "error_during_execution", terminal_reason: "invalid_option" });
    expect(result.errors?.[0]).toMatch(/maxBudgetUsd needs the price of scripted.*createHost.*"scripted"/);
    expect(model.requests).toHaveLength(0);
    const fallbackModel = scriptedModel(["x"], { id: "other" });
    const second = await play([end], { maxBudgetUsd: 1, fallbackModel });
    expect(second.result.errors?.[0]).toContain("the price of other");
  });

  it("is refused for a session that has answers of unknown cost, whatever answers next", async () => {
    const sessionStore = memoryStore();
    const cwd = scratch();
    const first = await play([end], { sessionStore, cwd }, {});
    const { result, model } = await play([end], {
      ...{ sessionStore, cwd, resume: first.result.session_id, maxBudgetUsd: 1 },
    });
    expect(result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "invalid_option",
      errors: [expect.stringMatching(/unknown cost from scripted.*maxTokensBudget/s)],
    });
    expect(model.requests).toEqual([]);
  });
});

describe("maxTokensBudget", () => {
  it("counts tokens of all kinds, needs no price, and ends the run before the next request", async () => {
    const { result, model } = await play([step, step, step, end], { maxTokensBudget: 5_601 }, {});
    expect(model.requests).toHaveLength(2);
    expect(result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "max_tokens_budget",
      errors: ["Stopped before model request 3: 11200 tokens are used, maxTokensBudget is 5601."],
    });
  });
});

describe("options that concern the model", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a budget of nothing", { maxBudgetUsd: 0 }, /maxBudgetUsd is .*must be a number above 0/],
    ["half a token", { maxTokensBudget: 0.5 }, /maxTokensBudget is .*must be a whole number/],
    ["thinking without a type", { thinking: {} }, /thinking/],
    ["thinking of another type", { thinking: { type: "hard" } }, /thinking\.type is .*must be one of/],
    [
      "a budget that is missing",
      { thinking: { type: "enabled" } },
      /thinking\.budgetTokens is .*must be a number/,
    ],
    ["a small budget", { thinking: { type: "enabled", budgetTokens: 10 } }, /at least 1024/],
    ["a budget of adaptive thinking", { thinking: { type: "adaptive", budgetTokens: 2_000 } }, /thinking/],
    ["an unknown effort", { effort: "huge" }, /effort is .*must be one of .*"high"/],
    ["a fallback that is none", { fallbackModel: 7 }, /fallbackModel is .*must be a model name/],
    ["a format without a type", { outputFormat: { schema: {} } }, /outputFormat\.type/],
    [
      "a format without a schema",
      { outputFormat: { type: "json_schema" } },
      /outputFormat\.schema is .*must be/,
    ],
    [
      "a schema that is none",
      {
        outputFormat: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "text" } } },
        },
      },
      /outputFormat\.schema is .*must be a JSON Schema/,
    ],
    [
      "a schema of a list",
      { outputFormat: { type: "json_schema", schema: { type: "array" } } },
      /outputFormat/,
    ],
  ])("%s is refused", (_name, options, message) => {
    const host = createHost();
    expect(() => host.query({ prompt: "go", options: options as Options })).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(message) }),
    );
  });

  it("a key given as it is is refused without being shown", () => {
    const host = createHost();
    const auth = "sk-secret" as never;
    expect(() => host.query({ prompt: "go", options: { auth } })).toThrow(
      /options\.auth is .*must be made by apiKey/,
    );
    try {
      host.query({ prompt: "go", options: { auth } });
    } catch (error) {
      expect(String(error)).not.toContain("sk-secret");
    }
  });

  it("thinking and effort reach every request", async () => {
    const options: Options = { thinking: { type: "enabled", budgetTokens: 2_048 }, effort: "high" };
    const { model } = await play([step, end], options);
    expect(model.requests).toMatchObject([options, options]);
    const { model: plain } = await play([end]);
    expect(plain.requests[0]).not.toHaveProperty("thinking");
    expect(plain.requests[0]).not.toHaveProperty("effort");
  });

  it("the fallback must be another model", async () => {
    const { result } = await play([end], { fallbackModel: scriptedModel(["x"]) });
    expect(result.errors?.[0]).toMatch(/fallbackModel is the model itself, scripted/);
  });

  it.each<[string, unknown, RegExp]>([
    ["an unknown key", { price: {} }, /models\.price is .*must be one of the keys prices, aliases/],
    ["a price that is none", { prices: { m: 3 } }, /models\.prices\["m"\] is .*must be an object/],
    ["half a price", { prices: { m: { input: 1 } } }, /models\.prices\["m"\]\.output is .*must be a number/],
    [
      "a negative one",
      { prices: { m: { input: -1, output: 1 } } },
      /\.input is .*must be a number of at least 0/,
    ],
    [
      "a rate that is none",
      { prices: { m: { input: 1, output: 1, cached: 1 } } },
      /\.cached is .*must be one of/,
    ],
    [
      "a step without its place",
      { prices: { m: { input: 1, output: 1, above: { input: 1, output: 1 } } } },
      /inputTokens/,
    ],
    ["a window of words", { contextWindows: { m: "big" } }, /contextWindows\["m"\] is .*at least 1000/],
    ["a window that is too small", { contextWindows: { m: 10 } }, /whole number of at least 1000/],
    ["windows that are a list", { contextWindows: [] }, /models\.contextWindows is .*by model name/],
    [
      "an empty alias",
      { aliases: { fast: "" } },
      /models\.aliases\["fast"\] is .*must be the name of a model/,
    ],
  ])("createHost: %s is refused", (_name, models, message) => {
    expect(() => createHost({ models: models as HostModelOptions })).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(message) }),
    );
  });

  it("an alias of the host names a model, and CASTELLAN_MODEL may name the alias", async () => {
    const host = createHost({
      models: { aliases: { mine: "scripted:nowhere.json" } },
      platform: { env: { CASTELLAN_MODEL: "mine" } },
    });
    for (const options of [{ model: "mine" }, {}]) {
      const messages = [];
      for await (const message of host.query({
        prompt: "go",
        options: { ...options, persistSession: false },
      })) {
        messages.push(message);
      }
      expect(messages.at(-1)).toMatchObject({ errors: [expect.stringContaining("nowhere.json")] });
    }
    await host.close();
  });
});
