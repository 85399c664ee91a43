import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { McpTransport } from "../protocol/index.ts";
import { createServer, type SdkMcpServer, tool } from "../tools/index.ts";
import { memoryPair } from "./memory-pair.ts";
import { serveInstance } from "./serve-instance.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const kinds: Readonly<Record<string, () => unknown>> = {
  link: () => ({ content: [{ type: "resource_link", uri: "file:///a", name: "a", description: "An a." }] }),
  embedded: () => ({ content: [{ type: "resource", resource: { text: "inside", mimeType: "text/x" } }] }),
  blob: () => ({ content: [{ type: "resource", resource: { uri: "u:1", blob: "AAAA", mimeType: "x/y" } }] }),
  image: () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
  output: () => ({ success: true, output: { rows: 3 } }),
  failing: () => ({ ...text("no such order"), isError: true }),
  throwing: () => {
    throw new Error("the database is away");
  },
  nothing: () => undefined,
  broken: () => ({
    content: [
      { type: "text", text: 7 },
      { type: "resource_link", uri: "u", name: "n" },
    ],
  }),
};

const aborted: unknown[] = [];

function everything(): SdkMcpServer {
  const add = tool("add", "Adds.", { a: "integer", b: "integer" }, ({ a, b }) => text(String(a + b)), {
    title: "Sum",
    annotations: { readOnlyHint: true },
    maxResultSizeChars: 9_000,
    searchHint: "adds two numbers",
  });
  const slow = tool("slow", "Waits.", {}, async (_, { signal, progress }) => {
    progress("begun");
    progress({ progress: 5, total: 10, message: "half" });
    await new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        aborted.push((signal.reason as { code: string }).code);
        resolve(undefined);
      });
    });
    return text("late");
  });
  const limited = tool("limited", "Never ends.", {}, () => new Promise<never>(() => undefined), {
    timeoutMs: 20,
  });
  const stored = tool("stored", "Draws.", {}, async (_, { artifacts }) => ({
    success: true,
    images: [await artifacts.put(Buffer.from(PIXEL, "base64"), "image/png")],
  }));
  const denied = tool("denied", "Never runs.", {}, () => text("ran"), { permissionPolicy: "always_deny" });
  const calling = tool("calling", "Calls.", {}, async (_, { callTool }) => callTool("add", { a: 1, b: 2 }));
  const typed = tool("typed", "Has a shape.", {}, () => ({ success: true, output: { rows: "three" } }), {
    outputSchema: { rows: "integer" },
  });
  const others = Object.entries(kinds).map(([name, give]) => tool(name, `Gives ${name}.`, {}, give as never));
  return createServer(
    {
      name: "all",
      version: "3.2.1",
      instructions: "Ask first.",
      tools: [add, slow, limited, stored, denied, calling, typed, ...others],
    },
    (instance, transport) => serveInstance(instance, transport, nodePlatform()),
  );
}

async function connected(server = everything()): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.instance.connect(theirs);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(ours);
  return client;
}

