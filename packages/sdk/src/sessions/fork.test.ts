import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent, SourcedRule } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { forkEvents } from "./fork.ts";
import { forkedRound } from "./forked-round.ts";
import { createWriterOfLogs, randomLog } from "./random-log.cases.ts";
import { openRound } from "./rounds.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);

function fork(events: readonly SessionEvent[]): SessionEvent[] {
  let ids = 0;
  const parts = { sessionId: "s2", release: "9.9.9", id: () => `f${ids++}`, now: 77 };
  return forkEvents(events, fold(events), parts);
}

describe("a fork", () => {
  it("is the same conversation under another id, wherever the original is cut; the original is untouched", () => {
    fc.assert(
      fc.property(randomLog, fc.nat(), (log, at) => {
        const events = log.slice(0, 2 + (at % (log.length - 1)));
        const before = JSON.stringify(events);
        const original = fold(events);
        const copied = fork(events);
        expect(JSON.stringify(events)).toBe(before);
        const copy = fold(copied);
        expect(copy.sessionId).toBe("s2");
        expect(copy.messages).toEqual(original.messages);
        expect([copy.mode, copy.prePlanMode, copy.shellCwd]).toEqual([
          original.mode,
          original.prePlanMode,
          original.shellCwd,
        ]);
        expect(copy.total).toEqual(original.total);
        expect(copied.map(({ seq }) => seq)).toEqual(copied.map((_, i) => i + 1));
        expect(copied[0]).toMatchObject({
          ts: 77,
          data: { release: "9.9.9", parent: { sessionId: "s1", seq: events.length } },
        });
        // Every call that was open has its one result, and none is left to run.
        const closing = createWriterOfLogs();
        for (const result of forkedRound(copy)) closing.add("tool.finished", result);
        const closed = closing.events.map((event, i) => ({ ...event, seq: copy.lastSeq + 1 + i }));
        expect(openRound(fold(closed, copy))).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps what forbids or asks and drops what was granted", () => {
    const rule = (text: string, behavior: "allow" | "deny" | "ask") =>
      ({ text, behavior, source: "session" }) as unknown as SourcedRule;
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    log.add("session.configured", {
      ...{ model: "m", mode: "plan", tools: [], rules: [] },
      additionalDirectories: [["/given", "cliArg"]],
    });
    log.add("rules.changed", {
      rules: [rule("A", "allow"), rule("D", "deny"), rule("Q", "ask")],
      removed: [rule("gone-deny", "deny"), rule("gone-allow", "allow")],
      additionalDirectories: [
        ["/given", "cliArg"],
        ["/later", "cliArg"],
        ["/granted", "session"],
      ],
      by: "callback",
    });
    const copy = fold(fork(log.events));
    expect(copy.sessionRules.map(({ text }) => text)).toEqual(["D", "Q"]);
    expect(copy.removedRules.map(({ text }) => text)).toEqual(["gone-allow"]);
    expect(copy.additionalDirectories).toEqual([["/given", "cliArg"]]);
    expect(copy.mode).toBe("plan");
  });

  it("adds nothing where nothing was granted", () => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0", title: "T" });
    const copied = fork(log.events);
    expect(copied).toHaveLength(1);
    expect(copied[0]?.data).toMatchObject({ sessionId: "s2", title: "T" });
  });
});
