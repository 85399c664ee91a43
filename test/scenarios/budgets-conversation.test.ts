import { createHost, type Options } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ask, clientOf, resultOf } from "../kit/client.ts";
import { scratch } from "../kit/session.ts";
import { RATES, type Spend, spend, spender } from "../kit/spender.ts";

const act = (does: Spend["does"], input = 1_000, output = 100): Spend => ({ does, input, output });
/** What an answer of `act()` is counted as. */
const ONE = 1_100;

function place(): Options {
  return { sessionStore: memoryStore(), cwd: scratch(), allowedTools: ["LS"] };
}

describe("a budget over one conversation", () => {
  it("counts all of its messages, and answers each one behind it with the same result", async () => {
    const model = spender([act("text")]);
    const results = await spend(["a", "b", "c", "d"], { ...place(), model, maxTokensBudget: 2 * ONE });
    expect(model.counted).toHaveLength(2);
    expect(results.map(({ subtype, terminal_reason }) => [subtype, terminal_reason])).toEqual([
      ["success", "completed"],
      ["success", "completed"],
      ["error_during_execution", "max_tokens_budget"],
      ["error_during_execution", "max_tokens_budget"],
    ]);
    expect(results[3]).toMatchObject({ num_turns: 0, is_error: true, total_cost_usd: 0 });
  });

  it("goes on over resumes: nothing is asked where nothing is left, and a higher one goes on where it stopped", async () => {
    const here = place();
    const model = spender([act("call"), act("call"), act("text")]);
    const [first] = await spend(["go"], { ...here, model, maxTokensBudget: 2 * ONE });
    expect(first).toMatchObject({ terminal_reason: "max_tokens_budget", num_turns: 2 });
    const again = { ...here, model, resume: first?.session_id ?? "" };
    for (const prompt of ["", "one more thing"]) {
      const [stopped] = await spend([prompt], { ...again, maxTokensBudget: 2 * ONE });
      expect(stopped?.errors).toEqual([
        expect.stringMatching(
          /^Stopped before model request .: 2200 tokens are used, maxTokensBudget is 2200\.$/,
        ),
      ]);
    }
    expect(model.counted).toHaveLength(2);
    const [done] = await spend([""], { ...again, maxTokensBudget: 2 * ONE + 1 });
    expect(done).toMatchObject({ subtype: "success", result: expect.stringContaining("Answer 3") });
    expect(model.counted).toHaveLength(3);
  });

  it("goes with a fork: what the copied part of the conversation cost is spent", async () => {
    const here = place();
    const model = spender([act("text")]);
    const [first] = await spend(["go"], { ...here, model });
    const fork = { ...here, model, resume: first?.session_id ?? "", forkSession: true };
    const [stopped] = await spend(["on"], { ...fork, maxBudgetUsd: 0.003 });
    expect(stopped).toMatchObject({ subtype: "error_max_budget_usd", terminal_reason: "max_budget_usd" });
    expect(stopped?.session_id).not.toBe(first?.session_id);
    const [more] = await spend(["on"], { ...fork, maxBudgetUsd: 0.004 });
    expect(more?.subtype).toBe("success");
    expect(model.counted).toHaveLength(2);
  });

  it("counts a try that failed, and allows no other one behind the last of it", async () => {
    const model = spender([act("broken")]);
    const [result] = await spend(["go"], { ...place(), model, maxTokensBudget: 2 * ONE });
    expect(model.counted).toHaveLength(2);
    expect(result).toMatchObject({
      terminal_reason: "max_tokens_budget",
      errors: ["Stopped before another try: 2200 tokens are used, maxTokensBudget is 2200."],
      usage: { input_tokens: 2_000, output_tokens: 200 },
    });
  });

  it("holds for the fallback as well", async () => {
    const [model, other] = [spender([act("broken")]), spender([act("text")], { id: "other" })];
    const [result] = await spend(["go"], {
      ...place(),
      model,
      fallbackModel: other,
      maxTokensBudget: 11 * ONE,
    });
    expect([model.counted.length, other.counted.length]).toEqual([11, 0]);
    expect(result?.errors).toEqual([
      expect.stringContaining("Stopped before a request to other: 12100 tokens"),
    ]);
    const next = spender([act("broken")]);
    const [done] = await spend(["go"], {
      ...place(),
      model: next,
      fallbackModel: other,
      maxTokensBudget: 11 * ONE + 1,
    });
    expect(done).toMatchObject({ subtype: "success", modelUsage: { spender: {}, other: {} } });
  });

  it("counts summaries, and stops before a try of one", async () => {
    const acts = [act("text", 100, 2_000), act("call", 9_000)];
    const long = ["go ".repeat(3_000), "on"];
    const told = { contextWindow: 10_000, summary: act("full", 5_000) };
    const options = { ...place(), tools: ["LS"] };
    const tried = spender(acts, told);
    const [, result] = await spend(long, { ...options, model: tried, maxTokensBudget: 21_300 });
    expect(result).toMatchObject({
      terminal_reason: "max_tokens_budget",
      errors: ["Stopped before another try of a summary: 21400 tokens are used, maxTokensBudget is 21300."],
      usage: { input_tokens: 19_000, output_tokens: 300 },
    });
    expect(tried.counted).toHaveLength(4);
    const summed = spender(acts, { ...told, summary: act("text", 5_000) });
    const [, second] = await spend(long, { ...options, model: summed, maxTokensBudget: 16_300 });
    expect(second?.errors).toEqual([expect.stringContaining("Stopped before model request 2: 16300 tokens")]);
    expect(summed.counted).toHaveLength(3);
  });

  it("ends where a model does not count its tokens, unless they cost nothing", async () => {
    const mute = () => spender([act("call", 0, 0), act("text", 0, 0)]);
    const model = mute();
    const [result] = await spend(["go"], { ...place(), model, maxTokensBudget: 10 });
    expect(model.counted).toHaveLength(1);
    expect(result).toMatchObject({
      terminal_reason: "max_tokens_budget",
      errors: [
        "Stopped before model request 2: spender does not count its tokens, so maxTokensBudget cannot be kept.",
      ],
    });
    const money = { ...place(), model: mute(), maxBudgetUsd: 1 };
    expect((await spend(["go"], money))[0]?.subtype).toBe("error_max_budget_usd");
    const free = { prices: { spender: { input: 0, output: 0 } } };
    expect((await spend(["go"], { ...place(), model: mute(), maxBudgetUsd: 1 }, free))[0]?.subtype).toBe(
      "success",
    );
    expect((await spend(["go"], { ...place(), model: mute() }))[0]?.subtype).toBe("success");
  });

  it("refuses a change to a model of unknown price where it counts money, and goes on with the old one", async () => {
    const model = spender([act("text")]);
    const host = createHost({ models: { prices: { spender: RATES } } });
    const client = clientOf({ model, maxBudgetUsd: 1 }, host);
    const other = spender([act("text")], { id: "unpriced" });
    expect(resultOf(await ask(client, "one")).subtype).toBe("success");
    await expect(client.setModel(other)).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("needs the price of unpriced"),
    });
    expect(resultOf(await ask(client, "two")).subtype).toBe("success");
    expect([model.counted.length, other.counted.length]).toEqual([2, 0]);
    await client.close();
    await host.close();
  });
});

