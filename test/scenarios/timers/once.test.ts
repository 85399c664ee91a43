import { createHost, nodePlatform, type SessionEvent } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock, faultyStore, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../../packages/sdk/src/sessions/index.ts";
import { scratch } from "../../kit/session.ts";
import { call, HOUR, MINUTE, MONDAY, TIMER_TOOLS, timed } from "../../kit/timed.ts";

const DUE = /(timer_\w+), due at (\S+ \S+) UTC/;

/** Each message of a timer that a session ever heard: which, and when it was due. */
async function firings(store: ReturnType<typeof memoryStore>, sessionId: string): Promise<string[]> {
  return (await store.read(sessionId)).flatMap(({ type, data }) => {
    if (type !== "user.message" || data.timerId === undefined) return [];
    const [, id, at] = DUE.exec(JSON.stringify(data.message)) ?? [];
    expect(id).toBe(data.timerId);
    return [`${id} ${at}`];
  });
}

function timerOf(events: readonly SessionEvent[]): string {
  return events.flatMap(({ type, data }) => (type === "timer.set" ? [data.timerId] : []))[0] ?? "";
}

describe("a crash", () => {
  it("at any event loses no firing and makes none twice", async () => {
    const clock = fakeClock(MONDAY);
    const whole = memoryStore({ clock });
    const host = createHost({ store: whole, platform: { clock } });
    const steps = [
      {
        toolCalls: [
          { name: "ScheduleWakeup", input: { seconds: 60, prompt: "once" } },
          { name: "CronCreate", input: { cron: "0 * * * *", prompt: "often", timezone: "UTC" } },
        ],
      },
      "set",
    ];
    const { sessionId } = await timed(host, steps);
    clock.advance(90 * MINUTE);
    await timed(host, ["heard"], { resume: sessionId }, "");
    await host.close();
    const events = await whole.read(sessionId);
    const begun = events.findIndex(({ type }) => type === "timer.fired");
    expect(await firings(whole, sessionId)).toHaveLength(2);
    for (let cut = begun - 1; cut <= events.length; cut += 1) {
      const store = memoryStore({ clock });
      await store.append([
        { sessionId, project: "/p", expectedSeq: 0, batchId: `b${cut}`, events: events.slice(0, cut) },
      ]);
      const after = createHost({ store, platform: { clock } });
      const steps = Array(4).fill("on");
      await timed(after, steps, { resume: sessionId }, "go on");
      await after.close();
      const found = await firings(store, sessionId);
      expect(found, `cut behind event ${cut}`).toHaveLength(2);
      expect(new Set(found).size).toBe(2);
      expect((await store.wakes.list(sessionId)).map(({ at }) => at)).toEqual([MONDAY + 2 * HOUR]);
    }
  });

  it("before the message of a timer is written finds its wake in the store", async () => {
    const clock = fakeClock(MONDAY);
    const kept = memoryStore({ clock });
    const wakesAtMessage: number[] = [];
    const store = {
      ...kept,
      async append(batches: Parameters<typeof kept.append>[0]) {
        const events = batches.flatMap((batch) => batch.events);
        if (events.some(({ type, data }) => type === "user.message" && data.timerId !== undefined)) {
          // Whatever the session does meanwhile: nothing of it is in the log.
          for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
          wakesAtMessage.push((await kept.wakes.list(batches[0]?.sessionId ?? "")).length);
        }
        return kept.append(batches);
      },
    };
    const host = createHost({ store, platform: { clock } });
    const wake = call("ScheduleWakeup", { seconds: 60, prompt: "once" });
    const { sessionId } = await timed(host, [wake, "set"]);
    clock.advance(HOUR);
    await timed(host, ["heard"], { resume: sessionId }, "");
    await host.close();
    expect(wakesAtMessage).toEqual([1]);
    expect(await kept.wakes.list(sessionId)).toEqual([]);
  });

  it("behind a Sleep that is over, in the middle of its round, leaves nothing of it", async () => {
    const clock = fakeClock(MONDAY);
    const whole = memoryStore({ clock });
    const host = createHost({
      store: whole,
      platform: { clock: { ...nodePlatform().clock, now: clock.now } },
    });
    const step = {
      toolCalls: [
        { name: "Sleep", input: { seconds: 1 } },
        { name: "CronList", input: {} },
      ],
    };
    const { sessionId } = await timed(host, [step, "rested"]);
    await host.close();
    const events = await whole.read(sessionId);
    const cut = events.findIndex(({ type, data }) => type === "tool.finished" && data.name === "Sleep") + 1;
    const store = memoryStore({ clock });
    await store.append([
      { sessionId, project: "/p", expectedSeq: 0, batchId: "b", events: events.slice(0, cut) },
    ]);
    await store.wakes.put({ id: timerOf(events), sessionId, at: MONDAY, kind: "timer", data: {} });
    const after = createHost({ store, platform: { clock } });
    await timed(after, ["rested"], { resume: sessionId }, "");
    await after.close();
    expect((await store.read(sessionId)).filter(({ type }) => type === "timer.cleared")).toEqual([]);
    expect(await store.wakes.list(sessionId)).toEqual([]);
  });

  it("of a store that keeps no timer is told to the model, and nothing is set", async () => {
    const clock = fakeClock(MONDAY);
    const store = memoryStore({ clock });
    const broken = {
      ...store,
      wakes: { ...store.wakes, put: () => Promise.reject(new Error("disk full")) },
    };
    const host = createHost({ store: broken, platform: { clock } });
    const { messages, result } = await timed(host, [
      call("ScheduleWakeup", { seconds: 9, prompt: "p" }),
      "so",
    ]);
    expect(JSON.stringify(messages)).toContain("It was not set: the store could not keep it (disk full).");
    expect(result).toMatchObject({ result: "so" });
    const { sessionId } = await timed(host, [call("CronList"), "end"], { resume: result.session_id });
    expect(JSON.stringify(await store.read(sessionId))).toContain("No wake-up is set.");
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "of a store whose calls fail, are repeated or lose their answer (%i)",
    async (seed) => {
      const wall = fakeClock(MONDAY);
      const clock = { ...nodePlatform().clock, now: wall.now };
      const kept = memoryStore({ clock });
      const store = faultyStore(kept, {
        seed,
        shares: { "lost-reply": 0.1, duplicate: 0.1, "lost-request": 0.1 },
      });
      const set = {
        toolCalls: [
          { name: "ScheduleWakeup", input: { seconds: 60, prompt: "once" } },
          { name: "CronCreate", input: { cron: "0 * * * *", prompt: "often", timezone: "UTC" } },
        ],
      };
      const sessionId = "0199a0b0-0000-7000-8000-0000000000d1";
      const go = async (steps: readonly ScriptStep[]): Promise<void> => {
        const host = createHost({ store, platform: { clock } });
        const isThere = (await kept.read(sessionId)).length > 0;
        await timed(host, steps, isThere ? { resume: sessionId } : { sessionId }).catch(() => {});
        await host.close();
      };
      const timersSet = async (): Promise<number> =>
        (await kept.read(sessionId)).filter(({ type }) => type === "timer.set").length;
      // The very first call may fail already.
      for (let i = 0; i < 20 && (await timersSet()) < 2; i += 1) await go([set, "set", "set"]);
      for (let hour = 0; hour < 3; hour += 1) {
        wall.advance(HOUR);
        await go(["on", "on"]);
      }
      await store.faults.heal();
      await go(["end", "end"]);
      const events = await kept.read(sessionId);
      const asked = events.flatMap(({ type, data }) => (type === "timer.set" ? [data.timerId] : []));
      const gone = events.flatMap(({ type, data }) => (type === "timer.cleared" ? [data.timerId] : []));
      expect(asked.length).toBeGreaterThan(1);
      const found = await firings(kept, sessionId);
      expect(new Set(found).size).toBe(found.length);
      for (const id of asked.filter((each) => !gone.includes(each)))
        expect(found.filter((line) => line.startsWith(id)).length).toBeGreaterThan(0);
      // The store comes to hold what the log says.
      const wakes = (await kept.wakes.list(sessionId)).map(({ id, at }) => `${id} ${at}`);
      const pending = [...fold(events).timers].map(([id, { at }]) => `${id} ${at}`);
      expect(wakes.sort()).toEqual(pending.sort());
      expect([...fold(events).timers.values()].every(({ at }) => at > wall.now())).toBe(true);
    },
  );
});

type Step =
  | { readonly kind: "wakeup"; readonly minutes: number }
  | { readonly kind: "cron"; readonly every: number }
  | { readonly kind: "clear"; readonly which: number }
  | { readonly kind: "pass"; readonly minutes: number }
  | { readonly kind: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("wakeup" as const), minutes: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ kind: fc.constant("cron" as const), every: fc.constantFrom(5, 15, 20, 30) }),
  fc.record({ kind: fc.constant("clear" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("pass" as const), minutes: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant("restart" as const) }),
);

