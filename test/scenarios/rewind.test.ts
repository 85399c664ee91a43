import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Host, type Options, type SDKMessage } from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf } from "../kit/client.ts";
import { scratch } from "../kit/session.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "Bash", input: { command } }] });
const write = (file_path: string, content: string) => ({
  toolCalls: [{ name: "Write", input: { file_path, content } }],
});

/** The uuid of the person's message in a response. */
function messageId(messages: readonly SDKMessage[]): string {
  const own = messages.filter((message) => message.type === "user" && message.isReplay === true);
  expect(own).toHaveLength(1);
  return own[0]?.uuid ?? "";
}

const OPEN: Options = {
  enableFileCheckpointing: true,
  permissionMode: "bypassPermissions",
  allowDangerouslySkipPermissions: true,
};

async function changed(host: Host, cwd: string, more: Options = {}) {
  writeFileSync(join(cwd, "a.txt"), "zero\n");
  const model = scriptedModel([bash("echo one > a.txt"), "1", write("b.txt", "b\n"), bash("rm a.txt"), "2"]);
  const client = clientOf({ model, cwd, ...OPEN, ...more }, host);
  const first = await ask(client, "first");
  const second = await ask(client, {
    type: "user",
    uuid: "second-of-mine",
    message: { role: "user", content: "second" },
  });
  return { client, first: messageId(first), second: messageId(second), id: first[0]?.session_id ?? "" };
}

describe("rewindFiles", () => {
  it("brings files back to a message, given back with its uuid or named by the program", async () => {
    const cwd = scratch();
    const { client, first, second } = await changed(createHost({ store: memoryStore() }), cwd);
    expect(second).toBe("second-of-mine");
    const a = join(cwd, "a.txt");
    const b = join(cwd, "b.txt");
    const would = await client.rewindFiles(second, { dryRun: true });
    expect(would).toMatchObject({ canRewind: true, filesChanged: [b, a], insertions: 1, deletions: 1 });
    expect([existsSync(a), existsSync(b)]).toEqual([false, true]);
    expect(await client.rewindFiles(second)).toMatchObject({ canRewind: true, filesChanged: [b, a] });
    expect([readFileSync(a, "utf8"), existsSync(b)]).toEqual(["one\n", false]);
    expect(await client.rewindFiles(first)).toMatchObject({ filesChanged: [a], insertions: 1, deletions: 1 });
    expect(readFileSync(a, "utf8")).toBe("zero\n");
    expect(await client.rewindFiles(first)).toEqual({
      ...{ canRewind: true, filesChanged: [], insertions: 0, deletions: 0, files: [] },
    });
    // And forward again: the message's own state was kept before it was left.
    expect(await client.rewindFiles(second)).toMatchObject({ filesChanged: [a] });
    expect(readFileSync(a, "utf8")).toBe("one\n");
    await client.close();
  });

  it("works after a resume, over JSONL, and tells what somebody else has changed", async () => {
    const cwd = scratch();
    const home = scratch();
    const host = createHost({ store: jsonlStore({ home }) });
    const { client, first, id } = await changed(host, cwd);
    await client.close();
    writeFileSync(join(cwd, "b.txt"), "mine\n");
    const later = clientOf({ model: scriptedModel([]), cwd, resume: id }, host);
    const result = await later.rewindFiles(first);
    expect(result).toMatchObject({
      canRewind: true,
      filesChanged: [join(cwd, "a.txt")],
      error: `Not brought back: ${join(cwd, "b.txt")}: It has been changed since by somebody else.`,
    });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("zero\n");
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("mine\n");
    expect(await later.rewindFiles(first, { force: true })).toMatchObject({
      filesChanged: [join(cwd, "b.txt")],
    });
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
    await later.close();
    await host.close();
  });

  it("in a fork takes back what it has of the original, and nothing that the original changed later", async () => {
    const cwd = scratch();
    const host = createHost({ store: memoryStore() });
    const file = join(cwd, "a.txt");
    writeFileSync(file, "zero\n");
    const model = scriptedModel([bash("echo one > a.txt"), "1", bash("echo two > a.txt"), "2"]);
    const client = clientOf({ model, cwd, ...OPEN }, host);
    const messages = await ask(client, "first");
    const forkOf = () =>
      clientOf(
        { model: scriptedModel([]), cwd, resume: messages[0]?.session_id ?? "", forkSession: true, ...OPEN },
        host,
      );
    const fork = forkOf();
    await fork.mcpServerStatus();
    await ask(client, "second");
    const kept = await fork.rewindFiles(messageId(messages));
    expect(kept.files).toMatchObject([{ path: file, outcome: "conflict" }]);
    expect(readFileSync(file, "utf8")).toBe("two\n");
    await fork.close();
    writeFileSync(file, "one\n");
    const other = forkOf();
    await client.close();
    expect((await other.rewindFiles(messageId(messages))).files).toMatchObject([{ outcome: "conflict" }]);
    writeFileSync(file, "two\n");
    expect((await other.rewindFiles(messageId(messages))).filesChanged).toEqual([file]);
    expect(readFileSync(file, "utf8")).toBe("zero\n");
    await other.close();
  });

  it("says why it cannot: no such message, no checkpoints, a call that runs", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const started = join(cwd, "started");
    const model = scriptedModel([
      bash(`touch ${started}; until [ -e go ]; do sleep 0.02; done; echo x > y`),
      "done",
    ]);
    const client = clientOf({ model, cwd, ...OPEN }, host);
    await client.query("go");
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await client.rewindFiles("any")).toMatchObject({
      canRewind: false,
      error: expect.stringContaining("is running"),
    });
    writeFileSync(join(cwd, "go"), "");
    const messages: SDKMessage[] = [];
    for await (const message of client.receiveResponse()) messages.push(message);
    expect(await client.rewindFiles("nobody")).toEqual({
      canRewind: false,
      error: expect.stringContaining('There is no message "nobody"'),
    });
    await expect(client.rewindFiles("")).rejects.toMatchObject({ code: "invalid_option" });
    await expect(client.rewindFiles("a", { dry: true } as never)).rejects.toThrow(/dryRun and force/);
    await expect(client.rewindFiles("a", { dryRun: "yes" } as never)).rejects.toThrow(/true or false/);
    await client.close();

    const plain = clientOf(
      { model: scriptedModel([bash("echo x > z"), "done"]), cwd, ...OPEN, enableFileCheckpointing: false },
      host,
    );
    const [, ...rest] = await ask(plain, {
      type: "user",
      uuid: "u",
      message: { role: "user", content: "go" },
    });
    expect(rest.filter((message) => "isReplay" in message)).toEqual([]);
    expect(await plain.rewindFiles("u")).toMatchObject({
      canRewind: false,
      error: expect.stringContaining("enableFileCheckpointing"),
    });
    await plain.close();
  });
});
