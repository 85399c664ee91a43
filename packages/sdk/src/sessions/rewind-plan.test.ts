import { describe, expect, it } from "vitest";
import type { EventData, SessionEvent, SessionEventType } from "../protocol/index.ts";
import { rewindPlan } from "./rewind-plan.ts";

function log(...entries: readonly [SessionEventType, unknown, string?][]): SessionEvent[] {
  return entries.map(([type, data, id], i) => {
    return { v: 1, seq: i + 1, id: id ?? `e${i}`, ts: 0, type, data } as unknown as SessionEvent;
  });
}

const said = (id: string, more = {}): [SessionEventType, unknown, string] => [
  "user.message",
  { message: { role: "user", parts: [], ...more } },
  id,
];
const kept = (...files: EventData<"file.checkpointed">["files"]): [SessionEventType, unknown] => [
  "file.checkpointed",
  { messageId: "", files },
];
const file = (hash: string) => ({ kind: "file", hash, size: 1 }) as const;
const missing = { kind: "missing" } as const;

describe("rewindPlan", () => {
  const events = log(
    said("m1", { uuid: "mine" }),
    kept({ path: "/a", before: file("0"), after: file("1") }),
    said("m2"),
    kept({ path: "/a", before: file("1"), after: file("2") }, { path: "/b", before: missing }),
    kept({ path: "/b", after: file("b") }),
    said("m3"),
    kept({ path: "/a", before: file("2") }),
  );

  it("takes the first baseline since the message, and the last state that is known", () => {
    expect(rewindPlan(events, "m1")).toEqual({
      ok: true,
      entries: [
        { path: "/a", target: file("0"), untouched: file("2") },
        { path: "/b", target: missing, last: file("b") },
      ],
    });
    expect(rewindPlan(events, "m2")).toMatchObject({ entries: [{ target: file("1") }, { target: missing }] });
    expect(rewindPlan(events.slice(0, 6), "m2")).toMatchObject({
      entries: [{ last: file("2"), untouched: file("1") }, {}],
    });
    expect(rewindPlan(events, "m3")).toEqual({
      ok: true,
      entries: [{ path: "/a", target: file("2"), untouched: file("2") }],
    });
  });

  it("finds a message by the name that the program gave it, and none of ours", () => {
    expect(rewindPlan(events, "mine")).toEqual(rewindPlan(events, "m1"));
    expect(rewindPlan(events, "e1")).toEqual({ ok: false, why: "no_message" });
    const ours = log(["user.message", { message: { role: "user", parts: [] }, synthetic: true }, "s"]);
    expect(rewindPlan(ours, "s")).toEqual({ ok: false, why: "no_message" });
    expect(rewindPlan(log(said("m1")), "m1")).toEqual({ ok: false, why: "no_checkpoints" });
  });

  it("leaves out what a call had begun to change before the message", () => {
    const running = log(
      said("m1"),
      kept({ path: "/a", before: file("0") }),
      said("m2"),
      kept({ path: "/a", after: file("1") }),
    );
    expect(rewindPlan(running, "m2")).toEqual({ ok: true, entries: [] });
    expect(rewindPlan(running, "m1")).toEqual({
      ok: true,
      entries: [{ path: "/a", target: file("0"), last: file("1") }],
    });
  });
});
