import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PermissionMode, RuleBehavior, SessionEvent, SourcedRule } from "../protocol/index.ts";
import { fold } from "./fold.ts";
import { forkEvents } from "./fork.ts";
import { createWriterOfLogs } from "./random-log.cases.ts";
import type { SessionState } from "./state.ts";

const RUNS = Number(process.env.CASTELLAN_RUNS ?? 200);

const rule: fc.Arbitrary<SourcedRule> = fc.record({
  text: fc.constantFrom("Read", "Bash(git *)", "Write", "Edit(/w/**)"),
  behavior: fc.constantFrom<RuleBehavior>("allow", "deny", "ask"),
  source: fc.constantFrom("session", "cliArg"),
}) as fc.Arbitrary<SourcedRule>;
const rules = fc.uniqueArray(rule, { maxLength: 4, selector: (each) => JSON.stringify(each) });
const mode = fc.constantFrom<PermissionMode>(
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
);
const directories = fc.uniqueArray(fc.constantFrom("/a", "/b", "/c"), { maxLength: 3 });

const step = fc.oneof(
  fc.record({ type: fc.constant("configured" as const), rules, mode, directories }),
  fc.record({ type: fc.constant("rules" as const), rules, removed: rules, directories }),
  fc.record({ type: fc.constant("mode" as const), mode, prePlanMode: mode }),
);

const logs = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => {
  const log = createWriterOfLogs();
  log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
  const given = (paths: readonly string[]) => paths.map((path) => [path, "cliArg"] as const);
  log.add("session.configured", {
    model: "m",
    mode: "default",
    tools: [],
    rules: [],
    additionalDirectories: [],
  });
  for (const each of steps) {
    if (each.type === "configured") {
      const own = each.rules.map((one) => ({ ...one, source: "cliArg" }) as SourcedRule);
      log.add("session.configured", {
        ...{ model: "m", mode: each.mode, tools: [], rules: own },
        additionalDirectories: given(each.directories),
      });
    } else if (each.type === "rules") {
      log.add("rules.changed", {
        ...{ rules: each.rules, removed: each.removed, by: "t" },
        additionalDirectories: given(each.directories),
      });
    } else {
      const pre = each.mode === "plan" ? { prePlanMode: each.prePlanMode } : {};
      log.add("mode.changed", { mode: each.mode, ...pre, by: "t" });
    }
  }
  return log.events;
});

/** What a resume without options would start from, as `startingRules` reads it. */
function inForce({ configured, removedRules, sessionRules }: SessionState): readonly string[] {
  const gone = new Set(removedRules.map((each) => JSON.stringify(each)));
  const kept = (configured?.rules ?? []).filter((each) => !gone.has(JSON.stringify(each)));
  return [...kept, ...sessionRules].map((each) => `${each.behavior} ${each.text}`);
}

const RANK: readonly PermissionMode[] = ["bypassPermissions", "acceptEdits", "default", "dontAsk", "plan"];

function fork(events: readonly SessionEvent[], at: number, keepGrants: boolean) {
  const cut = events.slice(0, at);
  const [state, end] = [fold(cut), fold(events)];
  const parts = { sessionId: "s2", release: "0.1.0", end, keepGrants, id: () => "f", now: 1 };
  return { state, end, copy: fold(forkEvents(cut, state, parts)) };
}

describe("a fork never loosens: what it starts from", () => {
  it("allows nothing that the original did not allow at the cut and at its end, and lifts nothing", () => {
    fc.assert(
      fc.property(logs, fc.nat(), fc.boolean(), (log, at, keepGrants) => {
        const { state, end, copy } = fork(log, 2 + (at % (log.length - 1)), keepGrants);
        for (const original of [state, end]) {
          const [own, theirs] = [inForce(copy), inForce(original)];
          for (const each of own) if (each.startsWith("allow")) expect(theirs).toContain(each);
          for (const each of theirs) if (!each.startsWith("allow")) expect(own).toContain(each);
          const paths = original.additionalDirectories.map(([path]) => path);
          for (const [path] of copy.additionalDirectories) expect(paths).toContain(path);
          expect(RANK.indexOf(copy.mode)).toBeGreaterThanOrEqual(
            // plan and dontAsk are each stricter somewhere: plan is taken where both meet.
            RANK.indexOf(original.mode),
          );
        }
        if (!keepGrants) expect(copy.sessionRules.filter(({ behavior }) => behavior === "allow")).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps the mode that plan mode gives way to as strict", () => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    log.add("mode.changed", { mode: "plan", prePlanMode: "acceptEdits", by: "t" });
    log.add("mode.changed", { mode: "dontAsk", by: "t" });
    const { copy } = fork(log.events, 2, false);
    expect([copy.mode, copy.prePlanMode]).toEqual(["plan", "dontAsk"]);
  });

  it.each(["default", "acceptEdits", "dontAsk"] as const)(
    "keeps a mode of a later release, which denies more than %s",
    (known) => {
      const later = "of-a-later-release" as PermissionMode;
      for (const [first, last] of [
        [known, later],
        [later, known],
      ] as const) {
        const log = createWriterOfLogs();
        log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
        log.add("mode.changed", { mode: first, by: "t" });
        log.add("mode.changed", { mode: last, by: "t" });
        expect(fork(log.events, 2, false).copy.mode).toBe(later);
      }
    },
  );

  it("brings grants along when they are asked for", () => {
    const log = createWriterOfLogs();
    log.add("session.started", { sessionId: "s1", cwd: "/w", release: "0.1.0" });
    const granted = { text: "Write", behavior: "allow", source: "session" } as SourcedRule;
    log.add("rules.changed", { rules: [granted], additionalDirectories: [["/a", "session"]], by: "t" });
    expect(fork(log.events, 2, true).copy.sessionRules).toEqual([granted]);
    expect(fork(log.events, 2, true).copy.additionalDirectories).toEqual([["/a", "session"]]);
    expect(fork(log.events, 2, false).copy.sessionRules).toEqual([]);
  });
});
