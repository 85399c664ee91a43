import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../testing/index.ts";
import { createLimiter, createLimiters, type Limiter, type Ticket } from "./limiter.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const quiet = new AbortController().signal;
const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

function at(limiter: Limiter): Ticket {
  const ticket = limiter.enter(quiet);
  if (ticket instanceof Promise) throw new Error("It had to wait.");
  return ticket;
}

/** As many requests as are let in at once, refused together. */
function refuse(limiter: Limiter, many: number, retryAfterMs?: number): void {
  const tickets = Array.from({ length: many }, () => at(limiter));
  for (const ticket of tickets) limiter.leave(ticket, "throttled", retryAfterMs);
}

describe("a limiter", () => {
  it("lets everybody through at once until the provider refuses", () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    for (let i = 0; i < 1_000; i += 1) at(limiter);
    expect(limiter.now).toEqual({ active: 1_000, waiting: 0, limit: Number.POSITIVE_INFINITY });
    expect(clock.pending).toBe(0);
  });

  it("halves once for a whole wave of refusals, again for the next wave, and never goes below one", () => {
    const limiter = createLimiter(fakeClock());
    refuse(limiter, 500);
    expect(limiter.now).toEqual({ active: 0, waiting: 0, limit: 250 });
    refuse(limiter, 250);
    expect(limiter.now.limit).toBe(125);
    for (let i = 0; i < 20; i += 1) refuse(limiter, 1);
    expect(limiter.now.limit).toBe(1);
  });

  it("halves what ran, not a limit that nobody reached", () => {
    const limiter = createLimiter(fakeClock());
    refuse(limiter, 100);
    refuse(limiter, 10);
    expect(limiter.now.limit).toBe(5);
  });

  it("grows by one for as many good answers as it lets through at once", () => {
    const limiter = createLimiter(fakeClock());
    refuse(limiter, 20);
    for (let i = 0; i < 9; i += 1) limiter.leave(at(limiter), "done");
    expect(limiter.now.limit).toBe(10);
    limiter.leave(at(limiter), "done");
    expect(limiter.now.limit).toBe(11);
    for (let i = 0; i < 30; i += 1) limiter.leave(at(limiter), "failed");
    expect(limiter.now.limit).toBe(11);
  });

  it("forgets the limit when there was no refusal for ten minutes", () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    refuse(limiter, 2);
    clock.advance(600_001);
    limiter.leave(at(limiter), "done");
    expect(limiter.now.limit).toBe(Number.POSITIVE_INFINITY);
  });

  it("lets in who waits in order of arrival, as places come free", async () => {
    const limiter = createLimiter(fakeClock());
    refuse(limiter, 4);
    const [first, second] = [at(limiter), at(limiter)];
    const order: string[] = [];
    const waiting = ["a", "b", "c"].map(async (name) => {
      const ticket = await limiter.enter(quiet);
      order.push(name);
      return ticket;
    });
    await settle();
    expect(order).toEqual([]);
    limiter.leave(first, "failed");
    await settle();
    expect(order).toEqual(["a"]);
    limiter.leave(second, "failed");
    limiter.leave(await (waiting[0] as Promise<Ticket>), "failed");
    await settle();
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("holds everybody back for the longest retry-after, with one timer", async () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    const tickets = Array.from({ length: 10 }, () => at(limiter));
    tickets.forEach((ticket, i) => {
      limiter.leave(ticket, "throttled", 1_000 * (i + 1));
    });
    let entered = 0;
    for (let i = 0; i < 5; i += 1) void Promise.resolve(limiter.enter(quiet)).then(() => (entered += 1));
    await settle();
    expect(clock.pending).toBe(1);
    clock.advance(9_999);
    await settle();
    expect(entered).toBe(0);
    clock.advance(1);
    await settle();
    expect([entered, clock.pending]).toEqual([5, 0]);
  });

  it("holds back for ten minutes at most: a longer retry-after holds nobody, so that each is told at once", async () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    refuse(limiter, 1, 600_000);
    let entered = false;
    void Promise.resolve(limiter.enter(quiet)).then(() => (entered = true));
    clock.advance(599_999);
    await settle();
    expect(entered).toBe(false);
    clock.advance(1);
    await settle();
    expect(entered).toBe(true);
    const gone = createLimiter(fakeClock());
    refuse(gone, 1, 600_001);
    expect(gone.enter(quiet)).not.toBeInstanceOf(Promise);
    expect(gone.now.limit).toBe(1);
  });

  it("lets an aborted one go at once, before and in the queue, and leaves no timer", async () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    refuse(limiter, 1, 60_000);
    const controller = new AbortController();
    const waiting = limiter.enter(controller.signal);
    expect(limiter.now.waiting).toBe(1);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect([limiter.now.waiting, clock.pending]).toEqual([0, 0]);
    await expect(limiter.enter(controller.signal)).rejects.toMatchObject({ code: "aborted" });
    expect(limiter.now.active).toBe(0);
  });

  it("survives a storm: 500 callers, all refused, all served in the end", async () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock);
    let inFlight = 0;
    let most = 0;
    let served = 0;
    let refused = 0;
    /** A provider that takes 40 at once. */
    const provider = async (): Promise<boolean> => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      const takes = inFlight <= 40;
      await new Promise<void>((resolve) => void clock.timer(100, resolve));
      inFlight -= 1;
      return takes;
    };
    const caller = async (): Promise<void> => {
      for (;;) {
        const ticket = await limiter.enter(quiet);
        if (await provider()) {
          limiter.leave(ticket, "done");
          served += 1;
          return;
        }
        refused += 1;
        limiter.leave(ticket, "throttled", 1_000);
      }
    };
    const all = Promise.all(Array.from({ length: 500 }, caller));
    for (let i = 0; served < 500 && i < 1_000; i += 1) {
      await settle();
      clock.advance(100);
    }
    await all;
    expect(served).toBe(500);
    expect(most).toBe(500);
    // Without the limiter each of the waves would be refused nearly whole: some 2,900 refusals.
    expect(refused).toBeLessThan(1_000);
    expect(limiter.now).toMatchObject({ active: 0, waiting: 0 });
    expect(clock.pending).toBe(0);
  });

  it("never lets more in than the limit, counts right, and leaves nobody behind", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("enter" as const) }),
      fc.record({ do: fc.constant("abort" as const), which: fc.nat(30) }),
      fc.record({
        do: fc.constant("leave" as const),
        which: fc.nat(30),
        how: fc.constantFrom("done", "throttled", "failed"),
        after: fc.constantFrom(undefined, 50, 500),
      }),
      fc.record({ do: fc.constant("wait" as const), ms: fc.nat(300) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = fakeClock();
        const limiter = createLimiter(clock);
        const held: Ticket[] = [];
        const queued: AbortController[] = [];
        let aborted = 0;
        for (const each of steps) {
          const before = limiter.now;
          if (each.do === "enter") {
            const controller = new AbortController();
            const ticket = limiter.enter(controller.signal);
            if (ticket instanceof Promise) {
              queued.push(controller);
              ticket.then(
                (late) => {
                  queued.splice(queued.indexOf(controller), 1);
                  held.push(late);
                },
                () => (aborted += 1),
              );
            } else {
              expect(before.active).toBeLessThan(before.limit);
              held.push(ticket);
            }
          } else if (each.do === "abort") {
            queued.splice(each.which, 1)[0]?.abort();
          } else if (each.do === "leave") {
            const [ticket] = held.splice(each.which, 1);
            if (ticket !== undefined) limiter.leave(ticket, each.how as "done", each.after);
          } else clock.advance(each.ms);
          await settle();
          expect(limiter.now.active).toBe(held.length);
          expect(limiter.now.waiting).toBe(queued.length);
        }
        for (let i = 0; held.length + queued.length > 0 && i < 200; i += 1) {
          for (const ticket of held.splice(0)) limiter.leave(ticket, "done");
          clock.advance(600_000);
          await settle();
        }
        expect(limiter.now).toMatchObject({ active: 0, waiting: 0 });
      }),
      { numRuns: runs },
    );
  });
});

describe("the limiters of a host", () => {
  it("are one a key, and none for models without one", () => {
    const limiters = createLimiters(fakeClock());
    expect(limiters.of(undefined)).toBeUndefined();
    expect(limiters.of("a")).toBe(limiters.of("a"));
    expect(limiters.of("a")).not.toBe(limiters.of("b"));
    expect(limiters.of("__proto__")).toMatchObject({ now: { active: 0 } });
  });
});
