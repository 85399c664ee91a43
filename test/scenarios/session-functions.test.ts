import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createHost,
  exportSession,
  getSessionInfo,
  getSessionMessages,
  type Host,
  importSession,
  listSessions,
  type Options,
  type SDKMessage,
  type SDKResultMessage,
} from "@castellan/sdk";
import { jsonlStore, memoryStore } from "@castellan/sdk/stores";
import { fakeClock, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate } from "../kit/live.ts";
import { scratch } from "../kit/session.ts";

interface Played {
  readonly sessionId: string;
  readonly messages: readonly SDKMessage[];
  readonly result: SDKResultMessage;
}

async function play(
  host: Host,
  turns: readonly ScriptStep[],
  options: Options = {},
  prompt = "go",
): Promise<Played> {
  const messages: SDKMessage[] = [];
  const cwd = options.resume === undefined ? { cwd: options.cwd ?? scratch() } : {};
  for await (const message of host.query({
    prompt,
    options: { model: scriptedModel(turns), ...cwd, ...options },
  })) {
    messages.push(message);
  }
  const result = messages.findLast((each) => each.type === "result");
  if (result?.type !== "result") throw new Error("no result");
  return { sessionId: result.session_id, messages, result };
}

const stores = [
  ["memory", () => memoryStore()],
  ["JSONL", () => jsonlStore({ home: scratch() })],
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

describe("an import refuses", () => {
  async function exported(): Promise<readonly string[]> {
    const host = createHost({ store: memoryStore() });
    const { sessionId } = await play(host, ["one"]);
    const lines: string[] = [];
    for await (const line of host.sessions.export(sessionId)) lines.push(line.trimEnd());
    return lines;
  }
  type Change = (lines: string[]) => string[];
  const header =
    (more: object): Change =>
    ([first = "", ...rest]) => [JSON.stringify({ ...JSON.parse(first), ...more }), ...rest];
  const event =
    (at: number, more: object): Change =>
    (lines) =>
      lines.map((line, i) =>
        i === at ? JSON.stringify({ event: { ...JSON.parse(line).event, ...more } }) : line,
      );

  it.each<[string, Change, RegExp | string]>([
    ["nothing", () => [], /is empty/],
    ["what is no export", () => ['{"a":1}'], /not the header/],
    ["what is no JSON", (lines) => lines.with(2, "{"), /Line 3 .*not JSON/],
    ["a later format", header({ v: 2, release: "9.9.9" }), /version 2.*release 9\.9\.9/],
    ["an id that is a path", header({ sessionId: "../../x" }), /sessionId that is none/],
    ["an id that is a property", header({ sessionId: "__proto__.x" }), /sessionId that is none/],
    ["the events of another session", header({ sessionId: "other" }), /is that of/],
    ["a cut", (lines) => lines.slice(0, -1), /cut off/],
    ["a missing event", (lines) => lines.toSpliced(2, 1), /where event 2 belongs/],
    ["a second beginning", event(2, { type: "session.started" }), /second time/],
    ["an event with more than an envelope", event(2, { extra: 1 }), /not an event/],
    ["an event without data", event(2, { data: null }), /not an event/],
    ["data of another shape", event(3, { type: "user.message", data: { message: null } }), /does not fold/],
    ["lines behind the end", (lines) => [...lines, lines[1] ?? ""], /behind the end/],
    ["an unknown kind of line", (lines) => lines.toSpliced(2, 0, '{"rules":{}}'), /not a line of an export/],
    [
      "an artifact that nothing names",
      (lines) => lines.toSpliced(-1, 0, JSON.stringify({ artifact: { hash: "0".repeat(64), base64: "" } })),
      /no event names/,
    ],
    [
      "an artifact path",
      (lines) =>
        lines.toSpliced(-1, 0, JSON.stringify({ artifact: { hash: "../../etc/passwd", base64: "" } })),
      /not an artifact/,
    ],
    ["deep nesting", event(2, { data: JSON.parse(`${'{"a":'.repeat(600)}1${"}".repeat(600)}`) }), /nested/],
  ])("%s", async (_, change, message) => {
    const host = createHost({ store: memoryStore() });
    const source = change([...(await exported())]).join("\n");
    await expect(host.sessions.import(source)).rejects.toMatchObject({
      code: "import_refused",
      message: expect.stringMatching(message),
    });
    expect(await host.sessions.list()).toEqual([]);
  });

  it("a later release's critical events, naming the release; too many bytes; and what is no source", async () => {
    const host = createHost({ store: memoryStore() });
    const lines = event(2, { type: "later.event", critical: true, data: {} })([...(await exported())]).join(
      "\n",
    );
    await expect(host.sessions.import(lines)).rejects.toMatchObject({
      code: "log_too_new",
      message: expect.stringContaining("release 0.1.0"),
    });
    await expect(host.sessions.import(lines, { maxBytes: 100 })).rejects.toThrow(/more than 100 bytes/);
    await expect(host.sessions.import(7 as never)).rejects.toMatchObject({ code: "invalid_option" });
    await expect(host.sessions.import([Uint8Array.of(0xff, 10)] as never)).rejects.toThrow(/UTF-8/);
  });

  it("never what an export says of this machine's files and processes", async () => {
    const host = createHost({ store: memoryStore() });
    const lines = [...(await exported())];
    const task = {
      taskId: "t",
      kind: "shell",
      callId: "c",
      command: "x",
      cwd: "/",
      pid: 1,
      mark: "m",
      spool: "/etc/passwd",
    };
    const files = { messageId: "m", files: [{ path: "/etc/passwd", before: { kind: "missing" } }] };
    const hostile = event(4, { type: "task.started", data: task })(
      event(3, { type: "file.checkpointed", data: files })(lines),
    );
    const { sessionId } = await host.sessions.import(hostile.join("\n")).catch(() => ({ sessionId: "" }));
    const stored = JSON.stringify(await host.store.read(sessionId));
    expect(sessionId).not.toBe("");
    expect(stored).not.toContain("/etc/passwd");
    expect(stored).toContain('"status":"left"');
  });
});

describe("what is kept on the disk", () => {
  it("names a log that cannot be read, with its reason, behind the others", async () => {
    const home = scratch();
    const store = jsonlStore({ home });
    const host = createHost({ store });
    const cwd = scratch();
    const good = await play(host, ["a"], { cwd });
    const bad = await play(host, ["b"], { cwd });
    const late = await play(host, ["c"], { cwd });
    const path = store.locate?.(bad.sessionId, cwd) ?? "";
    writeFileSync(path, readFileSync(path, "utf8").replace(/\n.*\n/, "\nnot json\n"));
    const later = store.locate?.(late.sessionId, cwd) ?? "";
    writeFileSync(
      later,
      readFileSync(later, "utf8").replace('"type":"model.requested"', '"type":"later","critical":true'),
    );
    const listed = await host.sessions.list();
    expect(listed[0]?.sessionId).toBe(good.sessionId);
    expect(new Map(listed.map(({ sessionId, problem }) => [sessionId, problem?.code]))).toEqual(
      new Map([
        [good.sessionId, undefined],
        [bad.sessionId, "log_corrupt"],
        [late.sessionId, "log_too_new"],
      ]),
    );
    expect(await host.sessions.info(bad.sessionId)).toMatchObject({ status: "unreadable" });
    // Its artifacts are not known, so none is taken away.
    const { artifacts } = await host.sessions.prune({ olderThanDays: 1_000, artifactGraceMs: 0 });
    expect(artifacts.deleted).toBe(0);
    expect(await host.sessions.delete(bad.sessionId)).toBe(true);
    await host.close();
  });

  it("is pruned by age, but for the newest; artifacts go when no session reaches them, and not while they are fresh", async () => {
    const home = scratch();
    const previous = process.env.CASTELLAN_HOME;
    process.env.CASTELLAN_HOME = home;
    try {
      const host = createHost();
      const cwd = scratch();
      const big = "x".repeat(200_000);
      writeFileSync(join(cwd, "big.txt"), big);
      mkdirSync(join(cwd, "sub"));
      const look = [{ toolCalls: [{ name: "Bash", input: { command: "cat big.txt big.txt" } }] }, "end"];
      const options = { cwd, allowedTools: ["Bash(cat *)"] };
      const first = await play(host, look, options);
      const second = await play(host, ["b"], { cwd });
      const blobs = () =>
        readdirSync(join(home, "artifacts"), { recursive: true }).filter((name) =>
          /[0-9a-f]{64}$/.test(String(name)),
        );
      expect(blobs()).toHaveLength(1);
      const dry = await host.sessions.prune({ olderThanDays: 0, keep: 1, dryRun: true, artifactGraceMs: 0 });
      expect(dry).toMatchObject({ deleted: [first.sessionId], artifacts: { deleted: 1 } });
      expect(blobs()).toHaveLength(1);
      expect(await host.sessions.prune({ olderThanDays: 0, keep: 2, artifactGraceMs: 0 })).toEqual({
        deleted: [],
        left: [],
        artifacts: { deleted: 0 },
      });
      // Another host over the same home: the blob is younger than the grace, whoever put it.
      const other = createHost();
      expect(await other.sessions.prune({ olderThanDays: 0, keep: 1 })).toMatchObject({
        deleted: [first.sessionId],
        artifacts: { deleted: 0 },
      });
      expect(blobs()).toHaveLength(1);
      expect(await other.sessions.prune({ olderThanDays: 0, keep: 1, artifactGraceMs: 0 })).toMatchObject({
        artifacts: { deleted: 1 },
      });
      expect(blobs()).toEqual([]);
      expect((await host.sessions.list()).map(({ sessionId }) => sessionId)).toEqual([second.sessionId]);
      await Promise.all([host.close(), other.close()]);
    } finally {
      if (previous === undefined) delete process.env.CASTELLAN_HOME;
      else process.env.CASTELLAN_HOME = previous;
    }
  });

  it("never has what the host's redactor takes out, and a resume works with what is left", async () => {
    const store = memoryStore();
    const host = createHost({
      store,
      redact: (given) => JSON.parse(JSON.stringify(given).replaceAll("hunter2", "[secret]")),
    });
    const { sessionId, messages } = await play(host, ["your hunter2"], {}, "hunter2 is it");
    expect(JSON.stringify(messages)).toContain("your hunter2");
    expect(JSON.stringify(await store.read(sessionId))).not.toContain("hunter2");
    const model = scriptedModel(["more"]);
    await play(host, [], { model, resume: sessionId }, "on");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("[secret] is it");
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("hunter2");
    const broken = createHost({
      store,
      redact: () => {
        throw new Error("hunter2");
      },
    });
    const failed = await play(broken, ["x"], {}, "hunter2");
    expect(failed.result).toMatchObject({ is_error: true, terminal_reason: "redaction_failed" });
    expect(JSON.stringify(failed.result)).not.toContain("hunter2");
    expect(await store.read(failed.sessionId)).toEqual([]);
  });
});
