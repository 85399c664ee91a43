import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { SessionEvent } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { createWriterOfLogs, randomLog } from "./random-log.cases.ts";
import { type Redact, redacted } from "./redact.ts";
import { createSessionLog } from "./session-log.ts";
import { memoryStore } from "./stores/memory/memory.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);

const mask: Redact = (event) => JSON.parse(JSON.stringify(event).replaceAll("sk-1", "***")) as SessionEvent;

function said(text: string): SessionEvent {
  const log = createWriterOfLogs();
  log.add("user.message", { message: { role: "user", parts: [{ type: "text", text }] } });
  return log.events[0] as SessionEvent;
}

describe("a redactor", () => {
  it("changes texts and leaves the original alone; without a change the event is the same object", () => {
    const event = said("my key is sk-1");
    expect(JSON.stringify(redacted(mask, event))).toContain("my key is ***");
    expect(JSON.stringify(event)).toContain("sk-1");
    const plain = said("nothing");
    expect(redacted(mask, plain)).toBe(plain);
    expect(redacted(() => undefined, plain)).toBe(plain);
  });

  it("that changes its copy and gives nothing back meant the change", () => {
    const event = said("my key is sk-1");
    const inPlace: Redact = (copy) => {
      if (copy.type === "user.message")
        (copy.data.message as { parts: unknown }).parts = [{ type: "text", text: "x" }];
      return undefined;
    };
    expect(JSON.stringify(redacted(inPlace, event))).not.toContain("sk-1");
  });

  it.each<[string, (event: SessionEvent) => unknown]>([
    [
      "throws",
      () => {
        throw new Error("sk-1");
      },
    ],
    [
      "throws no error",
      () => {
        throw "sk-1";
      },
    ],
    ["gives text", () => "sk-1"],
    ["gives a promise", async (event) => event],
    ["gives a list", (event) => [event]],
    ["gives nothing of an event", () => ({})],
    ["gives another type", (event) => ({ ...event, type: "hook.ran" })],
    ["gives another seq", (event) => ({ ...event, seq: 7 })],
    ["adds to the envelope", (event) => ({ ...event, extra: 1 })],
    ["takes the data away", ({ data: _, ...event }) => event],
    ["empties the data", (event) => ({ ...event, data: {} })],
    ["adds to the data", (event) => ({ ...event, data: { ...event.data, extra: "x" } })],
    ["gives what JSON cannot hold", (event) => ({ ...event, data: { ...event.data, message: 1n } })],
    ["changes the role", (event) => ({ ...event, data: { message: { role: "tool", parts: [] } } })],
  ])("that %s is an error, which does not tell the secret", (_, redact) => {
    const act = () => redacted(redact as Redact, said("sk-1"));
    expect(act).toThrow(expect.objectContaining({ code: "redaction_failed", subject: "user.message" }));
    expect(act).toThrow(expect.not.objectContaining({ message: expect.stringContaining("sk-1") }));
  });

  it("may not touch what says what is allowed", () => {
    const log = createWriterOfLogs();
    log.add("mode.changed", { mode: "plan", by: "x" });
    const loosen: Redact = (event) => ({ ...event, data: { mode: "acceptEdits", by: "x" } }) as SessionEvent;
    expect(() => redacted(loosen, log.events[0] as SessionEvent)).toThrow(/must stay whole/);
  });

  it("may make of an input what it likes, and of ids nothing", () => {
    const log = createWriterOfLogs();
    log.add("model.completed", {
      model: "m",
      message: {
        role: "assistant",
        id: "m1",
        parts: [{ type: "toolCall", id: "c1", name: "T", input: { key: "sk-1" } }],
      },
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
      stopReason: "tool_use",
      durationMs: 1,
    });
    const [event] = log.events as [SessionEvent];
    const replaced =
      (from: string, to: string): Redact =>
      (e) =>
        JSON.parse(JSON.stringify(e).replace(from, to)) as SessionEvent;
    expect(redacted(replaced('{"key":"sk-1"}', "{}"), event)).toMatchObject({
      data: { message: { parts: [{ input: {} }] } },
    });
    expect(() => redacted(replaced('"c1"', '"c2"'), event)).toThrow(/parts\[\]\.id, which is no free text/);
  });

  it("leaves a question its id and the hash of its input, by which a decision finds it", () => {
    const asked = {
      ...{ v: 1, seq: 2, id: "e2", ts: 1, type: "approval.requested", critical: true },
      data: { approvalId: "apr_1", callId: "c1", inputHash: "h1", title: "Bash: sk-1", approver: "human" },
    } as unknown as SessionEvent;
    const changed = (from: string) => (given: SessionEvent) =>
      JSON.parse(JSON.stringify(given).replaceAll(from, "x")) as SessionEvent;
    expect(redacted(changed("sk-1"), asked)).toMatchObject({ data: { title: "Bash: x" } });
    for (const from of ["apr_1", "h1", "human"]) {
      expect(() => redacted(changed(from), asked)).toThrow(/which is no free text/);
    }
  });
});

