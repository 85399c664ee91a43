import { createHmac } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createHost } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { afterEach, describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { asked, begin, call, hostOver, resultsIn, STORES, sendTool } from "./kit.ts";

const turns = [{ toolCalls: [call("c1", "hello")] }, { text: "done" }];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server on this machine, and what it was sent. */
async function hears(status: number, headers: Record<string, string> = {}) {
  const heard: { readonly url: string; readonly body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    heard.push({ url: request.url ?? "", body });
    response.writeHead(status, headers).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

describe("who is told of a call that waits", () => {
  it("are the Notification hooks, once, when its record is stored", async () => {
    const host = hostOver(STORES.JSONL());
    const { tool } = sendTool();
    const told: object[] = [];
    const hook = async (input: { readonly approval_id: string }) => {
      told.push({ ...input, status: (await host.approvals.get(input.approval_id))?.status });
      return { systemMessage: "told" };
    };
    const hooks = { Notification: [{ hooks: [hook] }] };
    const options = { tools: [tool], hooks, approvals: { mode: "durable", onPending: "pause" } } as const;
    const { session_id: resume } = await begin(host, turns.slice(0, 1), options).result;
    const [record] = await host.approvals.list();
    expect(told).toEqual([
      expect.objectContaining({
        hook_event_name: "Notification",
        notification_type: "approval_requested",
        approval_id: record?.id,
        tool_use_id: "c1",
        title: record?.title,
        status: "pending",
      }),
    ]);
    await begin(host, [], { ...options, resume }, "").result;
    expect(told).toHaveLength(1);
  });

  it("may end the run", async () => {
    const host = hostOver();
    const { tool, sent } = sendTool();
    const hooks = { Notification: [{ hooks: [() => ({ continue: false, stopReason: "not at night" })] }] };
    const read = begin(host, turns, { tools: [tool], hooks, approvals: "durable" });
    expect(await read.result).toMatchObject({ terminal_reason: "hook_stopped", errors: [/not at night/] });
    expect(sent).toEqual([]);
    expect(await host.approvals.list({ status: "pending" })).toEqual([]);
  });

  it("is a webhook, with a signature that the inbox knows again", async () => {
    const home = scratch();
    const { heard, url } = await hears(204);
    const host = createHost({ store: jsonlStore({ home }), platform: { env: { CASTELLAN_HOME: home } } });
    const { tool, sent } = sendTool();
    const read = begin(host, turns, { tools: [tool], approvals: { mode: "durable", webhook: url } });
    const id = await asked(read, "c1");
    while (heard.length === 0) await new Promise(setImmediate);
    const { type, approval, signature } = JSON.parse(heard[0]?.body ?? "");
    expect([type, approval.id, approval.input]).toEqual(["approval_requested", id, { text: "hello" }]);
    const file = join(home, "approvals.key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
    const bytes = JSON.stringify([id, "c1", approval.inputHash]);
    expect(signature).toBe(createHmac("sha256", key).update(bytes).digest("hex"));
    const wrong = signature.replace(/^./, (first: string) => (first === "0" ? "1" : "0"));
    await expect(host.approvals.approve(id, { signature: wrong })).rejects.toMatchObject({
      code: "approval_changed",
    });
    await host.approvals.approve(id, { signature });
    await read.result;
    expect(sent).toEqual(["hello"]);
    await host.close();
  });

  it("hears of a webhook that redirects or fails, and the call waits all the same", async () => {
    const elsewhere = await hears(200);
    for (const bad of [await hears(302, { location: elsewhere.url }), await hears(500)]) {
      const home = scratch();
      const host = createHost({ store: jsonlStore({ home }), platform: { env: { CASTELLAN_HOME: home } } });
      const { tool, sent } = sendTool();
      const read = begin(host, turns, { tools: [tool], approvals: { mode: "durable", webhook: bad.url } });
      const id = await asked(read, "c1");
      await read.until(
        (message) =>
          message.type === "system" && message.subtype === "notification" && /webhook/.test(message.message),
      );
      await host.approvals.approve(id);
      await read.result;
      expect(resultsIn(read).c1).toContain("sent hello");
      expect(sent).toEqual(["hello"]);
      await host.close();
    }
    expect(elsewhere.heard).toEqual([]);
  });

  it.each(["http://example.com/x", "ftp://127.0.0.1/", "https://a:b@example.com", "nothing", 7])(
    "is no webhook at %s",
    (webhook) => {
      const host = hostOver();
      const approvals = { mode: "durable", webhook } as never;
      expect(() => host.query({ prompt: "go", options: { approvals } })).toThrow(/options.approvals.webhook/);
    },
  );
});
