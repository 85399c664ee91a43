import { createHost, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, kinds, resultOf } from "../kit/client.ts";
import { answering, type Said, textIn } from "../kit/compacting.ts";
import { scratch } from "../kit/session.ts";
import { refusals } from "../kit/wire-check.ts";

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n}: ${"figure ".repeat(150)}` }],
}));

/** Reads this many rows, and ends. */
const reading =
  (rows: number) =>
  (_: unknown, turn: number): Said =>
    turn % (rows + 1) === 0 ? { text: `Done ${turn}.` } : { calls: [{ name: "row", input: { n: turn } }] };

const boundaries = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) =>
    message.type === "system" && message.subtype === "compact_boundary" ? [message.compact_metadata] : [],
  );

const base = { tools: [row], allowedTools: ["row"], systemPrompt: "You read rows." } as const;

describe("a history that reaches the threshold", () => {
  it("is summed up, stays valid in every format, and the work goes on", async () => {
    const model = answering(reading(30), { contextWindow: 6_000 });
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "Read thirty rows. Never write to /etc.");
    expect(resultOf(messages)).toMatchObject({ subtype: "success", result: "Done 31." });
    assertComplete(messages);
    const found = boundaries(messages);
    expect(found.length).toBeGreaterThan(1);
    for (const { trigger, reason, pre_tokens, post_tokens, model: by } of found) {
      expect({ trigger, reason, by }).toEqual({ trigger: "auto", reason: "threshold", by: "test-model" });
      expect(pre_tokens).toBeGreaterThan(4_800);
      expect(post_tokens).toBeLessThan(4_000);
    }
    for (const request of model.requests) {
      expect(await refusals(request)).toEqual([]);
      expect(textIn(request)).toContain("Never write to /etc.");
      expect(textIn(request).length / 4).toBeLessThan(7_000);
    }
    await client.close();
  });

  it("costs what its summary costs, in the result and in budgets", async () => {
    const model = answering(reading(24), { contextWindow: 6_000 });
    const client = clientOf({ ...base, model });
    const result = resultOf(await ask(client, "go"));
    const all = [...model.requests, ...model.summaries];
    expect(model.summaries.length).toBeGreaterThan(0);
    expect(result.usage.output_tokens).toBe(all.length * 10);
    expect(result.num_turns).toBe(model.requests.length);
    await client.close();
  });

  it("ends behind the summary where that used up the budget", async () => {
    const model = answering(reading(30), {
      contextWindow: 6_000,
      summary: () => ({ text: "S", inputTokens: 1_000_000 }),
    });
    const client = clientOf({ ...base, model, maxTokensBudget: 900_000 });
    const result = resultOf(await ask(client, "go"));
    expect(result.terminal_reason).toBe("max_tokens_budget");
    expect(model.summaries).toHaveLength(1);
    await client.close();
  });

  it("stays as it is where no summary comes, and the run goes on", async () => {
    const model = answering(reading(24), { contextWindow: 6_000, summary: () => ({ text: " " }) });
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "go");
    expect(resultOf(messages).subtype).toBe("success");
    expect(boundaries(messages)).toEqual([]);
    const notes = messages.flatMap((each) =>
      "message" in each && typeof each.message === "string" ? [each.message] : [],
    );
    expect(notes.join()).toMatch(
      /could not be summed up, and stays as it is: The model test-model gave no summary/,
    );
    // It is not tried at each turn from there on.
    expect(model.summaries.length).toBeLessThan(6);
    await client.close();
  });

  it("is left alone where the option says so, and where no window is known", async () => {
    for (const more of [{ compaction: false, contextWindow: 6_000 }, {}]) {
      const { contextWindow, ...options } = more as { contextWindow?: number; compaction?: false };
      const model = answering(reading(24), contextWindow === undefined ? {} : { contextWindow });
      const client = clientOf({ ...base, ...options, model });
      expect(boundaries(await ask(client, "go"))).toEqual([]);
      expect(model.summaries).toEqual([]);
      await client.close();
    }
  });

  it("is summed up at the window that the host tells, and before that at the one of the options", async () => {
    const host = createHost({ store: memoryStore(), models: { contextWindows: { "test-*": 6_000 } } });
    for (const [compaction, isSummedUp] of [
      [true, true],
      [{ contextWindow: 900_000 }, false],
    ] as const) {
      const model = answering(reading(30), { contextWindow: 1_000_000 });
      const client = clientOf({ ...base, model, compaction }, host);
      expect(resultOf(await ask(client, "go")).subtype).toBe("success");
      const { maxTokens } = await client.getContextUsage();
      expect([maxTokens, model.summaries.length > 0]).toEqual([
        compaction === true ? 6_000 : 900_000,
        isSummedUp,
      ]);
      await client.close();
    }
    await host.close();
  });
});

describe("a history that the model refuses", () => {
  const tight = (limit: number) =>
    answering((request, turn) => {
      if (textIn(request).length > limit) return { overflow: true };
      return reading(12)(request, turn);
    });

  it("is summed up once, and the run goes on", async () => {
    const model = tight(12_000);
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "Read twelve rows.");
    expect(resultOf(messages).subtype).toBe("success");
    expect(boundaries(messages).map(({ reason }) => reason)).toContain("overflow");
    await client.close();
  });

  it("comes to a clear result where it is refused again", async () => {
    const model = answering((request, turn) => (turn > 6 ? { overflow: true } : reading(12)(request, turn)));
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "go");
    expect(boundaries(messages)).toHaveLength(1);
    expect(resultOf(messages)).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "context_overflow",
      errors: [
        expect.stringMatching(
          /no longer fits .* test-model, though it was summed up: the prompt is too long/,
        ),
      ],
    });
    await client.close();
  });

  it("is shortened without a summary where none can be written", async () => {
    let refused = 0;
    const model = answering(
      (request, turn) => {
        if (textIn(request).length > 12_000 && refused++ >= 0) return { overflow: true };
        return reading(12)(request, turn);
      },
      { summary: () => ({ overflow: true }) },
    );
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "Read twelve rows, and never delete one.");
    expect(resultOf(messages).subtype).toBe("success");
    expect(refused).toBeGreaterThan(0);
    expect(boundaries(messages)[0]).toMatchObject({ reason: "overflow", model: null });
    const last = textIn(model.requests.at(-1) as never);
    expect(last).toContain("never delete one");
    expect(last).toContain("No summary could be written");
    // Each try asked for less.
    const sizes = model.summaries.slice(0, 4).map((request) => textIn(request).length);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    await client.close();
  });

  it("is left alone where nothing can give way", async () => {
    const model = answering(() => ({ overflow: true }));
    const client = clientOf({ ...base, model });
    const messages = await ask(client, "go");
    expect(resultOf(messages).terminal_reason).toBe("context_overflow");
    expect(model.summaries).toEqual([]);
    await client.close();
  });
});

describe("the message /compact", () => {
  it("sums up at once, with what the person wishes, and is no message of the conversation", async () => {
    const model = answering(reading(5));
    const client = clientOf({ ...base, model });
    await ask(client, "Read five rows.");
    const before = model.requests.length;
    const messages = await ask(client, "/compact keep the figures");
    expect(kinds(messages)).toContain("system/compact_boundary");
    expect(boundaries(messages)[0]).toMatchObject({ trigger: "manual", reason: "manual" });
    expect(resultOf(messages)).toMatchObject({
      subtype: "success",
      result: expect.stringMatching(/^Summed up \d+ messages/),
      num_turns: 0,
    });
    expect(textIn(model.summaries[0] as never)).toContain("keep the figures");
    expect(model.requests).toHaveLength(before);
    await ask(client, "And now?");
    const next = textIn(model.requests.at(-1) as never);
    expect(next).not.toContain("/compact");
    expect(next).toContain("Read five rows.");
    expect(next).toContain("SUMMARY: the work goes on.");
    await client.close();
  });

  it("says so where there is nothing to sum up, and where no summary comes", async () => {
    const empty = clientOf({ ...base, model: answering(reading(5)) });
    expect(resultOf(await ask(empty, "/compact"))).toMatchObject({
      subtype: "success",
      result: expect.stringMatching(/^Nothing was summed up/),
    });
    await empty.close();
    const silent = clientOf({ ...base, model: answering(reading(5), { summary: () => ({}) }) });
    await ask(silent, "Read.");
    expect(resultOf(await ask(silent, "/compact"))).toMatchObject({ subtype: "error_during_execution" });
    await silent.close();
  });
});

describe("a session that was summed up", () => {
  it("holds all of its messages, and goes on, forks and is cut where it was not summed up yet", async () => {
    const store = memoryStore();
    const host = createHost({ store });
    const cwd = scratch();
    const model = answering(reading(5));
    const client = host.client({ ...base, cwd, model });
    const first = await ask(client, "Read five rows.");
    await ask(client, "/compact");
    await client.close();
    const id = first[0]?.session_id as string;
    const stored = await host.sessions.messages(id, { includeSystem: true });
    expect(stored.filter(({ type }) => type === "assistant")).toHaveLength(6);
    expect(kinds(stored)).toContain("system/compact_boundary");

    const run = async (options: object) => {
      const own = answering(() => ({ text: "ok" }));
      for await (const _ of host.query({
        prompt: "next",
        options: { ...base, cwd, model: own, ...options },
      })) {
      }
      return textIn(own.requests[0] as never);
    };
    expect(await run({ resume: id, forkSession: true })).toContain("SUMMARY");
    const answer = stored.findLast(({ type }) => type === "assistant");
    const cut = await run({ resume: id, resumeSessionAt: answer?.uuid });
    expect(cut).not.toContain("SUMMARY");
    expect(cut).toContain("row 1: figure");
    const boundary = stored.find((each) => "subtype" in each && each.subtype === "compact_boundary");
    expect(await run({ resume: id, resumeSessionAt: boundary?.uuid })).toContain("SUMMARY");
    expect(await run({ resume: id })).toContain("SUMMARY");
    await host.close();
  });
});