describe("a log with a redactor", () => {
  function open(redact: Redact) {
    const store = memoryStore();
    const platform = nodePlatform();
    const log = createSessionLog({ store, platform, sessionId: "s1", project: "/w", redact });
    log.record("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    return { store, log };
  }
  const say = (text: string) => ({ message: { role: "user", parts: [{ type: "text", text }] } }) as const;

  it("goes on with what was said, and a resume with what was recorded", async () => {
    const { store, log } = open(mask);
    log.record("user.message", say("sk-1 is it"));
    await log.close();
    expect(JSON.stringify(log.state.messages)).toContain("sk-1");
    const stored = await store.read("s1");
    expect(JSON.stringify(stored)).not.toContain("sk-1");
    expect(fold(stored).messages).toEqual([say("*** is it").message]);
  });

  it("writes what came before a failure, and nothing from there on", async () => {
    const broken: Redact = (event) => {
      if (JSON.stringify(event).includes("sk-1")) throw new TypeError("sk-1");
      return event;
    };
    const { store, log } = open(broken);
    log.record("user.message", say("before"));
    log.record("user.message", say("sk-1"));
    log.record("user.message", say("after"));
    for (let i = 0; i < 3; i += 1)
      await expect(log.barrier()).rejects.toMatchObject({ code: "redaction_failed" });
    log.record("user.message", say("later"));
    await expect(log.close()).rejects.toMatchObject({ code: "redaction_failed" });
    expect((await store.read("s1")).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("redacts a copy of an older log as well, before it is written", async () => {
    const store = memoryStore();
    const started = createWriterOfLogs();
    started.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    started.add("user.message", say("sk-1"));
    const parts = { unwritten: started.events, state: fold(started.events), redact: mask };
    await createSessionLog({
      store,
      platform: nodePlatform(),
      sessionId: "s1",
      project: "/w",
      ...parts,
    }).close();
    expect(JSON.stringify(await store.read("s1"))).toContain("***");
    expect(JSON.stringify(await store.read("s1"))).not.toContain("sk-1");
  });

  it("writes nothing of a copy that it cannot redact to its end", async () => {
    const store = memoryStore();
    const copy = createWriterOfLogs();
    copy.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    copy.add("rules.changed", {
      rules: [{ text: "Bash", behavior: "allow", source: "session" }],
      additionalDirectories: [],
      by: "t",
    });
    copy.add("user.message", say("sk-1"));
    copy.add("rules.changed", { rules: [], additionalDirectories: [], by: "fork" });
    const broken: Redact = (event) => {
      if (JSON.stringify(event).includes("sk-1")) throw new TypeError("sk-1");
      return event;
    };
    const log = createSessionLog({
      ...{ store, platform: nodePlatform(), sessionId: "s1", project: "/w", redact: broken },
      ...{ unwritten: copy.events, state: fold(copy.events) },
    });
    log.record("user.message", say("on"));
    await expect(log.barrier()).rejects.toMatchObject({ code: "redaction_failed" });
    await expect(log.close()).rejects.toMatchObject({ code: "redaction_failed" });
    expect(await store.read("s1")).toEqual([]);
  });

  it("leaves every log foldable, whatever it makes of the free texts", () => {
    const everything: Redact = (event) =>
      JSON.parse(JSON.stringify(event), (key, value) => (key === "text" ? "***" : value)) as SessionEvent;
    fc.assert(
      fc.property(randomLog, (log) => {
        const plain = log.map((event) => redacted(everything, event));
        expect(fold(plain).messages.length).toBe(fold(log).messages.length);
      }),
      { numRuns: Math.min(RUNS, 50) },
    );
  });
});
