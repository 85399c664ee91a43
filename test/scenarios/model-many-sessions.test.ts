import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createHost, type Host, type SDKMessage, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { scratch } from "../kit/session.ts";
import { type Loopback, startLoopback } from "../loopback/index.ts";

const SESSIONS = 500;
const MODEL = "anthropic/claude-sonnet-5-5";
const echo = tool("echo", "Echoes.", { text: "string" }, ({ text }) => ({
  content: [{ type: "text", text }],
}));

/** Answers a round of one call and a text; refuses the requests that arrive as number `from` to `to`. */
async function provider(from = 0, to = 0): Promise<{ server: Loopback; seen: { refused: number } }> {
  const seen = { refused: 0 };
  const server = await startLoopback({
    record: false,
    turns({ body, index }) {
      if (index >= from && index < to) {
        seen.refused += 1;
        return { fault: { kind: "status", status: 429, headers: { "retry-after-ms": "300" } } };
      }
      return body.messages.length > 1
        ? { text: "All is well." }
        : { toolCalls: [{ name: "echo", input: { text: "hello" } }] };
    },
  });
  return { server, seen };
}

async function wave(host: Host, cwd: string): Promise<readonly { subtype: string; retries: number }[]> {
  return Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      let last: SDKMessage | undefined;
      let retries = 0;
      const options = { model: MODEL, cwd, tools: [echo], allowedTools: ["echo"], persistSession: false };
      for await (const message of host.query({ prompt: "go", options })) {
        if (message.type === "system" && message.subtype === "api_retry") retries += 1;
        last = message;
      }
      return { subtype: last?.type === "result" ? last.subtype : "none", retries };
    }),
  );
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

describe("500 sessions at once in one process", () => {
  it("all finish, and memory is flat after the first wave", async () => {
    const { server } = await provider();
    const host = createHost({ platform: { env: server.env } });
    const cwd = scratch();
    const heaps: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const ends = await wave(host, cwd);
      expect(ends.filter(({ subtype }) => subtype === "success")).toHaveLength(SESSIONS);
      await new Promise((resolve) => setTimeout(resolve, 50));
      heaps.push(heapInUse());
    }
    await host.close();
    await server.close();
    const [warm = 0, last = 0] = heaps;
    // 4 KB a session would be a leak.
    expect(last - warm).toBeLessThan(SESSIONS * 4096);
  }, 120_000);

  it("get through a storm of 429 behind one limiter", async () => {
    const { server, seen } = await provider(50, 350);
    const { clock } = hurriedClock(20_000);
    const host = createHost({ platform: { clock, random: () => 0, env: server.env } });
    const ends = await wave(host, scratch());
    await host.close();
    await server.close();
    expect(ends.filter(({ subtype }) => subtype === "success")).toHaveLength(SESSIONS);
    expect(ends.reduce((sum, { retries }) => sum + retries, 0)).toBe(seen.refused);
    expect(seen.refused).toBe(300);
    expect(Math.max(...ends.map(({ retries }) => retries))).toBeLessThan(10);
  }, 120_000);
});
