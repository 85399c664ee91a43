import { afterEach, describe, expect, it } from "vitest";
import type { SessionTimer, SessionTimers, SleepEnd, TimerWish } from "../../protocol/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";
import { momentText, spanText, whenText } from "./timer-words.ts";

let kit: Kit | undefined;
afterEach(() => kit?.remove());

/** What a tool asks of its session. */
async function toolsOver(own: Partial<SessionTimers>) {
  const asked: TimerWish[] = [];
  const timers: SessionTimers = {
    list: () => [],
    async set(wish) {
      asked.push(wish);
      return { id: "timer_1", kind: "wakeup", at: 0, prompt: wish.prompt };
    },
    clear: async () => undefined,
    sleep: async () => ({ kind: "over", sleptMs: 0, leftMs: 0 }),
    rests: () => false,
    restsFor: () => false,
    ...own,
  };
  kit = await builtinKit({ timers });
  return { kit, asked };
}

describe("what a timer tool takes", () => {
  it.each([
    ["Sleep", { seconds: 0 }, /seconds/],
    ["Sleep", { seconds: 86_401 }, /seconds.*86400/],
    ["Sleep", { seconds: "long" }, /seconds.*number/],
    ["ScheduleWakeup", { seconds: 40_000_000, prompt: "p" }, /seconds.*31622400/],
    ["ScheduleWakeup", { seconds: 5, prompt: "  " }, /prompt/],
    [
      "CronCreate",
      { cron: "0 0 * * * *", prompt: "p" },
      /cron is .* has 6 fields and must have 5\. There is no field for seconds/,
    ],
    [
      "CronCreate",
      { cron: "0 0 30 2 *", prompt: "p" },
      /cron is "0 0 30 2 \*", which never comes: no year has such a day/,
    ],
    [
      "CronCreate",
      { cron: "0 0 * * *", prompt: "p", timezone: "Berlin" },
      /timezone is "Berlin", which is no zone/,
    ],
    ["CronDelete", { id: "timer_x" }, /There is no wake-up "timer_x"\. None is set\./],
  ])("%s %j is refused with a reason", async (name, input, want) => {
    const { kit, asked } = await toolsOver({});
    const { text, isError } = await kit.call(name, input);
    expect([isError, asked]).toEqual([true, []]);
    expect(text).toMatch(want);
  });

  it("is handed on as it is meant", async () => {
    const { kit, asked } = await toolsOver({});
    await kit.call("ScheduleWakeup", { seconds: 1.5, prompt: "one" });
    await kit.call("CronCreate", { cron: " 0  9 * * 1-5", prompt: "two", timezone: " Europe/Berlin " });
    await kit.call("CronCreate", { cron: "0 9 * * *", prompt: "three" });
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(asked.map(({ when }) => when)).toEqual([
      1500,
      { cron: "0 9 * * 1-5", zone: "Europe/Berlin" },
      { cron: "0 9 * * *", zone: timeZone },
    ]);
  });
});

describe("what a timer tool says", () => {
  const at = Date.parse("2026-12-01T08:00:00Z");
  const cron: SessionTimer = {
    id: "timer_c",
    kind: "cron",
    at,
    cron: "0 9 * * *",
    zone: "Europe/Berlin",
    prompt: "a\nb",
  };
  const rest: SessionTimer = { id: "timer_s", kind: "sleep", at };

  it("lists wake-ups, and a Sleep is none", async () => {
    const { kit } = await toolsOver({ list: () => [rest, cron] });
    expect((await kit.call("CronList", {})).text).toBe(
      "timer_c next at 2026-12-01 08:00:00 UTC (cron 0 9 * * *, Europe/Berlin): a b",
    );
    expect((await kit.call("CronDelete", { id: "x" })).text).toContain("There are timer_c.");
    const none = await toolsOver({ list: () => [rest] });
    expect((await none.kit.call("CronList", {})).text).toBe("No wake-up is set.");
  });

  it("tells what was deleted, and why nothing was set", async () => {
    const { kit } = await toolsOver({
      clear: async (id) => (id === "timer_c" ? cron : undefined),
      set: async () => "Full.",
    });
    expect((await kit.call("CronDelete", { id: " timer_c " })).text).toMatch(
      /^Deleted timer_c, which would have come next at/,
    );
    expect(await kit.call("ScheduleWakeup", { seconds: 5, prompt: "p" })).toMatchObject({
      text: "Full.",
      isError: true,
    });
  });

  it.each<[SleepEnd, string]>([
    [{ kind: "over", sleptMs: 90_000, leftMs: 0 }, "Slept for 1 min 30 s."],
    [
      { kind: "news", sleptMs: 1000, leftMs: 9000 },
      "Slept for 1 s, and woke 9 s before the end: there is something to hear.",
    ],
  ])("%j", async (end, text) => {
    const { kit } = await toolsOver({ sleep: async () => end });
    expect((await kit.call("Sleep", { seconds: 10 })).text).toBe(text);
  });

  it("writes stretches and moments", () => {
    expect([0, 400, 59_999, 3_600_000, 7_500_000, 90_061_000].map(spanText)).toEqual([
      ...["0 s", "0 s", "1 min", "1 h", "2 h 5 min", "1 d 1 h"],
    ]);
    expect(momentText(at)).toBe("2026-12-01 08:00:00 UTC");
    expect(whenText({ ...rest, kind: "wakeup" })).toBe("at 2026-12-01 08:00:00 UTC");
  });
});
