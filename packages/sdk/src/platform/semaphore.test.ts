import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlace, createSemaphore } from "./semaphore.ts";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a semaphore", () => {
  it("lets so many in at once, and the others in their order as places become free", async () => {
    const places = createSemaphore(2);
    const order: number[] = [];
    const enter = async (n: number) => {
      await places.enter(never);
      order.push(n);
    };
    for (const n of [1, 2, 3, 4]) void enter(n);
    await settled();
    expect([order, places.now]).toEqual([[1, 2], { active: 2, waiting: 2 }]);
    places.leave();
    // Who comes now stands behind those that wait.
    void enter(5);
    await settled();
    expect(order).toEqual([1, 2, 3]);
    for (let n = 0; n < 4; n += 1) places.leave();
    await settled();
    expect([order, places.now]).toEqual([[1, 2, 3, 4, 5], { active: 0, waiting: 0 }]);
  });

  it("gives no place to who has gone away, and no listener is left", async () => {
    const places = createSemaphore(1);
    expect(places.enter(never)).toBeUndefined();
    const gone = new AbortController();
    const waits = places.enter(gone.signal);
    const next = places.enter(never);
    gone.abort(new Error("gone"));
    await expect(waits).rejects.toThrow("gone");
    await expect(places.enter(gone.signal)).rejects.toThrow("gone");
    places.leave();
    await next;
    expect(places.now).toEqual({ active: 1, waiting: 0 });
  });

  it("one that steps aside makes room, comes back over the limit, and counts no more once it has ended", () => {
    const places = createSemaphore(1);
    expect(places.enter(never)).toBeUndefined();
    const place = createPlace(places);
    place.stepAside();
    place.stepAside();
    expect(places.enter(never)).toBeUndefined();
    place.comeBack();
    place.comeBack();
    expect(places.now.active).toBe(2);
    place.stepAside();
    place.end();
    place.comeBack();
    place.end();
    expect(places.now.active).toBe(1);
  });

  it("never has more in than its limit, and never holds anybody while there is room", () => {
    const steps = fc.array(fc.oneof(fc.constant("in"), fc.constant("out"), fc.nat(5)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (limit, all) => {
        const places = createSemaphore(limit);
        const waiting: (() => void)[] = [];
        let inside = 0;
        const comeIn = (): void => {
          inside += 1;
        };
        for (const step of all) {
          if (step === "in") waiting.push(places.queue(comeIn));
          else if (step === "out") {
            if (inside === 0) continue;
            inside -= 1;
            places.leave();
          } else waiting[step]?.();
          const { now } = places;
          expect(now.active).toBe(inside);
          expect(now.active <= limit && (now.waiting === 0 || now.active === limit)).toBe(true);
        }
      }),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 200) },
    );
  });
});
