import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHost, type SDKMessage } from "@castellan/sdk";
import { afterEach, expect, it } from "vitest";
import { nodePlatform } from "../../packages/sdk/src/platform/index.ts";
import { scratch } from "../kit/session.ts";
import { type Loopback, startLoopback } from "../loopback/index.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function loopback(turns: number): Promise<Loopback> {
  const server = await startLoopback({ turns: Array.from({ length: turns }, () => "All is well.") });
  open.push(server);
  return server;
}

async function ask(host: ReturnType<typeof createHost>): Promise<readonly SDKMessage[]> {
  const messages: SDKMessage[] = [];
  const options = { model: "anthropic/claude-sonnet-5-5", cwd: scratch(), persistSession: false };
  for await (const message of host.query({ prompt: "go", options })) messages.push(message);
  return messages;
}

/** A door in front of the server that can count who is connected, and throw them out. */
async function door(to: string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { "content-type": type = "" } = incoming.headers;
    const answer = await fetch(`${to}${incoming.url}`, {
      method: "POST",
      headers: { "content-type": type, "x-api-key": "k", "anthropic-version": "2023-06-01" },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const connected = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

it("a host keeps its connections from session to session, and closes them when it is closed", async () => {
  const { url, server } = await door((await loopback(2)).url);
  const host = createHost({ platform: { env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" } } });
  await ask(host);
  await ask(host);
  expect(await connected(server)).toBe(1);
  await host.close();
  while ((await connected(server)) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
});

it("a host leaves connections alone that it was given", async () => {
  const { url, server } = await door((await loopback(1)).url);
  const { http } = nodePlatform();
  const host = createHost({ platform: { http, env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" } } });
  await ask(host);
  await host.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await connected(server)).toBe(1);
  http.close();
});

it("a kept connection that the provider gave up costs no retry", async () => {
  const { url, server } = await door((await loopback(2)).url);
  const host = createHost({ platform: { env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" } } });
  await ask(host);
  const [first] = server.listeners("request");
  server.removeAllListeners("request");
  // The next request on this connection meets its end; the one behind it is answered.
  server.once("request", (incoming) => {
    server.on("request", first as () => void);
    incoming.socket.resetAndDestroy();
  });
  const messages = await ask(host);
  expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "All is well." });
  expect(messages.filter((each) => each.type === "system" && each.subtype === "api_retry")).toEqual([]);
  await host.close();
});
