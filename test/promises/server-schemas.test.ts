import { createSdkMcpServer, tool } from "@castellan/sdk";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, it } from "vitest";
import { z } from "zod";
import { resultBlock, run } from "../kit/session.ts";

it("C21 a tool has an input schema; one of MCP keeps its own JSON Schema; the output schema is optional and held to", async () => {
  const orders = new McpServer({ name: "orders", version: "1.0.0" });
  orders.registerTool(
    "find",
    {
      description: "Finds.",
      inputSchema: { id: z.string().regex(/^\d+$/), deep: z.object({ a: z.number().max(3) }).optional() },
    },
    ({ id }) => ({ content: [{ type: "text", text: `found ${id}` }] }),
  );
  const rows = (count: unknown) =>
    tool("rows", "Counts.", {}, () => ({ success: true, output: { count } as never }), {
      riskLevel: "low",
      outputSchema: { count: "integer" },
    });
  const { model, users, texts } = await run(
    [
      { toolCalls: [{ name: "mcp__orders__find", input: { id: "x" } }] },
      { toolCalls: [{ name: "mcp__orders__find", input: { id: "12", deep: { a: 4 } } }] },
      { toolCalls: [{ name: "mcp__orders__find", input: { id: "12" } }] },
      { toolCalls: [{ name: "mcp__good__rows" }, { name: "mcp__bad__rows" }] },
      "done",
    ],
    {
      tools: ["mcp__orders", "mcp__good", "mcp__bad"],
      allowedTools: ["mcp__orders"],
      mcpServers: {
        orders: { type: "sdk", name: "orders", instance: orders },
        good: createSdkMcpServer({ name: "good", tools: [rows(3)] }),
        bad: createSdkMcpServer({ name: "bad", tools: [rows("three")] }),
      },
    },
  );
  const seen = model.requests[0]?.tools.find(({ name }) => name === "mcp__orders__find");
  expect(seen?.inputSchema).toEqual({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      id: { type: "string", pattern: "^\\d+$" },
      deep: { type: "object", properties: { a: { type: "number", maximum: 3 } }, required: ["a"] },
    },
    required: ["id"],
  });
  expect(texts[0]).toMatch(/not valid[\s\S]*id/);
  expect(texts[1]).toMatch(/deep\.a/);
  expect(texts[2]).toBe("found 12");
  expect(users.slice(3).map((message) => resultBlock(message).is_error === true)).toEqual([false, true]);
  expect(texts[4]).toContain("outputSchema");
});
