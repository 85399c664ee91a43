import { createHost } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { call, HOUR, MINUTE, MONDAY, passUntil, timed } from "../../kit/timed.ts";

const hourly = call("CronCreate", { cron: "0 * * * *", prompt: "look", timezone: "UTC" });

/** A host with one session whose cron comes at each full hour. */
async function withCron() {
  const clock = fakeClock(MONDAY);
  const store = memoryStore({ clock });
  const host = createHost({ store, platform: { clock } });
  const { sessionId } = await timed(host, [hourly, "set"]);
  return { clock, store, host, sessionId };
}

describe("whoever wakes sessions", () => {
  it.each(["no session is due", "one is due and left alone"])("ends with its host: %s", async (which) => {
    const { clock, host } = await withCron();
    if (which !== "no session is due") clock.advance(HOUR);
    let end = "";
    const running = host.wakes.run({ options: () => undefined }).then(
      () => "over",
      (error: { readonly code?: string }) => error.code,
    );
    void running.then((how) => {
      end = how ?? "";
    });
    await passUntil(clock, 0, () => clock.pending > 0);
    await host.close();
    await passUntil(clock, 1_000, () => end !== "");
    expect(end).toBe("query_closed");
    expect(clock.pending).toBe(0);
  });

  it("waits longer for a session that is not to be woken, and begins anew when it has been heard", async () => {
    const { clock, host, sessionId } = await withCron();
    const tries: number[] = [];
    const stop = new AbortController();
    const options = () => {
      tries.push(clock.now());
      return undefined;
    };
    const running = host.wakes.run({ options, signal: stop.signal });
    clock.advance(HOUR);
    await passUntil(clock, 1_000, () => tries.length === 8);
    const gaps = tries.slice(1).map((at, i) => at - (tries[i] ?? 0));
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    expect(gaps.at(-1)).toBeGreaterThan(MINUTE);
    await timed(host, ["heard"], { resume: sessionId });
    await passUntil(clock, MINUTE, () => tries.length === 10);
    stop.abort();
    await running;
    expect((tries[8] ?? 0) - MONDAY).toBeGreaterThanOrEqual(2 * HOUR);
    expect((tries[9] ?? 0) - (tries[8] ?? 0)).toBeLessThanOrEqual(MINUTE);
  });

  it("brings the store to what the log says where a process ended in between, and opens no session for it", async () => {
    const { clock, store, host, sessionId } = await withCron();
    const [own] = await store.wakes.list(sessionId);
    if (own === undefined) throw new Error("no wake");
    // As if the cron had just been heard, and another one deleted.
    await store.wakes.put({ ...own, at: MONDAY - HOUR });
    await store.wakes.put({ ...own, id: "timer_gone", at: MONDAY - HOUR });
    const opened: string[] = [];
    await host.wakes.run({ once: true, onSession: (_, id) => void opened.push(id) });
    expect(opened).toEqual([]);
    expect(await store.wakes.list(sessionId)).toEqual([own]);
    expect(clock.now()).toBe(MONDAY);
  });

  it("beside another one tells of no error where that one was faster", async () => {
    const clock = fakeClock(MONDAY);
    const store = memoryStore({ clock });
    const hosts = [1, 2, 3].map(() => createHost({ store, platform: { clock } }));
    const [first] = hosts;
    if (first === undefined) throw new Error("no host");
    for (let i = 0; i < 6; i += 1)
      await timed(first, [call("ScheduleWakeup", { seconds: 60, prompt: "p" }), "set"]);
    clock.advance(HOUR);
    const errors: unknown[] = [];
    const woken: string[] = [];
    const subtypes: unknown[] = [];
    const run = (host: (typeof hosts)[number]) =>
      host.wakes.run({
        once: true,
        options: () => ({ model: scriptedModel(["on"]) }),
        onError: (error) => errors.push(error),
        async onSession(query, sessionId) {
          for await (const message of query) {
            if (message.type !== "result") continue;
            subtypes.push(message.terminal_reason);
            if (message.subtype === "success") woken.push(sessionId);
          }
        },
      });
    await Promise.all(hosts.map(run));
    expect(errors).toEqual([]);
    expect(new Set(woken).size).toBe(6);
    expect(woken).toHaveLength(6);
    expect(await store.wakes.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    expect(subtypes).toEqual(Array(6).fill("completed"));
  });
});
