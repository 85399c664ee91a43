import { describe, expect, it } from "vitest";
import type { CanUseToolContext, PermissionResult } from "../../protocol/index.ts";
import { createActivity } from "./activity.ts";

const ALLOW: PermissionResult = { behavior: "allow" };

/** A watched callback whose answers the test gives. */
function kit() {
  const told: string[] = [];
  const answers: ((result: PermissionResult) => void)[] = [];
  const activity = createActivity((state) => told.push(state));
  const ask = activity.watch(() => new Promise((resolve) => answers.push(resolve)));
  return {
    told,
    answers,
    activity,
    ask: (signal = new AbortController().signal) => ask("T", {}, contextOf(signal)),
  };
}

const contextOf = (signal: AbortSignal) => ({ signal }) as CanUseToolContext;

describe("what a session does", () => {
  it("is told when it changes, and begins as running", () => {
    const { told, activity } = kit();
    for (const state of ["running", "idle", "idle", "running"] as const) activity.go(state);
    expect(told).toEqual(["idle", "running"]);
  });

  it("waits for an answer until the last question is answered; the answer is the callback's own", async () => {
    const { told, answers, ask } = kit();
    const [first, second] = [ask(), ask()];
    answers[0]?.(ALLOW);
    expect(await first).toBe(ALLOW);
    expect(told).toEqual(["requires_action"]);
    answers[1]?.(ALLOW);
    await second;
    expect(told).toEqual(["requires_action", "running"]);
  });

  it("a callback that answers at once is no wait, and one that fails has answered", async () => {
    const told: string[] = [];
    const activity = createActivity((state) => told.push(state));
    expect(activity.watch(() => ALLOW)("T", {}, contextOf(new AbortController().signal))).toBe(ALLOW);
    expect(told).toEqual([]);
    const broken = activity.watch(async () => {
      throw new Error("no");
    });
    await expect(broken("T", {}, contextOf(new AbortController().signal))).rejects.toThrow("no");
    expect(told).toEqual(["requires_action", "running"]);
    expect(() =>
      activity.watch(() => {
        throw new Error("at once");
      })("T", {}, contextOf(new AbortController().signal)),
    ).toThrow("at once");
  });

  it("a question that nobody waits for any more is over, and a late answer changes nothing", async () => {
    const { told, answers, activity, ask } = kit();
    const stop = new AbortController();
    const asked = ask(stop.signal);
    stop.abort();
    expect(told).toEqual(["requires_action", "running"]);
    activity.go("idle");
    answers[0]?.(ALLOW);
    await asked;
    expect(told).toEqual(["requires_action", "running", "idle"]);
    const hung = ask();
    activity.go("idle");
    activity.go("running");
    answers[1]?.(ALLOW);
    await hung;
    expect(told).toEqual(["requires_action", "running", "idle", "requires_action", "idle", "running"]);
  });
});
