import {
  type Client,
  createHost,
  type Options,
  type SDKMessage,
  type SDKResultMessage,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock, type ScriptStep, scriptedModel } from "@castellan/sdk/testing";
import { afterEach, describe, expect, it } from "vitest";
import { scratch } from "../../kit/session.ts";
import { call, DAY, HOUR, MINUTE, MONDAY, passUntil, TIMER_TOOLS, timed, toldBy } from "../../kit/timed.ts";

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A session that stays open, over a clock that the test moves. */
function open(steps: readonly ScriptStep[], options: Options = {}) {
  const clock = fakeClock(MONDAY);
  const store = memoryStore();
  const host = createHost({ store, platform: { clock } });
  const model = scriptedModel(steps);
  const own = { model, cwd: scratch(), tools: TIMER_TOOLS, allowedTools: TIMER_TOOLS };
  const client = host.client({ ...own, ...options });
  clients.push(client);
  const messages: SDKMessage[] = [];
  void (async () => {
    for await (const message of client.receiveMessages()) messages.push(message);
  })();
  const results = (): SDKResultMessage[] => messages.filter((each) => each.type === "result");
  const has = (subtype: string) => () =>
    messages.some((each) => "subtype" in each && each.subtype === subtype);
  return { clock, store, host, model, client, messages, results, has };
}

const textOf = (messages: readonly SDKMessage[]): string => JSON.stringify(messages);

