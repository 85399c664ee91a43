import { describe, expect, it } from "vitest";
import { harderStop } from "../../scheduler/cancel-reason.ts";
import { cancelCode } from "../../scheduler/index.ts";
import { createBrake } from "./brake.ts";

/** Runs a turn that ends when it is cut short, and tells by what; `during` happens in the middle. */
async function codeOf(brake: ReturnType<typeof createBrake>, during: () => void = () => {}) {
  let code: string | undefined;
  await brake.turn(async (signal) => {
    during();
    code = signal.aborted ? cancelCode(signal) : undefined;
  });
  return code;
}

describe("the brake", () => {
  it("cuts the turn that runs, and only that one", async () => {
    const brake = createBrake(false);
    expect(await codeOf(brake, () => brake.cut("interrupt"))).toBe("interrupt");
    expect(await codeOf(brake)).toBeUndefined();
    brake.cut("interrupt");
    expect(await codeOf(brake)).toBeUndefined();
    expect(brake.stop().aborted).toBe(false);
  });

  it("says whether a turn is cut: not one whose end is known, but one that was taken and has yet to begin", async () => {
    const brake = createBrake(false);
    expect([brake.cut("interrupt"), brake.hasTurn()]).toEqual([false, false]);
    brake.expect();
    expect([brake.hasTurn(), brake.cut("interrupt"), brake.isCutAhead()]).toEqual([true, true, true]);
    expect(await codeOf(brake)).toBe("interrupt");
    await brake.turn(async (signal, settled) => {
      expect(brake.hasTurn()).toBe(true);
      settled();
      expect([brake.hasTurn(), brake.cut("interrupt"), signal.aborted]).toEqual([false, false, false]);
      // Somebody waits to be heard: that turn is cut, not this one.
      expect([brake.cut("interrupt", true), signal.aborted]).toEqual([true, false]);
    });
    brake.forget();
    expect(await codeOf(brake)).toBeUndefined();
  });

  it("between turns remembers a cut for one that is said to come, once", async () => {
    const brake = createBrake(false);
    brake.cut("interrupt", true);
    expect(await codeOf(brake)).toBe("interrupt");
    expect(await codeOf(brake)).toBeUndefined();
    brake.cut("interrupt", false);
    expect(await codeOf(brake)).toBeUndefined();
  });

  it("remembers a cut before the turn that is sure to come", async () => {
    const brake = createBrake(true);
    brake.cut("interrupt");
    expect(await codeOf(brake)).toBe("interrupt");
    brake.cut("interrupt");
    expect(await codeOf(brake)).toBeUndefined();
  });

  it("ends: the running turn and all later ones are cut; the first reason holds", async () => {
    const brake = createBrake(false);
    expect(await codeOf(brake, () => brake.end("abort"))).toBe("abort");
    brake.end("close");
    expect([brake.ending(), brake.stop().aborted]).toEqual(["abort", true]);
    expect(await codeOf(brake)).toBe("abort");
  });

  it("for a new message stops gently; whatever comes behind it, and another one does not, stops all", async () => {
    for (const harder of ["interrupt", "close", "abort", "new_message"] as const) {
      const brake = createBrake(false);
      await brake.turn(async (signal) => {
        expect(brake.cut("new_message")).toBe(true);
        const left = harderStop(signal);
        expect([cancelCode(signal), left?.aborted]).toEqual(["new_message", false]);
        if (harder === "interrupt" || harder === "new_message") brake.cut(harder);
        else brake.end(harder);
        if (left === undefined || harder === "new_message") expect(left?.aborted).toBe(false);
        else expect(cancelCode(left)).toBe(harder);
      });
      if (harder === "new_message") expect(await codeOf(brake)).toBeUndefined();
    }
    const at = createBrake(false);
    await at.turn(async (signal) => {
      at.cut("interrupt");
      expect(harderStop(signal)).toBeUndefined();
    });
  });

  it("is free again after a turn that threw", async () => {
    const brake = createBrake(false);
    await expect(brake.turn(() => Promise.reject(new Error("no log")))).rejects.toThrow("no log");
    brake.cut("interrupt");
    expect(await codeOf(brake)).toBeUndefined();
    brake.done();
    expect([brake.ending(), brake.stop().aborted]).toEqual([undefined, true]);
  });
});