describe("a served instance, before the client of the protocol's own library", () => {
  it("says who it is, answers a ping, and lists its tools", async () => {
    const client = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: "all", version: "3.2.1" });
    expect(client.getInstructions()).toBe("Ask first.");
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      name: "add",
      title: "Sum",
      description: "Adds.",
      inputSchema: { type: "object", required: ["a", "b"] },
      annotations: { readOnlyHint: true },
      _meta: { "anthropic/maxResultSizeChars": 9_000, "anthropic/searchHint": "adds two numbers" },
    });
    expect(tools.map(({ name }) => name)).toContain("throwing");
    expect(JSON.stringify((await (await connected()).listTools()).tools)).toBe(JSON.stringify(tools));
  });

  it.each<readonly [string, object]>([
    ["link", { content: [{ type: "resource_link", uri: "file:///a", name: "a", description: "An a." }] }],
    [
      "embedded",
      {
        content: [
          { type: "resource", resource: { uri: "castellan:result", mimeType: "text/x", text: "inside" } },
        ],
      },
    ],
    ["blob", { content: [{ type: "resource", resource: { uri: "u:1", mimeType: "x/y", blob: "AAAA" } }] }],
    ["image", { content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }],
    ["stored", { content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }],
    ["output", { content: [{ type: "text", text: '{"rows":3}' }], structuredContent: { rows: 3 } }],
    ["failing", { content: [{ type: "text", text: "no such order" }], isError: true }],
    ["throwing", { content: [{ type: "text", text: "the database is away" }], isError: true }],
    ["nothing", { isError: true, content: [{ text: expect.stringContaining("returned nothing") }] }],
    [
      "broken",
      { isError: true, content: [{ text: expect.stringContaining("malformed") }, { type: "resource_link" }] },
    ],
    [
      "typed",
      { isError: true, content: [{ text: expect.stringContaining("does not fit its outputSchema") }, {}] },
    ],
    ["limited", { isError: true, content: [{ text: expect.stringContaining("longer than 20 ms") }] }],
    ["denied", { isError: true, content: [{ text: expect.stringContaining("own policy") }] }],
    ["calling", { isError: true, content: [{ text: expect.stringContaining("no session") }] }],
  ])("%s", async (name, result) => {
    const client = await connected();
    expect(await client.callTool({ name })).toMatchObject(result);
  });

  it("validates before the handler, and knows no tool of another name", async () => {
    const client = await connected();
    expect(await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).toMatchObject({
      content: [{ text: "5" }],
    });
    const wrong = await client.callTool({ name: "add", arguments: { a: "x" } });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("a:") }] });
    await expect(client.callTool({ name: "toString" })).rejects.toMatchObject({ code: -32_602 });
    await expect(client.listResources()).rejects.toThrow();
  });

  it("reports progress, hears a cancellation, and answers a cancelled call with nothing", async () => {
    const client = await connected();
    const seen: unknown[] = [];
    const stop = new AbortController();
    const call = client.callTool({ name: "slow" }, undefined, {
      signal: stop.signal,
      onprogress: (progress) => {
        seen.push(progress);
        if (seen.length === 2) stop.abort();
      },
    });
    await expect(call).rejects.toThrow(/abort/i);
    expect(seen).toEqual([
      { progress: 1, message: "begun" },
      { progress: 5, total: 10, message: "half" },
    ]);
    await client.ping();
    expect(aborted.splice(0)).toEqual(["abort"]);
  });

  it("stops what runs when the client goes", async () => {
    const client = await connected();
    const begun = new Promise((resolve) => {
      client.callTool({ name: "slow" }, undefined, { onprogress: resolve }).catch(() => undefined);
    });
    await begun;
    await client.close();
    expect(aborted.splice(0)).toEqual(["close"]);
  });

  it("serves any number of clients at once, each its own answers", async () => {
    const server = everything();
    const clients = await Promise.all(Array.from({ length: 20 }, () => connected(server)));
    const sums = await Promise.all(
      clients.flatMap((client, a) =>
        Array.from({ length: 5 }, async (_, b) => {
          const result = await client.callTool({ name: "add", arguments: { a, b } });
          return [a + b, Number((result.content as { text: string }[])[0]?.text)];
        }),
      ),
    );
    for (const [wanted, got] of sums) expect(got).toBe(wanted);
  });
});

describe("a served instance, before a client that follows no rules", () => {
  async function raw() {
    const [ours, theirs] = memoryPair();
    await everything().instance.connect(theirs);
    const answers: unknown[] = [];
    (ours as { onmessage?: McpTransport["onmessage"] }).onmessage = (message: unknown) =>
      answers.push(message);
    await ours.start();
    return { send: (message: unknown) => ours.send(message as object), answers };
  }

  it.each<readonly [unknown, unknown]>([
    [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
      { result: { protocolVersion: "2025-11-25" } },
    ],
    [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2024-11-05" } },
      { result: { protocolVersion: "2024-11-05" } },
    ],
    [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "1999-01-01" } },
      { result: { protocolVersion: "2025-11-25" } },
    ],
    [
      { jsonrpc: "2.0", id: "x", method: "tools/dance" },
      { id: "x", error: { code: -32_601 } },
    ],
    [{ jsonrpc: "2.0", id: 1, method: "tools/call" }, { error: { code: -32_602 } }],
    [{ jsonrpc: "2.0", id: 1, method: 7 }, { error: { code: -32_600 } }],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [1] }, { error: { code: -32_600 } }],
  ])("%o", async (message, answer) => {
    const { send, answers } = await raw();
    await send(message);
    expect(answers).toMatchObject([answer]);
  });

  it.each([
    [null],
    ["x"],
    [[]],
    [{}],
    [{ id: 5, result: {} }],
    [{ method: "notifications/other" }],
    [{ id: {}, method: "ping" }],
  ])("%o gets no answer, and the next request does", async (message) => {
    const { send, answers } = await raw();
    await send(message);
    await send({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect(answers).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
  });

  it("refuses a second call under the id of one that runs", async () => {
    const { send, answers } = await raw();
    const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow" } };
    await send(call);
    await send(call);
    expect(answers).toMatchObject([{ id: 3, error: { code: -32_600 } }]);
  });
});
