import { describe, expect, it } from "vitest";
import { createLanes } from "./lanes.ts";
import { createParking } from "./parking.ts";

describe("parking", () => {
  it("is still when all that are left wait, and one of them lets the turn end", () => {
    let stills = 0;
    const parking = createParking({
      staysOpen: () => true,
      pause() {
        stills += 1;
      },
    });
    const [a, b, c] = [parking.enter(), parking.enter(), parking.enter()];
    a.parked("pauses");
    const unpark = b.parked("waits");
    parking.close();
    expect(stills).toBe(0);
    unpark();
    c.leave();
    expect(stills).toBe(0);
    b.leave();
    expect(stills).toBe(1);
  });

  it("waits with those who only wait", () => {
    let stills = 0;
    const parking = createParking({
      staysOpen: () => true,
      pause() {
        stills += 1;
      },
    });
    parking.enter().parked("waits");
    parking.close();
    expect(stills).toBe(0);
  });

  it("lets the next call be looked at as soon as one waits", async () => {
    const parking = createParking({ staysOpen: () => true, pause() {} });
    const spot = parking.enter();
    const judging = new Promise<string>(() => {});
    const first = spot.unlessParked(judging);
    spot.parked("waits");
    expect(await first).toBeUndefined();
    expect(await parking.enter().unlessParked(Promise.resolve("ready"))).toBe("ready");
    await expect(parking.enter().unlessParked(Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});

describe("lanes", () => {
  it("run safe jobs beside each other up to a number and others alone, and tell who waited behind one", async () => {
    const lanes = createLanes(2);
    const log: string[] = [];
    let running = 0;
    const job = (name: string, alone: boolean) => async (isStale: boolean) => {
      running += 1;
      log.push(`${name}${isStale ? " stale" : ""}`);
      expect(running).toBeLessThanOrEqual(alone ? 1 : 2);
      await new Promise(setImmediate);
      running -= 1;
    };
    const mark = lanes.mark();
    void lanes.start(true, mark, job("a", false));
    void lanes.start(true, mark, job("b", false));
    void lanes.start(true, mark, job("c", false));
    void lanes.start(false, mark, job("d", true));
    void lanes.start(true, mark, job("e", false));
    await lanes.idle();
    expect(log).toEqual(["a", "b", "c", "d", "e stale"]);
    expect(running).toBe(0);
  });
});
