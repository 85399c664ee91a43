import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "../port.ts";
import { ask, closeAll, loopback, modelAt, request, TOOL, user } from "./test-kit.ts";

afterEach(closeAll);

async function sent(name: string, settings: Partial<ModelRequest>) {
  const server = await loopback(["ok"]);
  await ask(await modelAt(server, name), request([user("x")], settings));
  const [first] = server.requests;
  return { body: first?.body, beta: first?.headers["anthropic-beta"] };
}

/** Fields of `expected` that are undefined must not be there at all. */
function expectFields(body: object, expected: object): void {
  for (const [key, value] of Object.entries(expected)) {
    if (value === undefined) expect(body).not.toHaveProperty(key);
    else expect(body).toMatchObject({ [key]: value });
  }
}

const adaptive = { type: "adaptive", display: "summarized" };
const on = { type: "enabled", budgetTokens: 5000 } as const;

describe("settings of the Messages API", () => {
  it.each<[string, Partial<ModelRequest>, object]>([
    ["claude-opus-4-5", {}, { max_tokens: 32_000, thinking: undefined, output_config: undefined }],
    ["claude-3-haiku-20240307", {}, { max_tokens: 4096 }],
    [
      "claude-3-5-sonnet-20241022",
      { thinking: on, effort: "high" },
      { thinking: undefined, max_tokens: 8192 },
    ],
    ["claude-sonnet-4-20250514", { thinking: on }, { thinking: { type: "enabled", budget_tokens: 5000 } }],
    [
      "claude-opus-4-1",
      { thinking: { type: "adaptive" } },
      { thinking: { type: "enabled", budget_tokens: 16_000 } },
    ],
    [
      "claude-opus-4-5",
      { thinking: { type: "enabled", budgetTokens: 60_000 } },
      { thinking: { type: "enabled", budget_tokens: 60_000 }, max_tokens: 64_000 },
    ],
    [
      "claude-opus-4-5",
      { thinking: on, maxOutputTokens: 3000 },
      { thinking: { type: "enabled", budget_tokens: 2999 }, max_tokens: 3000 },
    ],
    ["claude-opus-4-5", { thinking: on, maxOutputTokens: 900 }, { thinking: undefined, max_tokens: 900 }],
    [
      "claude-opus-4-5",
      { thinking: { type: "enabled", budgetTokens: 5 } },
      { thinking: { budget_tokens: 1024 } },
    ],
    ["claude-opus-4-6", { thinking: on }, { thinking: { type: "enabled", budget_tokens: 5000 } }],
    ["claude-opus-4-6", { thinking: { type: "adaptive" } }, { thinking: adaptive }],
    ["claude-sonnet-5-5", { thinking: on }, { thinking: adaptive }],
    ["claude-sonnet-5-5", { thinking: { type: "disabled" } }, { thinking: { type: "disabled" } }],
    ["claude-opus-5-5", { thinking: { type: "disabled" } }, { thinking: undefined }],
    ["claude-opus-4-5", { thinking: { type: "disabled" } }, { thinking: undefined }],
    [
      "claude-mythos-preview",
      { thinking: on, maxOutputTokens: 500_000 },
      { thinking: adaptive, max_tokens: 128_000 },
    ],
    ["claude-opus-5-5", { effort: "max" }, { output_config: { effort: "max" } }],
    ["claude-opus-5-5", { effort: "minimal" }, { output_config: { effort: "low" } }],
    ["claude-opus-4-5", { effort: "xhigh" }, { output_config: { effort: "high" } }],
    ["claude-sonnet-4-5", { effort: "low" }, { output_config: undefined }],
    [
      "MiniMax-M2",
      { thinking: on, effort: "high" },
      { thinking: { type: "enabled" }, output_config: undefined },
    ],
  ])("%s with %j", async (model, settings, expected) => {
    expectFields((await sent(`anthropic/${model}`, settings)).body, expected);
  });

  it.each<[string, Partial<ModelRequest>, string | undefined]>([
    ["claude-opus-4-5", {}, undefined],
    ["claude-opus-4-5", { thinking: on, tools: [TOOL] }, "interleaved-thinking-2025-05-14"],
    ["claude-opus-4-5", { thinking: on }, undefined],
    ["claude-opus-4-6", { thinking: on, tools: [TOOL], effort: "low" }, undefined],
    ["claude-opus-4-5", { effort: "low" }, "effort-2025-11-24"],
    ["claude-opus-5-5", { tools: [{ ...TOOL, deferred: true }] }, "advanced-tool-use-2025-11-20"],
  ])("asks for a beta only where %s with %j needs it", async (model, settings, beta) => {
    expect((await sent(`anthropic/${model}`, settings)).beta).toBe(beta);
  });

  it("defers tools, and gives references to them back", async () => {
    const server = await loopback([{ toolCalls: [{ name: "ToolSearch" }] }, "ok"]);
    const model = await modelAt(server, "anthropic/claude-opus-5-5");
    const tools = [TOOL, { ...TOOL, name: "mcp__a__b", deferred: true }];
    const { message } = await ask(model, request([user("x")], { tools, builtinTools: 1 }));
    const found = {
      type: "text",
      text: "mcp__a__b",
      meta: { anthropic: { toolReference: "mcp__a__b" } },
    } as const;
    const call = message.parts.find((part) => part.type === "toolCall");
    const part = {
      type: "toolResult",
      callId: call?.id ?? "",
      name: "ToolSearch",
      content: [found],
      isError: false,
    } as const;
    await ask(
      model,
      request([user("x"), message, { role: "tool", parts: [part] }], { tools, builtinTools: 1 }),
    );
    expect(server.requests[1]?.body.tools[1]).toMatchObject({ name: "mcp__a__b", defer_loading: true });
    expect(server.requests[1]?.body.messages[2].content[0].content).toEqual([
      { type: "tool_reference", tool_name: "mcp__a__b" },
    ]);
  });
});