describe("Sleep in a session that is open", () => {
  it("ends at once with an interrupt, and nothing of it is left", async () => {
    const s = open([call("Sleep", { seconds: 3600 }), "next"]);
    await s.client.query("go");
    await passUntil(s.clock, 0, s.has("timer_set"));
    s.clock.advance(MINUTE);
    expect(await s.client.interrupt()).toMatchObject({ stopped: true });
    await passUntil(s.clock, 0, () => s.results().length === 1);
    expect(s.results()[0]).toMatchObject({ terminal_reason: "interrupted" });
    expect(textOf(s.messages)).toContain("This call was cancelled: the run was interrupted.");
    expect(s.messages).toContainEqual(
      expect.objectContaining({ subtype: "timer_cleared", reason: "stopped" }),
    );
    await s.client.query("and?");
    await passUntil(s.clock, 0, () => s.results().length === 2);
    expect(s.results()[1]).toMatchObject({ result: "next" });
    expect(await s.store.wakes.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it.each([
    ["now", 2, "a new message came"],
    ["next", 1, "and woke 59 min before the end: there is something to hear."],
  ] as const)("makes room for a message of priority %s", async (priority, results, text) => {
    const s = open([call("Sleep", { seconds: 3600 }), "heard"]);
    await s.client.query("go");
    await passUntil(s.clock, 0, s.has("timer_set"));
    s.clock.advance(MINUTE);
    await s.client.query({ type: "user", message: { role: "user", content: "Wait!" }, priority });
    await passUntil(s.clock, 0, () => s.results().length === results);
    expect(s.results().at(-1)).toMatchObject({ result: "heard" });
    expect(textOf(s.messages)).toContain(text);
    expect(s.clock.now()).toBe(MONDAY + MINUTE);
  });

  it("ends early for a wake-up that is due, which is heard in the same turn", async () => {
    const wake = call("ScheduleWakeup", { seconds: 60, prompt: "The kettle." });
    const s = open([wake, call("Sleep", { seconds: 3600 }), "tea"], { maxTurns: 3 });
    await s.client.query("go");
    await passUntil(s.clock, 10_000, () => s.results().length === 1);
    expect(s.results()).toMatchObject([{ result: "tea", num_turns: 3 }]);
    expect(s.results()[0]).not.toHaveProperty("woken");
    expect(textOf(s.messages)).toMatch(/Slept for 1 min( \d+ s)?, and woke 5\d min/);
    expect(toldBy(s.model)).toHaveLength(1);
  });

  it("rests for longer than a clock of Node can count", async () => {
    const s = open([call("ScheduleWakeup", { seconds: (40 * DAY) / 1000, prompt: "p" }), "set", "heard"]);
    await s.client.query("go");
    await passUntil(s.clock, 0, () => s.results().length === 1);
    s.clock.advance(39 * DAY);
    await passUntil(s.clock, 12 * HOUR, () => s.results().length === 2);
    expect(s.clock.now() - MONDAY).toBeGreaterThanOrEqual(40 * DAY);
  });
});

describe("turns that begin by themselves", () => {
  it("come for each time of a cron, count anew, and end with their own result", async () => {
    const cron = call("CronCreate", { cron: "*/5 * * * *", prompt: "Count.", timezone: "UTC" });
    const s = open([cron, "set", "one", "two", "three", "four"], { maxTurns: 2 });
    await s.client.query("go");
    await passUntil(s.clock, 0, () => s.results().length === 1);
    await passUntil(s.clock, 30_000, () => s.results().length === 4);
    expect(s.results()).toMatchObject([
      { result: "set" },
      { result: "one", woken: true, num_turns: 1 },
      { result: "two", woken: true, num_turns: 1 },
      { result: "three", woken: true, num_turns: 1 },
    ]);
    const due = s.messages.flatMap((each) =>
      each.type === "system" && each.subtype === "timer_fired" ? [(each.due_at - MONDAY) / MINUTE] : [],
    );
    expect(due).toEqual([5, 10, 15]);
    await s.client.close();
    expect(s.clock.pending).toBe(0);
    expect(await s.store.wakes.due(Number.MAX_SAFE_INTEGER, 10)).toMatchObject([
      { at: MONDAY + 20 * MINUTE },
    ]);
  });

  it("are no answer to what a client asks", async () => {
    const clock = fakeClock(MONDAY);
    const host = createHost({ store: memoryStore(), platform: { clock } });
    const wake = call("ScheduleWakeup", { seconds: 60, prompt: "p" });
    const model = scriptedModel([wake, "one", "woken", "two"]);
    const client = host.client({ model, cwd: scratch(), tools: TIMER_TOOLS, allowedTools: TIMER_TOOLS });
    clients.push(client);
    const answer = async (prompt: string): Promise<(string | undefined)[]> => {
      await client.query(prompt);
      const results: (string | undefined)[] = [];
      for await (const message of client.receiveResponse())
        if (message.type === "result") results.push(message.result);
      return results;
    };
    expect(await answer("first")).toEqual(["one"]);
    await passUntil(clock, MINUTE, () => model.requests.length === 3);
    expect(await answer("second")).toEqual(["woken", "two"]);
  });

  it("wait while calls wait for an approval, and come once that is over", async () => {
    const cron = call("CronCreate", { cron: "* * * * *", prompt: "Count.", timezone: "UTC" });
    const write = { name: "Write", input: { file_path: "made", content: "x" } };
    const s = open([cron, { toolCalls: [write] }, "written", "counted", "more"], {
      tools: [...TIMER_TOOLS, "Write"],
      approvals: { mode: "durable", onPending: "pause" },
    });
    await s.client.query("go");
    await passUntil(s.clock, 0, () => s.results().length === 1);
    expect(s.results()[0]).toMatchObject({ subtype: "paused" });
    s.clock.advance(10 * MINUTE);
    await passUntil(s.clock, 0, () => true);
    expect(s.results()).toHaveLength(1);
    const [pending] = await s.client.pendingApprovals();
    await s.host.approvals.approve(pending?.id ?? "", { by: "ann" });
    await s.client.query("go on");
    await passUntil(s.clock, 0, () => s.results().length === 2);
    expect(s.results()[1]).toMatchObject({ result: "written" });
    expect(toldBy(s.model)).toHaveLength(1);
    expect(toldBy(s.model)[0]).toMatch(/due at 2026-11-30 09:01:00 UTC\. It comes 9 min late/);
  });

  it("go on behind a history that was summed up", async () => {
    const cron = call("CronCreate", { cron: "0 * * * *", prompt: "Count.", timezone: "UTC" });
    const s = open([cron, "x".repeat(20_000), "SUMMARY", "counted"]);
    await s.client.query("go");
    await s.client.query("/compact");
    await passUntil(s.clock, 0, () => s.results().length === 2);
    expect(s.messages).toContainEqual(expect.objectContaining({ subtype: "compact_boundary" }));
    await passUntil(s.clock, 10 * MINUTE, () => s.results().length === 3);
    expect(s.results()[2]).toMatchObject({ result: "counted", woken: true });
    expect(toldBy(s.model)).toHaveLength(1);
  });
});

describe("a clock that is set", () => {
  function jumpy() {
    const plain = fakeClock(MONDAY);
    let shift = 0;
    return {
      plain,
      set: (ms: number) => {
        shift += ms;
      },
      clock: { ...plain, now: () => plain.now() + shift, monotonic: plain.monotonic, timer: plain.timer },
    };
  }

  it.each([
    ["forward", 3 * HOUR, [60, 120, 300]],
    ["back", -3 * HOUR, [60, 120]],
  ] as const)("%s fires nothing twice", async (_, by, due) => {
    const { plain, set, clock } = jumpy();
    const host = createHost({ store: memoryStore(), platform: { clock } });
    const cron = call("CronCreate", { cron: "0 * * * *", prompt: "Count.", timezone: "UTC" });
    const model = scriptedModel([cron, "set", "one", "two", "three"]);
    const client = host.client({ model, cwd: scratch(), tools: TIMER_TOOLS, allowedTools: TIMER_TOOLS });
    clients.push(client);
    const fired: number[] = [];
    void (async () => {
      for await (const each of client.receiveMessages())
        if (each.type === "system" && each.subtype === "timer_fired")
          fired.push((each.due_at - MONDAY) / MINUTE);
    })();
    await client.query("go");
    await passUntil(plain, MINUTE, () => fired.length === 1);
    set(by);
    await passUntil(plain, MINUTE, () => fired.length === 2);
    expect(fired).toEqual(due.slice(0, 2));
    // Back: it comes when the wall shows that time for the first time since it was set to come then.
    if (by < 0) expect(plain.now()).toBeGreaterThanOrEqual(MONDAY + 5 * HOUR - MINUTE);
    else await passUntil(plain, MINUTE, () => fired.length === 3);
    expect(fired).toEqual(due);
    expect(new Set(fired).size).toBe(fired.length);
  });

  it("back does not make a Sleep longer", async () => {
    const { plain, set, clock } = jumpy();
    const host = createHost({ store: memoryStore(), platform: { clock } });
    const going = timed(host, [call("Sleep", { seconds: 120 }), "done"]);
    await passUntil(plain, 0, () => plain.pending > 0);
    set(-5 * HOUR);
    let over = false;
    void going.finally(() => {
      over = true;
    });
    await passUntil(plain, 10_000, () => over);
    expect((await going).result).toMatchObject({ result: "done" });
    expect(plain.now()).toBeLessThan(MONDAY + 5 * MINUTE);
  });
});
