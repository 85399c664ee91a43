import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHost, type SessionEvent } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../packages/sdk/src/protocol/index.ts";
import { encodeState, fold } from "../../packages/sdk/src/sessions/index.ts";
import { scratch } from "../kit/session.ts";

const root = fileURLToPath(new URL("logs/", import.meta.url));
const logs = readdirSync(root).flatMap((release) =>
  readdirSync(join(root, release))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ release, name, file: join(root, release, name) })),
);

const read = (file: string, cwd = "/pinned"): SessionEvent[] =>
  readFileSync(file, "utf8")
    .replaceAll("{{cwd}}", cwd)
    .replaceAll("{{tmp}}", "/tmp")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SessionEvent);

describe.each(logs)("the log $name of release $release", ({ release, name, file }) => {
  it("folds to its pinned state", () => {
    const pin = file.replace(/jsonl$/, "state.txt");
    const state = `${JSON.stringify(JSON.parse(encodeState(fold(read(file)))), null, 1)}\n`;
    // Made with the log, once: CASTELLAN_PIN=1 writes those that are missing, and never another.
    if (!existsSync(pin) && process.env.CASTELLAN_PIN === "1") writeFileSync(pin, state);
    expect(state).toBe(readFileSync(pin, "utf8"));
  });

  it("is resumed: every call has its one result before the model is asked", async () => {
    const cwd = scratch();
    mkdirSync(join(cwd, "sub"));
    writeFileSync(join(cwd, "a.txt"), "one\n");
    const events = read(file, cwd);
    const [started] = events;
    if (started?.type !== "session.started")
      throw new Error(`${name} of ${release} begins with no session.started`);
    const { sessionId } = started.data;
    const store = memoryStore();
    await store.append([{ sessionId, project: cwd, expectedSeq: 0, batchId: "pin", events }]);
    const host = createHost({ store });
    const model = scriptedModel(["Resumed."]);
    const messages = [];
    const options = { resume: sessionId, model, canUseTool: () => ({ behavior: "allow" }) as const };
    for await (const message of host.query({ prompt: "Go on.", options })) messages.push(message);
    expect(messages.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "Resumed." });
    const asked = model.requests[0]?.messages ?? [];
    const parts = asked.flatMap(
      (message) => message.parts as readonly { type: string; id?: string; callId?: string }[],
    );
    const calls = parts.flatMap(({ type, id }) => (type === "toolCall" ? [id] : []));
    expect(parts.flatMap(({ type, callId }) => (type === "toolResult" ? [callId] : [])).sort()).toEqual(
      calls.sort(),
    );
    assertComplete(await host.sessions.messages(sessionId, { includeSystem: true }));
    // What was written is never changed.
    expect((await store.read(sessionId)).slice(0, events.length)).toEqual(events);
  });
});

describe("the pinned logs", () => {
  it("hold every type of event that this release writes, in the version that it writes", () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../../packages/sdk/package.json", import.meta.url), "utf8"),
    ) as { version: string };
    const own = logs.filter(({ release }) => release === version).flatMap(({ file }) => read(file));
    const written = new Set(own.map(({ type, v }) => `${type} ${v}`));
    expect([...written].sort()).toEqual(
      Object.entries(EVENT_TYPES)
        .map(([type, { v }]) => `${type} ${v}`)
        .sort(),
    );
  });

  it("of a later release are refused, naming the one that can read them; what is not critical is kept", async () => {
    const cwd = scratch();
    const events = read(logs[0]?.file ?? "", cwd);
    const sessionId = (events[0] as { data: { sessionId: string } }).data.sessionId;
    const later = (type: string, critical: boolean) =>
      ({
        v: 1,
        seq: events.length + 2,
        id: "x",
        ts: 1,
        type,
        ...(critical ? { critical } : {}),
        data: { a: 1 },
      }) as never;
    const configured = events.find(({ type }) => type === "session.configured");
    const resumed = {
      ...configured,
      seq: events.length + 1,
      data: { ...configured?.data, release: "7.1.0" },
    } as never;
    const storeOf = async (last: SessionEvent) => {
      const store = memoryStore();
      await store.append([
        { sessionId, project: cwd, expectedSeq: 0, batchId: "p", events: [...events, resumed, last] },
      ]);
      return createHost({ store });
    };
    const refusing = await storeOf(later("later.thing", true));
    // The release of the run that wrote it, not that of the one that began the session.
    await expect(refusing.sessions.fork(sessionId)).rejects.toMatchObject({
      code: "log_too_new",
      message: expect.stringContaining("release 7.1.0"),
    });
    const keeping = await storeOf(later("later.note", false));
    const { sessionId: copy } = await keeping.sessions.fork(sessionId);
    expect(await keeping.store.read(copy)).toContainEqual(
      expect.objectContaining({ type: "later.note", data: { a: 1 } }),
    );
    let exported = "";
    for await (const line of keeping.sessions.export(copy)) exported += line;
    expect(exported).toContain('"later.note"');
  });
});