describe("settings of OpenAI's formats", () => {
  it.each<[string, Partial<ModelRequest>, object]>([
    ["openai-chat/m", { maxOutputTokens: 9 }, { max_tokens: 9, stream_options: { include_usage: true } }],
    ["openai-chat/m", { thinking: { type: "disabled" } }, { reasoning_effort: "none" }],
    ["openai-responses/o3", { thinking: { type: "disabled" } }, { reasoning: { effort: "low" } }],
    ["openai-chat/m", { effort: "max" }, { reasoning_effort: "high" }],
    ["openai-chat/m", {}, { reasoning_effort: undefined, tools: undefined, response_format: undefined }],
    [
      "openai-responses/gpt-4.1",
      { effort: "high" },
      { reasoning: undefined, include: undefined, store: false },
    ],
    ["openai-responses/gpt-5.4", {}, { include: ["reasoning.encrypted_content"], reasoning: undefined }],
    ["openai-responses/gpt-5.4", { effort: "max" }, { reasoning: { effort: "xhigh" } }],
    [
      "openai-responses/o3",
      { effort: "max", maxOutputTokens: 50 },
      { reasoning: { effort: "high" }, max_output_tokens: 50 },
    ],
    ["openai-responses/gpt-5", { effort: "minimal" }, { reasoning: { effort: "minimal" } }],
    ["openai-responses/gpt-5.4", { thinking: { type: "disabled" } }, { reasoning: { effort: "none" } }],
    ["openai-responses/gpt-5", { thinking: on }, { reasoning: { effort: "medium", summary: "auto" } }],
    ["openai-responses/o3", { thinking: { type: "adaptive" } }, { reasoning: { summary: "auto" } }],
  ])("%s with %j", async (name, settings, expected) => {
    expectFields((await sent(name, settings)).body, expected);
  });

  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  it("asks for strict tools only where the schema fits", async () => {
    const tools = [
      { ...TOOL, name: "open", strict: true },
      { ...TOOL, name: "closed", strict: true, inputSchema: closed },
      {
        ...TOOL,
        name: "deep",
        strict: true,
        inputSchema: { ...closed, properties: { a: { properties: { b: {} } } } },
      },
      { ...TOOL, name: "free", inputSchema: closed },
    ];
    const { body } = await sent("openai-responses/gpt-5.4", { tools });
    expect(body.tools.map((tool: { strict: boolean }) => tool.strict)).toEqual([false, true, false, false]);
  });

  it("ask for a schema of the answer where no tool can take it", async () => {
    const outputSchema = closed;
    const chat = (await sent("openai-chat/m", { outputSchema })).body;
    expect(chat.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: closed, strict: true },
    });
    const responses = (await sent("openai-responses/m", { outputSchema })).body;
    expect(responses.text).toEqual({
      format: { type: "json_schema", name: "answer", schema: closed, strict: true },
    });
    const claude = (await sent("anthropic/claude-opus-5-5", { outputSchema })).body;
    expect(claude.output_config).toEqual({ format: { type: "json_schema", schema: closed } });
    for (const name of ["openai-chat/m", "openai-responses/m", "anthropic/claude-opus-5-5"]) {
      const { body } = await sent(name, { outputSchema, tools: [TOOL] });
      expect(JSON.stringify(body)).not.toContain("json_schema");
    }
  });
});