describe("maxTurns", () => {
  it("counts from each message, over resumes of the same one, and a higher one goes on", async () => {
    const here = place();
    const model = spender([act("call"), act("call"), act("call"), act("text")]);
    const [first] = await spend(["go"], { ...here, model, maxTurns: 2 });
    const again = { ...here, model, resume: first?.session_id ?? "" };
    expect(first).toMatchObject({ subtype: "error_max_turns", num_turns: 2 });
    const [stopped] = await spend([""], { ...again, maxTurns: 2 });
    expect(stopped).toMatchObject({ subtype: "error_max_turns", num_turns: 2 });
    expect(model.counted).toHaveLength(2);
    const [third] = await spend([""], { ...again, maxTurns: 3 });
    expect(third).toMatchObject({ subtype: "error_max_turns", num_turns: 3 });
    const [done] = await spend(["on"], { ...again, maxTurns: 1 });
    expect(done).toMatchObject({ subtype: "success", num_turns: 1 });
  });
});

const acts = fc.array(
  fc.record({
    does: fc.constantFrom<Spend["does"]>("text", "text", "call", "call", "call", "broken", "full"),
    input: fc.integer({ min: 1, max: 3_000 }),
    output: fc.integer({ min: 1, max: 300 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const runs = fc.array(
  fc.record({
    prompts: fc.integer({ min: 1, max: 3 }),
    goesOn: fc.boolean(),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    kind: fc.constantFrom("tokens", "usd"),
    fork: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

describe("whatever a model does, however often a conversation is taken up again", () => {
  it("a budget is overrun by one request at most, and is no reason to stop while something is left", async () => {
    await fc.assert(
      fc.asyncProperty(acts, runs, fc.boolean(), async (list, plan, isNarrow) => {
        const model = spender(list, isNarrow ? { contextWindow: 2_000 } : {});
        const here = place();
        let resume: string | undefined;
        for (const { prompts, goesOn, share, kind, fork } of plan) {
          const before = model.counted.length;
          const max = Math.ceil(share * 15_000);
          const limit = kind === "tokens" ? { maxTokensBudget: max } : { maxBudgetUsd: max / 2e5 };
          const said =
            resume !== undefined && goesOn ? [""] : Array.from({ length: prompts }, (_, i) => `go ${i}`);
          const results = await spend(said, {
            ...{ ...here, ...limit, model, maxTurns: 12 },
            ...(resume === undefined ? {} : { resume, forkSession: fork }),
          });
          const spent = (count: number): number =>
            model.counted
              .slice(0, count)
              .reduce((sum, { tokens, usd }) => sum + (kind === "tokens" ? tokens : usd), 0);
          const most = kind === "tokens" ? max : max / 2e5;
          for (let at = before; at < model.counted.length; at += 1) expect(spent(at)).toBeLessThan(most);
          const isOver = spent(model.counted.length) >= most - 1e-12;
          const reasons = results.map(({ terminal_reason }) => terminal_reason);
          const stopped = reasons.filter(
            (reason) => reason === (kind === "tokens" ? "max_tokens_budget" : "max_budget_usd"),
          );
          if (stopped.length > 0) expect(isOver).toBe(true);
          resume = results.at(-1)?.session_id ?? resume;
        }
      }),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 40) },
    );
  });
});
