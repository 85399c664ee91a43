import { afterEach, describe, expect, it } from "vitest";
import {
  call,
  DAY,
  HOUR,
  MINUTE,
  MONDAY,
  passUntil,
  STORE_KINDS,
  type TimedWorld,
  timed,
  timedWorld,
} from "../../kit/timed.ts";

let world: TimedWorld | undefined;
afterEach(() => world?.end());

describe.each(STORE_KINDS)("over a %s store", (kind) => {
  it("a wake-up that came due while nothing ran is told once, and is late", async () => {
    world = timedWorld(kind);
    const host = await world.restart();
    const set = call("ScheduleWakeup", { seconds: 600, prompt: "Look at the build." });
    const { sessionId, result } = await timed(host, [set, "set"]);
    expect(result).toMatchObject({ result: "set" });
    expect(await world.wakes()).toMatchObject([{ sessionId, at: MONDAY + 10 * MINUTE }]);

    world.clock.advance(3 * HOUR);
    const later = await timed(await world.restart(), ["looked"], { resume: sessionId }, "");
    expect(later.result).toMatchObject({ result: "looked", woken: true });
    expect(later.told).toHaveLength(1);
    expect(later.told[0]).toMatch(
      /wake-up timer_\w+, due at 2026-11-30 09:10:00 UTC\. It comes 2 h 50 min late\.\]/,
    );
    expect(await world.wakes()).toEqual([]);

    const again = await timed(await world.restart(), [], { resume: sessionId }, "");
    expect(again.result).toMatchObject({ terminal_reason: "invalid_option" });
  });

  it("a cron that was missed comes once, and then at its next time from now on", async () => {
    world = timedWorld(kind);
    const set = call("CronCreate", { cron: "0 * * * *", prompt: "Count.", timezone: "Europe/Berlin" });
    const { sessionId } = await timed(await world.restart(), [set, "set"]);
    expect(await world.wakes()).toMatchObject([{ at: MONDAY + HOUR }]);

    world.clock.advance(5 * HOUR + 20 * MINUTE);
    const later = await timed(await world.restart(), ["counted"], { resume: sessionId }, "");
    expect(later.told).toHaveLength(1);
    expect(later.told[0]).toMatch(
      /cron 0 \* \* \* \*, Europe\/Berlin; timer_\w+, due at 2026-11-30 10:00:00 UTC\. It comes 4 h 20 min late\. What else it missed .* It comes again at 2026-11-30 15:00:00 UTC\.\]\n\nCount\.$/,
    );
    expect(await world.wakes()).toMatchObject([{ at: MONDAY + 6 * HOUR }]);

    const listed = await timed(await world.restart(), [call("CronList"), "end"], { resume: sessionId });
    expect(JSON.stringify(listed.messages)).toMatch(
      /timer_\w+ next at 2026-11-30 15:00:00 UTC \(cron 0 \* \* \* \*, Europe\/Berlin\): Count\./,
    );
    expect(listed.told).toHaveLength(1);
  });

  it("a Sleep that was cut off by the end of its session rests until the same moment, and asks nobody again", async () => {
    world = timedWorld(kind);
    const { clock } = world;
    const host = await world.restart();
    const asked: string[] = [];
    const canUseTool = async (name: string) => {
      asked.push(name);
      return { behavior: "allow" } as const;
    };
    const running = timed(host, [call("Sleep", { seconds: 3600 })], { allowedTools: [], canUseTool });
    await passUntil(clock, 0, () => asked.length > 0);
    while ((await world.wakes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(10 * MINUTE);
    await host.close();
    const { sessionId, result } = await running;
    expect(result).toMatchObject({ terminal_reason: "closed" });

    const next = await world.restart();
    expect(await world.wakes()).toMatchObject([{ sessionId, at: MONDAY + HOUR }]);
    const going = timed(next, ["done"], { resume: sessionId, allowedTools: [], canUseTool }, "");
    let over = false;
    void going.finally(() => {
      over = true;
    });
    clock.advance(49 * MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(over).toBe(false);
    clock.advance(MINUTE);
    const { result: last, messages } = await going;
    expect(last).toMatchObject({ result: "done" });
    expect(JSON.stringify(messages)).toContain("Slept for 1 h.");
    expect(asked).toEqual(["Sleep"]);
    expect(await world.wakes()).toEqual([]);
  });

  it("a host wakes what is due and leaves alone what is not", async () => {
    world = timedWorld(kind);
    const host = await world.restart();
    const wake = (seconds: number, prompt: string) => call("ScheduleWakeup", { seconds, prompt });
    const first = await timed(host, [wake(60, "one"), "set"]);
    const second = await timed(host, [wake(120, "two"), "set"]);
    const third = await timed(host, [wake(2 * 86_400, "three"), "set"]);
    world.clock.advance(DAY);
    const { scriptedModel } = await import("@castellan/sdk/testing");
    const woken: string[] = [];
    const results: unknown[] = [];
    const errors: unknown[] = [];
    const other = await world.restart();
    await other.wakes.run({
      once: true,
      concurrency: 1,
      options: (sessionId) => ({ model: scriptedModel([`told ${woken.length}`]), title: sessionId }),
      async onSession(query, sessionId) {
        woken.push(sessionId);
        for await (const message of query) if (message.type === "result") results.push(message.subtype);
      },
      onError: (error) => errors.push(error),
    });
    expect(errors).toEqual([]);
    expect(woken).toEqual([first.sessionId, second.sessionId]);
    expect(results).toEqual(["success", "success"]);
    expect(await other.wakes.list()).toEqual(await other.wakes.list({ sessionId: third.sessionId }));
    await other.wakes.run({ once: true, onSession: () => void woken.push("again") });
    expect(woken).toHaveLength(2);
  });

  it("deleting a session takes its timers along, and a copy of it has none", async () => {
    world = timedWorld(kind);
    const host = await world.restart();
    const { sessionId } = await timed(host, [call("CronCreate", { cron: "* * * * *", prompt: "p" }), "set"]);
    const copy = await host.sessions.fork(sessionId);
    const running = await timed(host, [call("CronList"), "copied"], { resume: sessionId, forkSession: true });
    expect(JSON.stringify(running.messages)).toContain("No wake-up is set.");
    const lines: string[] = [];
    for await (const line of host.sessions.export(sessionId)) lines.push(line);
    const imported = await host.sessions.import(lines);
    expect(await world.wakes()).toMatchObject([{ sessionId }]);
    world.clock.advance(DAY);
    for (const id of [copy.sessionId, imported.sessionId, running.sessionId]) {
      expect((await timed(host, [], { resume: id }, "")).result.terminal_reason).toBe("invalid_option");
    }
    expect(await host.sessions.delete(sessionId)).toBe(true);
    expect(await world.wakes()).toEqual([]);
  });
});
