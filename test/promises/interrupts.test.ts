import { type Options, tool } from "@castellan/sdk";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, live, said } from "../kit/live.ts";

type Behavior = "cancel" | "block";

/** A session whose calls say when they begin and end, and hold until they are stopped or the test lets go. */
function calls(isSafe: boolean, behavior: Behavior) {
  const steps: string[] = [];
  const all = gate();
  const go = gate();
  const wait = tool({
    name: "wait",
    version: "1.0.0",
    description: "Waits.",
    inputSchema: { n: "integer" },
    riskLevel: "low",
    isConcurrencySafe: () => isSafe,
    interruptBehavior: () => behavior,
    execute: async ({ n }: { n: number }, { signal }: { signal: AbortSignal }) => {
      steps.push(`begin ${n}`);
      if (steps.length === (isSafe ? 3 : 1)) void all.wait();
      const stopped = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([go.wait(), stopped]);
      steps.push(`end ${n}`);
      return { content: [{ type: "text" as const, text: signal.aborted ? `half of ${n}` : `all of ${n}` }] };
    },
  });
  const three = [1, 2, 3].map((n) => ({ name: "wait", input: { n } }));
  const model = scriptedModel([{ toolCalls: three }, "done", "more"]);
  const options: Options = { model, tools: [wait], allowedTools: ["wait"] };
  return { options, steps, there: all.reached, goOn: () => go.open() };
}

const STOPS = ["interrupt", "abort", "close", "now"] as const;

describe("calls beside each other, and what stops them", () => {
  it("C24 what is concurrency-safe runs beside each other, all else alone, one behind the other", async () => {
    for (const isSafe of [true, false]) {
      const { options, steps, there, goOn } = calls(isSafe, "block");
      const session = live("go", options);
      await there;
      expect(steps).toEqual(isSafe ? ["begin 1", "begin 2", "begin 3"] : ["begin 1"]);
      goOn();
      await session.ended;
      assertComplete(session.messages);
      const alone = [1, 2, 3].flatMap((n) => [`begin ${n}`, `end ${n}`]);
      if (!isSafe) expect(steps).toEqual(alone);
      expect(session.results()).toMatchObject([{ result: "done" }]);
    }
  });

  it.each(
    STOPS.flatMap((stop) => (["cancel", "block"] as const).map((behavior) => [stop, behavior] as const)),
  )(
    "C24 stopped by %s, calls that %s keep or lose what they had, and each has one result",
    async (stop, behavior) => {
      for (const isSafe of [true, false]) {
        const abortController = new AbortController();
        const { options, steps, there, goOn } = calls(isSafe, behavior);
        const session = live("go", { ...options, abortController });
        await there;
        if (stop === "interrupt") await session.query.interrupt();
        else if (stop === "close") await session.query.close();
        else if (stop === "abort") abortController.abort();
        else {
          async function* urgent() {
            yield said("now this", { priority: "now" });
          }
          await session.query.streamInput(urgent());
          // What says "block" goes on to its end, and is waited for.
          if (behavior === "block") goOn();
        }
        await session.ended;
        assertComplete(session.messages);
        const texts = session.messages.flatMap((message) =>
          message.type === "user" ? [JSON.stringify(message.message.content)] : [],
        );
        expect(texts).toHaveLength(3);
        const kept = behavior === "cancel" ? 0 : isSafe ? 3 : 1;
        const whole = stop === "now" ? "all of" : "half of";
        expect(texts.filter((text) => text.includes(whole))).toHaveLength(kept);
        expect(texts.filter((text) => text.includes("cancelled"))).toHaveLength((isSafe ? 3 : 1) - kept);
        expect(texts.filter((text) => text.includes("did not run"))).toHaveLength(isSafe ? 0 : 2);
        expect(steps.filter((step) => step.startsWith("begin"))).toHaveLength(isSafe ? 3 : 1);
      }
    },
  );
});
