import { type McpServerConfig, type Options, query } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

function orders(): { server: McpServer; config: McpServerConfig; late(): boolean } {
  const server = new McpServer({ name: "orders", version: "2.0.0" }, { instructions: "Numbers only." });
  let stopped = false;
  server.registerTool(
    "find",
    { description: "Finds.", inputSchema: { id: z.number() }, annotations: { readOnlyHint: true } },
    async ({ id }) => {
      for (let i = 0; i < id % 4; i++) await new Promise(setImmediate);
      return { content: [{ type: "text", text: `order ${id}` }], structuredContent: { id } };
    },
  );
  server.registerTool("hang", { description: "Hangs." }, async ({ signal, sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "";
    await sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress: 1, message: "begun" },
    });
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", resolve);
    });
    stopped = true;
    return { content: [] };
  });
  return { server, config: { type: "sdk", name: "orders", instance: server }, late: () => stopped };
}

const allowed: Options = { allowedTools: ["mcp__orders"] };

describe("an McpServer of the protocol's own library", () => {
  it("is a server like ours: called, asked about, told of, its instructions read", async () => {
    const { config, server } = orders();
    const mcpServers = { orders: config };
    const { texts, users, messages, model } = await run(once("mcp__orders__find", { id: 7 }), {
      ...allowed,
      mcpServers,
    });
    expect(texts).toEqual(["order 7"]);
    expect(users[0]?.tool_use_result).toEqual({ id: 7 });
    expect(messages[0]).toMatchObject({
      subtype: "init",
      mcp_servers: [{ name: "orders", status: "connected" }],
    });
    expect(model.requests[0]?.system.at(-1)).toContain("Numbers only.");
    expect(server.isConnected()).toBe(false);
    // What comes from a server of another library is of high risk: nobody there, so it is denied.
    const { result } = await run(once("mcp__orders__find", { id: 7 }), { mcpServers });
    expect(result.permission_denials).toHaveLength(1);
  });

  it("in a list is called by its name", async () => {
    const { texts } = await run(once("mcp__orders__find", { id: 1 }), {
      ...allowed,
      mcpServers: [orders().config],
    });
    expect(texts).toEqual(["order 1"]);
  });

  it("serves 20 queries at once over one connection, and is free when the last one has ended", async () => {
    const { config, server } = orders();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, s) =>
        run(
          [
            {
              toolCalls: Array.from({ length: 10 }, (_, c) => ({
                id: `s${s}c${c}`,
                name: "mcp__orders__find",
                input: { id: s * 100 + c },
              })),
            },
            "done",
          ],
          { ...allowed, mcpServers: { orders: config } },
        ),
      ),
    );
    for (const [s, { users }] of outcomes.entries()) {
      const got = new Map(users.map(resultBlock).map((block) => [block.tool_use_id, block.content]));
      for (let c = 0; c < 10; c++) expect(got.get(`s${s}c${c}`)).toBe(`order ${s * 100 + c}`);
    }
    expect(server.isConnected()).toBe(false);
  });

  it("hears that a call is stopped, and its progress is heard", async () => {
    const { config, late, server } = orders();
    const session = query({
      prompt: "go",
      options: {
        model: scriptedModel(once("mcp__orders__hang")),
        cwd: scratch(),
        persistSession: false,
        ...allowed,
        mcpServers: { orders: config },
      },
    });
    const seen: unknown[] = [];
    for await (const message of session) {
      if (message.type === "tool_progress") {
        seen.push(message.progress);
        await session.interrupt();
      }
      if (message.type === "result") expect(message.subtype).toBe("error_during_execution");
    }
    expect(seen).toEqual([{ progress: 1, message: "begun" }]);
    await expect.poll(late).toBe(true);
    expect(server.isConnected()).toBe(false);
  });

  it("that cannot be connected has no tools, the status says why, and the session goes on", async () => {
    const broken: McpServerConfig = {
      type: "sdk",
      name: "x",
      instance: { connect: () => Promise.reject(new Error("no power")) },
    };
    const { config, server } = orders();
    const session = query({
      prompt: "go",
      options: {
        model: scriptedModel(once("mcp__orders__find", { id: 3 })),
        cwd: scratch(),
        persistSession: false,
        ...allowed,
        mcpServers: { broken, orders: config },
      },
    });
    const messages = [];
    let status: unknown;
    for await (const message of session) {
      messages.push(message);
      if (message.type === "user") {
        status = await session.mcpServerStatus();
        await server.close();
      }
      if (message.type === "result") {
        expect(await session.mcpServerStatus()).toMatchObject([
          { status: "failed" },
          { status: "failed", error: expect.stringMatching(/closed/) },
        ]);
      }
    }
    expect(status).toMatchObject([
      { name: "broken", status: "failed", error: "no power", tools: [] },
      {
        name: "orders",
        status: "connected",
        serverInfo: { name: "orders", version: "2.0.0" },
        tools: [
          {
            name: "find",
            description: "Finds.",
            annotations: { readOnly: true, destructive: false, openWorld: true },
          },
          { name: "hang", annotations: { readOnly: false, destructive: true, openWorld: true } },
        ],
      },
    ]);
    expect(messages.find((message) => message.type === "system" && message.subtype === "init")).toMatchObject(
      {
        mcp_servers: [
          { name: "broken", status: "failed" },
          { name: "orders", status: "connected" },
        ],
      },
    );
    expect(
      messages.find((message) => message.type === "system" && message.subtype === "notification"),
    ).toMatchObject({
      level: "error",
      message: expect.stringMatching(/broken.*no power/),
    });
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success" });
  });

  it("is let go of when the session cannot open", async () => {
    const { config, server } = orders();
    const outcome = await run(["done"], {
      mcpServers: { orders: config },
      tools: ["Read"],
      toolAliases: { Read: "mcp__orders__find" },
    });
    expect(outcome.result).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining("toolAliases")],
    });
    expect(server.isConnected()).toBe(false);
  });
});