interface Expected {
  readonly id: string;
  at: number;
  readonly every?: number;
}

describe("any sequence of setting, deleting, waiting and restarts", () => {
  it("fires each due time once, in order, and missed ones of a cron together", async () => {
    const runs = Math.min(Number(process.env.CASTELLAN_RUNS ?? 200), 60);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const clock = fakeClock(MONDAY);
        const store = memoryStore({ clock });
        const cwd = scratch();
        let host = createHost({ store, platform: { clock } });
        let sessionId: string | undefined;
        let set: Expected[] = [];
        const want: string[] = [];

        /** A turn of the session; what was due before it is heard in it. */
        const turn = async (...calls: { name: string; input: object }[]): Promise<void> => {
          const model = scriptedModel([
            ...(calls.length === 0 ? [] : [{ toolCalls: calls as never }]),
            "end",
            "end",
          ]);
          const options = { model, tools: TIMER_TOOLS, allowedTools: TIMER_TOOLS, cwd };
          const own = sessionId === undefined ? options : { ...options, resume: sessionId };
          for await (const message of host.query({ prompt: "go", options: own }))
            sessionId = message.session_id;
        };
        /** What the model of this test says is due by now. */
        const pass = (): void => {
          const now = clock.now();
          const due = set.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
          for (const timer of due) {
            want.push(`${timer.id} ${new Date(timer.at).toISOString().slice(0, 19).replace("T", " ")}`);
            if (timer.every !== undefined)
              timer.at = (Math.floor(now / MINUTE / timer.every) + 1) * timer.every * MINUTE;
          }
          set = set.filter(({ at, every }) => every !== undefined || at > now);
        };
        const lastSet = async (): Promise<string> => {
          const events = await store.read(sessionId ?? "");
          const last = events.findLast(({ type }) => type === "timer.set");
          return last?.type === "timer.set" ? last.data.timerId : "";
        };

        for (const each of steps) {
          if (each.kind === "pass") clock.advance(each.minutes * MINUTE);
          else if (each.kind === "restart") {
            await host.close();
            host = createHost({ store, platform: { clock } });
          } else if (each.kind === "clear") {
            if (sessionId !== undefined) pass();
            const gone = set[each.which % Math.max(1, set.length)];
            await turn({ name: "CronDelete", input: { id: gone?.id ?? "none" } });
            set = set.filter((timer) => timer !== gone);
          } else {
            if (sessionId !== undefined) pass();
            const now = clock.now();
            if (each.kind === "wakeup") {
              const input = { seconds: each.minutes * 60, prompt: "p" };
              await turn({ name: "ScheduleWakeup", input });
              set.push({ id: await lastSet(), at: now + each.minutes * MINUTE });
            } else {
              const { every } = each;
              const input = { cron: `*/${every} * * * *`, prompt: "p", timezone: "UTC" };
              await turn({ name: "CronCreate", input });
              const at = (Math.floor(now / MINUTE / every) + 1) * every * MINUTE;
              set.push({ id: await lastSet(), at, every });
            }
          }
        }
        pass();
        await turn();
        const found = await firings(store, sessionId ?? "");
        // Timers that were due at the same moment may come in either order.
        const byTime = (lines: readonly string[]) => [...lines].sort();
        expect(byTime(found)).toEqual(byTime(want));
        const wakes = await store.wakes.list(sessionId ?? "");
        expect(wakes.map(({ id, at }) => `${id} ${at}`).sort()).toEqual(
          set.map(({ id, at }) => `${id} ${at}`).sort(),
        );
        await host.close();
      }),
      { numRuns: runs },
    );
  });
});
