import { join } from "node:path";
import {
  createHost,
  exportSession,
  getSessionInfo,
  getSessionMessages,
  importSession,
  listSessions,
  type SDKUserMessage,
} from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";
import { fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate } from "../kit/live.ts";
import { play } from "../kit/played.ts";
import { scratch } from "../kit/session.ts";

const stores = [
  ["memory", () => memoryStore()],
  ["JSONL", () => jsonlStore({ home: scratch() })],
  ["SQLite", () => sqliteStore({ home: scratch() })],
] as const;

describe.each(stores)("session functions over %s", (_, makeStore) => {
  it("list newest first, with title, first prompt, tags, cost and status; by project, tag and limit", async () => {
    const clock = fakeClock();
    const store = makeStore();
    const host = createHost({ store, platform: { clock } });
    const cwd = scratch();
    const one = await play(host, ["a"], { cwd, title: "First" }, "Hello\n  there");
    clock.advance(1000);
    const two = await play(host, [{ toolCalls: [{ name: "Read", input: { file_path: "/nope" } }] }], {
      cwd,
      maxTurns: 1,
    });
    clock.advance(1000);
    const three = await play(host, ["c"]);
    const all = await listSessions({ store });
    expect(all.map(({ sessionId }) => sessionId)).toEqual([three.sessionId, two.sessionId, one.sessionId]);
    expect(all[2]).toMatchObject({
      title: "First",
      firstPrompt: "Hello there",
      status: "done",
      outcome: "success",
      tags: [],
      project: cwd,
    });
    expect(all[2]?.costUsd).toBe(one.result.total_cost_usd);
    expect(all[1]).toMatchObject({ status: "unfinished", outcome: "error_max_turns" });
    await host.sessions.tag(one.sessionId, ["x", "y", "x"]);
    await host.sessions.rename(one.sessionId, "Renamed");
    expect(
      (await host.sessions.list({ tags: ["y"], limit: 1 })).map(({ title, tags }) => [title, tags]),
    ).toEqual([["Renamed", ["x", "y"]]]);
    expect(
      (await host.sessions.list({ project: cwd, limit: 1 })).map(({ sessionId }) => sessionId),
    ).toHaveLength(1);
    await host.sessions.tag(one.sessionId, null);
    expect(await getSessionInfo(one.sessionId, { store })).toMatchObject({ tags: [], title: "Renamed" });
    expect(await getSessionInfo("nobody", { store })).toBeUndefined();
    await expect(host.sessions.rename("nobody", "x")).rejects.toMatchObject({ code: "session_not_found" });
    // A name changes nothing about how it goes on.
    expect((await play(host, ["more"], { resume: one.sessionId }, "again")).result.result).toBe("more");
    expect(await host.sessions.info(one.sessionId)).toMatchObject({ title: "Renamed" });
    await host.close();
  });

  it("give the messages as the iterator gave them, with those of the user", async () => {
    const store = makeStore();
    const host = createHost({ store });
    const { sessionId, messages } = await play(host, [
      { toolCalls: [{ name: "Read", input: { file_path: "/nope" } }] },
      "end",
    ]);
    const found = await getSessionMessages(sessionId, { store });
    expect(found[0]).toMatchObject({ type: "user", message: { role: "user", content: "go" } });
    const told = messages.filter(({ type }) => type === "assistant" || type === "user");
    expect(found.slice(1)).toEqual(told);
    expect(await getSessionMessages(sessionId, { store, offset: 1, limit: 2 })).toEqual(told.slice(0, 2));
    expect((await getSessionMessages(sessionId, { store, includeSystem: true })).at(-1)).toMatchObject({
      type: "result",
    });
    await expect(getSessionMessages("nobody", { store })).rejects.toMatchObject({
      code: "session_not_found",
    });
    await host.close();
  });

  it("leave a session that runs: its name changes in its own log, and it cannot be deleted or pruned", async () => {
    const store = makeStore();
    const host = createHost({ store });
    const door = gate();
    const { sessionId } = await play(host, ["begun"]);
    const query = host.query({
      prompt: "go",
      options: {
        resume: sessionId,
        ...{
          tools: ["Write"],
          model: scriptedModel([
            { toolCalls: [{ name: "Write", input: { file_path: "x", content: "" } }] },
            "end",
          ]),
        },
        canUseTool: async () => {
          await door.wait();
          return { behavior: "deny", message: "no" };
        },
      },
    });
    const reading = (async () => {
      for await (const _ of query);
    })();
    await door.reached;
    const [info] = await host.sessions.list();
    expect(info?.status).toBe("running");
    await host.sessions.rename(sessionId, "While it runs");
    await expect(host.sessions.delete(sessionId)).rejects.toMatchObject({ code: "session_busy" });
    const other = createHost({ store });
    expect(await other.sessions.prune({ olderThanDays: 0 })).toMatchObject({ deleted: [] });
    door.open();
    await reading;
    expect(await host.sessions.info(sessionId)).toMatchObject({ title: "While it runs", status: "done" });
    expect(await host.sessions.delete(sessionId)).toBe(true);
    expect(await host.sessions.delete(sessionId)).toBe(false);
    expect(await host.sessions.list()).toEqual([]);
    await host.close();
  });

  it("fork up to a message; the fork runs nothing of the original, and goes on from there", async () => {
    const store = makeStore();
    const host = createHost({ store });
    const cwd = scratch();
    const { sessionId } = await play(host, ["one"], { cwd }, "first");
    const { messages } = await play(host, ["two"], { resume: sessionId }, "second");
    const before = await store.read(sessionId);
    const [, firstAnswer] = await host.sessions.messages(sessionId);
    const fork = await host.sessions.fork(sessionId, { upTo: firstAnswer?.uuid ?? "", title: "Copy" });
    expect(await host.sessions.info(fork.sessionId)).toMatchObject({
      title: "Copy",
      firstPrompt: "first",
      status: "done",
    });
    const texts = JSON.stringify(await host.sessions.messages(fork.sessionId));
    expect(texts).toContain("one");
    expect(texts).not.toContain("second");
    const model = scriptedModel(["three"]);
    await play(host, [], { model, resume: fork.sessionId }, "third");
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(await store.read(sessionId)).toEqual(before);
    await expect(host.sessions.fork(sessionId, { upTo: "no" })).rejects.toMatchObject({
      code: "invalid_option",
    });
    // The same through options: always a session of its own.
    const at = messages.findLast(({ type }) => type === "assistant")?.uuid ?? "";
    const gone = await play(host, ["four"], { resume: sessionId, resumeSessionAt: at }, "fourth");
    expect(gone.sessionId).not.toBe(sessionId);
    expect(await store.read(sessionId)).toEqual(before);
    await host.close();
  });

  it("know a message by the name that its program gave it, as the iterator does", async () => {
    const store = makeStore();
    const host = createHost({ store });
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield { type: "user", uuid: "mine", message: { role: "user", content: "first" } };
      yield { type: "user", message: { role: "user", content: "second" } };
    }
    const options = { cwd: scratch(), enableFileCheckpointing: true };
    const given: string[] = [];
    let sessionId = "";
    for await (const message of host.query({
      prompt: prompts(),
      options: { ...options, model: scriptedModel(["one", "two"]) },
    })) {
      sessionId = message.session_id;
      if (message.type === "user" && message.isReplay === true) given.push(message.uuid);
    }
    const told = (await host.sessions.messages(sessionId)).flatMap(({ type, uuid }) =>
      type === "user" ? [uuid] : [],
    );
    expect(told).toEqual(given);
    expect(told[0]).toBe("mine");
    const fork = await host.sessions.fork(sessionId, { upTo: "mine" });
    expect((await host.sessions.messages(fork.sessionId)).map(({ uuid }) => uuid)).toEqual(["mine"]);
    const again = scriptedModel(["three"]);
    await play(host, [], { model: again, resume: sessionId, resumeSessionAt: told[1] ?? "" }, "third");
    expect(again.requests[0]?.messages).toHaveLength(4);
    await host.close();
  });

  it("export and import: the history arrives whole, and what it was granted does not", async () => {
    const store = makeStore();
    const host = createHost({ store });
    const { sessionId } = await play(host, ["one"], {
      ...{ allowedTools: ["Write"], disallowedTools: ["Bash(rm *)"], permissionMode: "acceptEdits" },
      additionalDirectories: [scratch()],
    });
    const lines: string[] = [];
    for await (const line of exportSession(sessionId, { store })) lines.push(line);
    const there = createHost({ store: makeStore() });
    const cwd = scratch();
    const taken = await there.sessions.import(lines.join(""), { cwd });
    expect(taken).toMatchObject({ sessionId, isNewId: false });
    expect(await there.sessions.messages(sessionId)).toEqual(await host.sessions.messages(sessionId));
    expect(await there.sessions.info(sessionId)).toMatchObject({ project: cwd, permissionMode: "default" });
    const denied = await play(
      there,
      [{ toolCalls: [{ name: "Write", input: { file_path: join(cwd, "x"), content: "" } }] }, "end"],
      { resume: sessionId },
    );
    expect(denied.result.permission_denials).toHaveLength(1);
    const configured = (await there.store.read(sessionId)).findLast(
      ({ type }) => type === "session.configured",
    );
    expect(JSON.stringify(configured)).toContain("Bash(rm *)");
    // Again, in pieces of bytes: under another id, and with its grants where they are asked for.
    const bytes = Buffer.from(lines.join(""));
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 300), bytes.subarray(300)];
    const again = await importSession(
      (async function* () {
        yield* pieces;
      })(),
      { store: there.store, cwd, keepGrants: true },
    );
    expect(again).toMatchObject({ isNewId: true });
    expect(await there.sessions.info(again.sessionId)).toMatchObject({ permissionMode: "acceptEdits" });
    await Promise.all([host.close(), there.close()]);
  });
});
