import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { nodePlatform } from "../platform/index.ts";
import type { BuiltinContext, JsonObject, McpServerLike, ToolDefinition } from "../protocol/index.ts";
import { type OpenServer, openServer } from "./open-server.ts";

const { clock } = nodePlatform();
const opened: OpenServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.release();
});

async function open(
  instance: McpServerLike,
  key = "k",
  signal = new AbortController().signal,
): Promise<OpenServer> {
  const server = await openServer({ key, instance, clock, release: "0.0.0", signal });
  opened.push(server);
  return server;
}

function toolOf(server: OpenServer, name: string): ToolDefinition {
  const found = server.tools.find((tool) => tool.mcpInfo?.toolName === name);
  if (found === undefined)
    throw new Error(`no ${name} among ${server.tools.map((tool) => tool.name).join(", ")}`);
  return found;
}

const never = new AbortController().signal;
const call = (
  tool: ToolDefinition,
  input: JsonObject,
  signal = new AbortController().signal,
  onProgress: (update: unknown) => void = () => undefined,
) => tool.call(input, { signal } as BuiltinContext, onProgress) as Promise<Record<string, unknown>>;

function orders() {
  const server = new McpServer({ name: "orders", version: "7.0.0" }, { instructions: "Numbers only." });
  const aborted: unknown[] = [];
  server.registerTool(
    "find.order",
    {
      description: "Finds an order.",
      inputSchema: { id: z.string().min(2) },
      annotations: { readOnlyHint: true, title: "Find" },
    },
    ({ id }) => ({ content: [{ type: "text", text: `order ${id}` }] }),
  );
  server.registerTool("wait", { description: "Waits." }, async ({ signal, sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "";
    await sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress: 1, total: 2 },
    });
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", resolve);
    });
    aborted.push(signal.aborted);
    return { content: [] };
  });
  server.registerTool("fail", { description: "Fails." }, () => {
    throw new Error("no such thing");
  });
  return { server, aborted };
}

describe("a server object of the protocol's own library", () => {
  it("tells who it is, and its tools keep the schema that it gives", async () => {
    const { server } = orders();
    const found = await open(server);
    expect(found).toMatchObject({
      serverInfo: { name: "orders", version: "7.0.0" },
      instructions: "Numbers only.",
    });
    expect(found.warnings).toEqual([]);
    const tool = toolOf(found, "find.order");
    expect(tool).toMatchObject({
      name: "mcp__k__find_order",
      source: "mcp",
      mcpInfo: { serverName: "k", toolName: "find.order" },
      description: "Finds an order.",
      inputSchema: { $schema: expect.any(String), type: "object", properties: { id: { minLength: 2 } } },
    });
    expect(tool.userFacingName({})).toBe("Find");
    expect([tool.isReadOnly({}), tool.isDestructive({}), tool.isOpenWorld({}), tool.riskLevel({})]).toEqual([
      true,
      false,
      true,
      "high",
    ]);
    const plain = toolOf(found, "wait");
    expect([plain.isReadOnly({}), plain.isDestructive({}), plain.isOpenWorld({})]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await tool.parseInput({ id: "1" })).toMatchObject({ ok: false });
    expect(await tool.parseInput({ id: "12" })).toMatchObject({ ok: true });
  });

  it("is called, and its failures are results", async () => {
    const found = await open(orders().server);
    expect(await call(toolOf(found, "find.order"), { id: "12" })).toMatchObject({
      content: [{ text: "order 12" }],
    });
    expect(await call(toolOf(found, "fail"), {})).toMatchObject({ isError: true });
  });

  it("gets cancellations, and gives progress", async () => {
    const { server, aborted } = orders();
    const found = await open(server);
    const stop = new AbortController();
    const seen: unknown[] = [];
    const waiting = call(toolOf(found, "wait"), {}, stop.signal, (update) => {
      seen.push(update);
      stop.abort();
    });
    await expect(waiting).rejects.toThrow("cancelled");
    expect(seen).toEqual([{ progress: 1, total: 2 }]);
    await expect.poll(() => aborted).toEqual([true]);
    await expect(call(toolOf(found, "wait"), {}, stop.signal)).rejects.toThrow("cancelled");
  });

  it("has one connection for all who hold it, and none when the last one lets go", async () => {
    const { server } = orders();
    let connects = 0;
    const counted = {
      connect: (transport: never) => {
        connects += 1;
        return server.connect(transport);
      },
    };
    const many = await Promise.all(Array.from({ length: 50 }, () => open(counted)));
    const texts = await Promise.all(
      many.map(async (found, i) => {
        const result = await call(toolOf(found, "find.order"), { id: `n${i}` });
        return (result.content as { text: string }[])[0]?.text;
      }),
    );
    expect(texts).toEqual(many.map((_, i) => `order n${i}`));
    expect(connects).toBe(1);
    await Promise.all(many.slice(1).map((found) => found.release()));
    await many[1]?.release();
    expect(server.isConnected()).toBe(true);
    await many[0]?.release();
    expect(server.isConnected()).toBe(false);

    // It is free again: for us, and for anybody else.
    await (await open(counted)).release();
    expect(connects).toBe(2);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    const client = new Client({ name: "other", version: "1" });
    await client.connect(ours);
    await expect(open(counted)).rejects.toThrow("Already connected");
    await client.close();
    expect(toolOf(await open(counted), "wait").name).toBe("mcp__k__wait");
  });

  it("may close by itself: calls fail and say so, and who opens it next gets a new connection", async () => {
    const { server } = orders();
    const found = await open(server);
    const waiting = call(toolOf(found, "wait"), {});
    await server.close();
    await expect(waiting).rejects.toThrow("closed the connection");
    await expect(call(toolOf(found, "find.order"), { id: "12" })).rejects.toThrow("closed the connection");
    expect(found.isClosed()).toBe(true);
    const again = await open(server);
    expect(again.isClosed()).toBe(false);
    await found.release();
    expect(await call(toolOf(again, "find.order"), { id: "12" })).toMatchObject({
      content: [{ text: "order 12" }],
    });
  });

  it("may have no tools at all", async () => {
    const found = await open(new McpServer({ name: "empty", version: "1.0.0" }));
    expect(found.tools).toEqual([]);
  });
});

