import { createHost, type LanguageModel, type ModelPart, type SDKMessage } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { describe, expect, it } from "vitest";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { scratch } from "../kit/session.ts";

const SESSIONS = 500;
const TAKES = 40;

/** A provider that answers so many requests at once and refuses the others. */
function narrowProvider(limitKey: string | undefined) {
  const seen = { inFlight: 0, most: 0, answered: 0, refused: 0 };
  const model: LanguageModel = {
    id: "narrow",
    provider: "narrow",
    ...(limitKey === undefined ? {} : { limitKey }),
    async *stream(): AsyncGenerator<ModelPart> {
      seen.inFlight += 1;
      seen.most = Math.max(seen.most, seen.inFlight);
      try {
        if (seen.inFlight > TAKES) {
          seen.refused += 1;
          const failure = {
            kind: "http",
            status: 429,
            retryable: true,
            retryAfterMs: 2_000,
            message: "Too many.",
          };
          await new Promise(setImmediate);
          throw Object.assign(new Error("Too many."), { failure });
        }
        await new Promise(setImmediate);
        yield { type: "text", delta: "Here " };
        await new Promise(setImmediate);
        yield { type: "text", delta: "you are." };
        seen.answered += 1;
        yield { type: "finish", stopReason: "end_turn" };
      } finally {
        seen.inFlight -= 1;
      }
    },
  };
  return { model, seen };
}

async function storm(limitKey: string | undefined) {
  const { model, seen } = narrowProvider(limitKey);
  const { clock } = hurriedClock();
  const host = createHost({ platform: { clock, random: () => 0 }, store: memoryStore() });
  const cwd = scratch();
  const ends = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      let last: SDKMessage | undefined;
      let retries = 0;
      for await (const message of host.query({ prompt: "go", options: { model, cwd, tools: [] } })) {
        if (message.type === "system" && message.subtype === "api_retry") retries += 1;
        last = message;
      }
      return { last, retries };
    }),
  );
  await host.close();
  return { ends, seen };
}

describe("500 sessions at once against a provider that takes 40", () => {
  it("all finish behind one limiter, with few refusals", async () => {
    const { ends, seen } = await storm("one");
    for (const { last } of ends) expect(last).toMatchObject({ subtype: "success", result: "Here you are." });
    expect(seen).toMatchObject({ answered: SESSIONS, inFlight: 0 });
    expect(ends.reduce((sum, { retries }) => sum + retries, 0)).toBe(seen.refused);
    // Not before the limit is found can a request be answered without a refusal before it.
    expect(seen.refused).toBeLessThan(2 * SESSIONS);
    expect(Math.max(...ends.map(({ retries }) => retries))).toBeLessThan(10);
  });

  it("would drown it without one", async () => {
    const { seen } = await storm(undefined);
    expect(seen.refused).toBeGreaterThan(2 * SESSIONS);
  });
});
