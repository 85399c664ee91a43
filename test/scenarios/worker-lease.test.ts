import { createHost, nodePlatform, type SDKUserMessage, tool } from "@castellan/sdk";
import { type AppendBatch, memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said, silence } from "../kit/live.ts";

/** A platform whose time the test moves; `fire` is the renewal that waits. */
function slowTime() {
  const { clock } = nodePlatform();
  let now = 1_000_000;
  let fire: (() => void) | undefined;
  return {
    pass(ms: number): void {
      now += ms;
    },
    renew: async () => {
      fire?.();
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    isArmed: () => fire !== undefined,
    store: () => memoryStore({ clock: { now: () => now } }),
    clock: {
      ...clock,
      now: () => now,
      monotonic: () => now,
      timer(ms: number, then: () => void, idle?: boolean) {
        if (ms !== 10_000) return clock.timer(ms, then, idle);
        expect(idle).toBe(true);
        fire = then;
        return {
          cancel() {
            fire = undefined;
          },
        };
      },
    },
  };
}

describe("the lease of a worker", () => {
  it("is taken with the first session, named by each append, renewed, and given back", async () => {
    const time = slowTime();
    const store = time.store();
    const batches: AppendBatch[] = [];
    const watched = {
      ...store,
      append(all: readonly AppendBatch[]) {
        batches.push(...all);
        return store.append(all);
      },
    };
    const host = createHost({
      store: watched as never,
      worker: { name: "w1" },
      platform: { clock: time.clock },
    });
    expect(time.isArmed()).toBe(false);
    for (let turn = 0; turn < 4; turn += 1) {
      const session = live("go", { model: scriptedModel(["one"]) }, host);
      await session.ended;
      expect(session.results()).toMatchObject([{ result: "one" }]);
      time.pass(20_000);
      await time.renew();
    }
    expect(new Set(batches.map(({ epoch }) => epoch)).size).toBe(1);
    expect(await store.leases.acquire("w1", 1_000)).toBeUndefined();
    await host.close();
    expect(time.isArmed()).toBe(false);
    expect(await store.leases.acquire("w1", 1_000)).toMatchObject({ worker: "w1" });
  });

  it("once it is lost, what runs is stopped, what waits ends, each with a result that says so", async () => {
    const time = slowTime();
    const store = time.store();
    const host = createHost({
      store: store as never,
      worker: { name: "w1" },
      platform: { clock: time.clock },
    });
    const door = gate();
    let reason: unknown;
    const wait = tool(
      ...(["wait", "Waits.", {}] as const),
      (_, { signal }) => {
        void door.wait();
        return new Promise((resolve) => {
          signal.addEventListener(
            "abort",
            () => {
              reason = (signal.reason as { code?: unknown }).code;
              resolve({ content: [{ type: "text", text: "stopped" }] });
            },
            { once: true },
          );
        });
      },
      { riskLevel: "low" },
    );
    const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "never"]);
    const runs = live("go", { model, tools: [wait], allowedTools: ["wait"] }, host);
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield said("a");
      await silence();
    }
    const waits = live(prompts(), { model: scriptedModel(["one"]) }, host);
    await door.reached;
    await waits.until((message) => message.type === "result");
    time.pass(31_000);
    await time.renew();
    expect(await Promise.all([runs.ended, waits.ended])).toEqual([undefined, undefined]);
    expect(reason).toBe("close");
    assertComplete(runs.messages);
    const lost = { subtype: "error_during_execution", terminal_reason: "lease_lost" };
    expect(runs.results()).toMatchObject([lost]);
    expect(waits.results()).toMatchObject([{ result: "one" }, lost]);
    expect(runs.results()[0]?.errors).toEqual([expect.stringMatching(/lease/)]);
    const late = live("go", { model: scriptedModel([]) }, host);
    await late.ended;
    expect(late.results()).toMatchObject([lost]);
    await host.close();
  });

  it("a name that a running worker has is refused, and a store without leases too", async () => {
    const store = memoryStore();
    await store.leases.acquire("w1", 60_000);
    const host = createHost({ store: store as never, worker: { name: "w1" } });
    const session = live("go", { model: scriptedModel([]) }, host);
    await session.ended;
    expect(session.results()).toMatchObject([{ terminal_reason: "session_busy" }]);
    await host.close();
    const { leases: _, ...plain } = store;
    expect(() => createHost({ store: plain as never, worker: { name: "w1" } })).toThrow(/leases/);
    expect(() => createHost({ worker: { name: "" } })).toThrow(/worker/);
    expect(() => createHost({ store, worker: { name: "w", leaseMs: 10 } } as never)).toThrow(/leaseMs/);
  });
});
