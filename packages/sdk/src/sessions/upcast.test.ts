import { describe, expect, it } from "vitest";
import type { Envelope, SessionEvent } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import { upcast } from "./upcast.ts";

type Raw = Envelope<string, unknown>;

function raw(type: string, v: number, data: unknown, critical?: true): Raw {
  return { v, seq: 2, id: "e2", ts: 7, type, ...(critical ? { critical } : {}), data };
}

const types = { "cwd.changed": { v: 3 } };
const steps = {
  "cwd.changed": {
    1: (data: unknown) => ({ dir: (data as { d: string }).d }),
    2: (data: unknown) => ({ cwd: `${(data as { dir: string }).dir}/` }),
  },
};

describe("upcast", () => {
  it("brings each old version up to date, step by step", () => {
    const now = { v: 3, seq: 2, id: "e2", ts: 7, type: "cwd.changed", data: { cwd: "/a/" } };
    const old = raw("cwd.changed", 1, { d: "/a" });
    expect(upcast(old, "0.1.0", types, steps)).toEqual(now);
    expect(upcast(raw("cwd.changed", 2, { dir: "/a" }), "0.1.0", types, steps)).toEqual(now);
    expect(upcast(now, "0.1.0", types, steps)).toBe(now);
    expect(old.data).toEqual({ d: "/a" });
  });

  it.each([0, -1, 1.5])("refuses the version %s, which nobody wrote", (v) => {
    expect(() => upcast(raw("cwd.changed", v, {}), "0.1.0", types, steps)).toThrow(
      expect.objectContaining({ code: "log_corrupt" }),
    );
  });

  it.each([
    raw("budget.changed", 2, {}, true),
    raw("constructor", 2, {}, true),
    raw("todos.changed", 2, { todos: [] }),
    raw("tool.started", 2, {}, true),
  ])("refuses %j with type, version and release", (event) => {
    expect(() => upcast(event, "9.9.9")).toThrow(
      expect.objectContaining({
        code: "log_too_new",
        subject: event.type,
        message: expect.stringMatching(
          new RegExp(`"${event.type}" version 2 \\(event 2\\).*release 9\\.9\\.9`),
        ),
      }),
    );
  });

  it.each(["weather.changed", "__proto__", "toString"])(
    "skips %s, which is unknown and not critical",
    (type) => {
      expect(upcast(raw(type, 5, {}))).toBeUndefined();
    },
  );
});

describe("a log of a later release", () => {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/work", release: "3.0.0" });

  it("folds over unknown events that are not critical", () => {
    const unknown = raw("weather.changed", 1, { rain: true }) as SessionEvent;
    const after = { ...raw("cwd.changed", 1, { cwd: "/x" }), seq: 3 } as SessionEvent;
    expect(fold([...log.events, unknown, after])).toMatchObject({ lastSeq: 3, shellCwd: "/x" });
    expect(fold([...log.events, unknown]).lastSeq).toBe(2);
  });

  it("is refused where an event is critical, also in its first line", () => {
    const critical = raw("vault.opened", 1, {}, true) as SessionEvent;
    const failure = { code: "log_too_new", message: expect.stringContaining("release 3.0.0") };
    expect(() => fold([...log.events, critical])).toThrow(expect.objectContaining(failure));
    expect(() => fold([{ ...(log.events[0] as SessionEvent), v: 2 }])).toThrow(
      expect.objectContaining(failure),
    );
  });
});
