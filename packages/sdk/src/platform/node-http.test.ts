import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { nodeClock } from "./clock.ts";
import type { HttpRequest } from "./http-port.ts";
import { nodeHttp } from "./node-http.ts";

const http = nodeHttp();
const servers: { close(done?: () => void): unknown }[] = [];

afterEach(async () => {
  http.close();
  for (const server of servers.splice(0)) {
    (server as Partial<Server>).closeAllConnections?.();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void;

async function serve(
  handler: Handler,
): Promise<{ url: string; connections(): number; open(): Promise<number> }> {
  let connections = 0;
  const server = createServer(handler);
  server.on("connection", () => {
    connections += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
    open: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

function ask(url: string, more: Partial<HttpRequest> = {}) {
  const signal = new AbortController().signal;
  return http.request({ url, method: "POST", headers: {}, signal, clock: nodeClock, ...more });
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("a request", () => {
  it("takes its pieces there with their length, and the answer back", async () => {
    const { url } = await serve(async (incoming, response) => {
      const got = await bodyOf(incoming);
      response.writeHead(207, { "X-Method": incoming.method, "set-cookie": ["a", "b"] });
      response.end(`${incoming.headers["content-length"]} ${incoming.headers["x-own"]} ${got}`);
    });
    const body = [Buffer.from("a"), Buffer.alloc(20_000, "b"), Buffer.from("ä"), Buffer.from("c")];
    const answer = await ask(url, { body, headers: { "x-own": "yes" } });
    expect(answer.status).toBe(207);
    expect(answer.headers).toMatchObject({ "x-method": "POST", "set-cookie": "a, b" });
    expect(await textOf(answer.body)).toBe(`20004 yes a${"b".repeat(20_000)}äc`);
  });

  it("keeps the connection for the next one, also when the rest was drained", async () => {
    const { url, connections } = await serve((_, response) => {
      response.write("first");
      setTimeout(() => response.end("rest"), 20);
    });
    for (let i = 0; i < 3; i++) {
      const { body } = await ask(url);
      await body[Symbol.asyncIterator]().next();
      body.drain();
      await sleep(60);
    }
    expect(connections()).toBe(1);
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ["resets it", (socket) => socket.resetAndDestroy()],
    ["ends it", (socket) => socket.destroy()],
  ])("goes out again at once on a kept connection when its server %s", async (_, giveUp) => {
    let asked = 0;
    const { url, connections } = await serve(async (incoming, response) => {
      asked += 1;
      const got = await bodyOf(incoming);
      if (asked === 3) giveUp(incoming.socket);
      else response.end(got);
    });
    // Two connections are kept; the second of the next requests meets one that is given up.
    const pair = await Promise.all([
      ask(url, { body: Buffer.from("a") }),
      ask(url, { body: Buffer.from("b") }),
    ]);
    for (const { body } of pair) await textOf(body);
    expect(await textOf((await ask(url, { body: Buffer.from("c") })).body)).toBe("c");
    expect([asked, connections()]).toEqual([4, 2]);
  });

  it("is told what happened to a new connection, and is sent once on it", async () => {
    let asked = 0;
    const { url } = await serve((incoming) => {
      asked += 1;
      incoming.socket.resetAndDestroy();
    });
    await expect(ask(url)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(asked).toBe(1);
  });

  it("ends in its own time when the connections are closed, and its connection with it", async () => {
    let goOn = (): void => {};
    const { url, open } = await serve((_, response) => {
      response.write("half ");
      goOn = () => response.end("whole");
    });
    const { body } = await ask(url);
    http.close();
    goOn();
    expect(await textOf(body)).toBe("half whole");
    while ((await open()) > 0) await sleep(5);
  });

  it("closes the connection of a body that is left in the middle", async () => {
    let closed = 0;
    const { url } = await serve((_, response) => {
      response.on("close", () => {
        closed += 1;
      });
      response.write("first");
    });
    const { body } = await ask(url);
    for await (const chunk of body) {
      expect(Buffer.from(chunk).toString()).toBe("first");
      break;
    }
    while (closed === 0) await sleep(5);
  });

  it("gives what arrived while nobody read as one piece, and holds the server back when it is much", async () => {
    let sent = 0;
    const { url } = await serve((_, response) => {
      const more = (): void => {
        while (sent < 64 && response.write(Buffer.alloc(1 << 20, "x"))) sent += 1;
        if (sent < 64) {
          sent += 1;
          response.once("drain", more);
        } else response.end();
      };
      more();
    });
    const { body } = await ask(url);
    await sleep(200);
    expect(sent).toBeLessThan(40);
    let size = 0;
    for await (const chunk of body) size += chunk.byteLength;
    expect(size).toBeGreaterThanOrEqual(64 << 20);
  });
});

describe("a fault", () => {
  it("is the system's error where nobody listens", async () => {
    const { url } = await serve(() => {});
    const [server] = servers.splice(0);
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    await expect(ask(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("is told when the connection goes before or in the answer", async () => {
    const before = await serve((incoming) => incoming.socket.resetAndDestroy());
    await expect(ask(before.url)).rejects.toMatchObject({ code: "ECONNRESET" });
    const within = await serve((incoming, response) => {
      response.write("half");
      setTimeout(() => incoming.socket.destroy(), 20);
    });
    const { body } = await ask(within.url);
    await expect(textOf(body)).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|BODY_CUT/) });
    await expect(body[Symbol.asyncIterator]().next()).rejects.toThrow();
  });

  it("is told when headers, bytes or a connection do not come in time", async () => {
    const silent = await serve(() => {});
    await expect(ask(silent.url, { headersTimeoutMs: 30 })).rejects.toMatchObject({
      code: "HEADERS_TIMEOUT",
    });
    const stalls = await serve((_, response) => response.write("half"));
    const { body } = await ask(stalls.url, { idleTimeoutMs: 30 });
    await expect(textOf(body)).rejects.toMatchObject({ code: "IDLE_TIMEOUT" });
    // A TLS handshake that nobody answers is no connection.
    const deaf = createTcpServer((socket) => socket.on("error", () => {}).resume());
    servers.push(deaf);
    await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(deaf.address() as AddressInfo).port}/`;
    await expect(ask(url, { connectTimeoutMs: 30 })).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" });
  });

  it("comes behind what arrived before it, however late the reader looks", async () => {
    const { url } = await serve((incoming, response) => {
      response.write("all of it");
      setTimeout(() => incoming.socket.resetAndDestroy(), 20);
    });
    const { body } = await ask(url);
    await sleep(80);
    const bytes = body[Symbol.asyncIterator]();
    expect(Buffer.from((await bytes.next()).value ?? []).toString()).toBe("all of it");
    await expect(bytes.next()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|BODY_CUT/) });
  });

  it("is not a slow reader", async () => {
    const { url } = await serve((_, response) => {
      response.write("a");
      setTimeout(() => response.end("b"), 150);
    });
    const { body } = await ask(url, { idleTimeoutMs: 100 });
    const bytes = body[Symbol.asyncIterator]();
    await bytes.next();
    await sleep(120);
    expect((await bytes.next()).done).toBe(false);
  });

  it("is an abort, told at once, before, while waiting, and in the body", async () => {
    const { url } = await serve((_, response) => response.write("half"));
    await expect(ask(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    const silent = await serve(() => {});
    const first = new AbortController();
    const waiting = ask(silent.url, { signal: first.signal });
    await sleep(30);
    first.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    const second = new AbortController();
    const { body } = await ask(url, { signal: second.signal });
    const reading = textOf(body);
    setTimeout(() => second.abort(), 20);
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("leaves no listener on a signal that lives longer", async () => {
    let finish = (): void => {};
    const { url } = await serve((_, response) => {
      response.write("x");
      finish = () => response.end("y");
    });
    const { signal } = new AbortController();
    const listeners = (): number => getEventListeners(signal, "abort").length;
    const asking = ask(url, { signal });
    expect(listeners()).toBeGreaterThan(0);
    const { body } = await asking;
    expect(listeners()).toBeGreaterThan(0);
    finish();
    expect(await textOf(body)).toBe("xy");
    expect(listeners()).toBe(0);
  });
});

describe("a request that cannot even begin", () => {
  it.each<[string, Partial<HttpRequest>]>([
    ["an address that is none", { url: "http://" }],
    ["another scheme", { url: "ftp://127.0.0.1/" }],
    ["a header with a line break", { headers: { "x-a": "b\r\nc" } }],
    ["a header name that is none", { headers: { "x a": "b" } }],
    ["a path with a blank", { method: "GE T" as "GET" }],
  ])("rejects and leaves nothing behind: %s", async (_, more) => {
    let timers = 0;
    const clock = {
      ...nodeClock,
      timer: (ms: number, fire: () => void) => {
        timers += 1;
        const timer = nodeClock.timer(ms, fire);
        return {
          cancel() {
            timers -= 1;
            timer.cancel();
          },
        };
      },
    };
    let answer: Promise<unknown> | undefined;
    expect(() => {
      answer = ask("http://127.0.0.1:9/", { clock, headersTimeoutMs: 60_000, ...more });
    }).not.toThrow();
    await expect(answer).rejects.toThrow();
    expect(timers).toBe(0);
  });
});