describe("a server that lists what it likes", () => {
  function listing(...pages: readonly unknown[][]): Server {
    const server = new Server({ name: "raw", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const more = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      return { tools: pages[page], ...more } as never;
    });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [{ type: "text", text: params.name }],
    }));
    return server;
  }
  const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

  it("is read page by page; what two tools would share is told apart, and each reaches its own", async () => {
    const found = await open(listing([tool("x.y")], [tool("x_y"), tool("x y")], [tool("z".repeat(100))]));
    const names = found.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    for (const each of found.tools) {
      expect(await call(each, {})).toMatchObject({ content: [{ text: each.mcpInfo?.toolName }] });
    }
  });

  it("loses only the tools that cannot be taken, with a word about each", async () => {
    const found = await open(
      listing([
        tool("good", {
          description: "Is\u0007 good.",
          _meta: { "anthropic/maxResultSizeChars": 7, "anthropic/alwaysLoad": true },
        }),
        tool("typed", { inputSchema: { type: "object", properties: { a: { type: "strin" } } } }),
        tool("root", { inputSchema: { type: "object", anyOf: [{ required: ["a"] }] } }),
        tool(""),
        tool("good", { description: "Is another." }),
        tool("hints", { annotations: { readOnlyHint: "yes", other: 1 } }),
      ]),
    );
    expect(found.tools.map(({ mcpInfo }) => mcpInfo?.toolName)).toEqual(["good", "root", "hints"]);
    expect(found.warnings).toEqual([
      expect.stringContaining("without a name"),
      expect.stringMatching(/typed.*left out.*strin/),
      expect.stringContaining("two tools called good"),
    ]);
    expect(toolOf(found, "good")).toMatchObject({
      description: "Is good.",
      maxResultSizeChars: 7,
      alwaysLoad: true,
    });
    expect(toolOf(found, "hints").isReadOnly({})).toBe(false);
    // A root that a provider refuses stands under a key of its own; the server gets what it asked for.
    const root = toolOf(found, "root");
    expect(root.inputSchema).not.toHaveProperty("anyOf");
    expect(await root.parseInput({ a: 1 })).toMatchObject({ ok: true, input: { a: 1 } });
  });

  it("gives equal definitions for equal lists", async () => {
    const list = [tool("b", { inputSchema: { type: "object", properties: { z: {}, a: {} } } }), tool("a")];
    const [first, second] = await Promise.all([open(listing(list)), open(listing(list))]);
    const bytes = (found: OpenServer | undefined) =>
      JSON.stringify(
        found?.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
    expect(first?.tools.map(({ name }) => name)).toEqual(["mcp__k__b", "mcp__k__a"]);
    expect(bytes(first)).toBe(bytes(second));
  });
});

describe("what is no server", () => {
  it("fails with what it did, and can be tried again", async () => {
    const bad = { connect: () => Promise.reject(new Error("not today")) };
    await expect(open(bad)).rejects.toThrow("not today");
    await expect(open(bad)).rejects.toThrow("not today");
    const sync = {
      connect: () => {
        throw new Error("at once");
      },
    };
    await expect(open(sync)).rejects.toThrow("at once");
  });

  it("is given up when the session ends meanwhile", async () => {
    const stop = new AbortController();
    const silent = { connect: async () => undefined };
    const opening = open(silent, "k", stop.signal);
    stop.abort();
    await expect(opening).rejects.toThrow("session ended");
    await expect(open(silent, "k", stop.signal)).rejects.toThrow("session ended");
  });

  it("is given up after 30 seconds", async () => {
    const waits: number[] = [];
    const hurried = {
      ...clock,
      timer(ms: number, fire: () => void) {
        waits.push(ms);
        return clock.timer(1, fire);
      },
    };
    const silent = { connect: async () => undefined };
    const opening = openServer({ key: "k", instance: silent, clock: hurried, release: "0", signal: never });
    await expect(opening).rejects.toThrow("did not answer within 30 s");
    expect(waits).toEqual([30_000]);
  });
});
