import { createHost, defineHook, type SDKMessage, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { ask, clientOf, kinds, resultOf } from "../kit/client.ts";
import { answering, textIn } from "../kit/compacting.ts";
import { scratch } from "../kit/session.ts";

const row = tool("row", "Reads a row.", { n: "integer" }, ({ n }) => ({
  content: [{ type: "text", text: `row ${n}: ${"figure ".repeat(150)}` }],
}));
const base = { tools: [row], allowedTools: ["row"], systemPrompt: "You read rows." } as const;

/** Four rows for each message of a person. */
const four = (_: unknown, turn: number) =>
  turn % 5 === 0 ? { text: `Done ${turn}.` } : { calls: [{ name: "row", input: { n: turn } }] };

describe("while a summary is written", () => {
  it("an interrupt ends the turn; the history is as it was, and what was spent counts", async () => {
    let stop: (() => Promise<unknown>) | undefined;
    const model = answering(four, {
      summary: async () => {
        await stop?.();
        return { text: "too late" };
      },
    });
    const client = clientOf({ ...base, model });
    await ask(client, "Read.");
    stop = () => client.interrupt();
    const messages = await ask(client, "/compact");
    expect(resultOf(messages)).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "interrupted",
    });
    expect(kinds(messages)).not.toContain("system/compact_boundary");
    stop = undefined;
    await ask(client, "Again.");
    expect(textIn(model.requests.at(-1) as never)).toContain("row 1: figure");
    await client.close();
  });

  it("a provider that fails for a while is asked again, and the reader is told", async () => {
    let tries = 0;
    const model = answering(four, {
      summary: () => {
        tries += 1;
        if (tries < 3) {
          const failure = { message: "overloaded", kind: "overloaded", retryable: true, retryAfterMs: 1 };
          throw Object.assign(new Error("overloaded"), { failure });
        }
        return { text: "at last" };
      },
    });
    const client = clientOf({ ...base, model });
    await ask(client, "Read.");
    const messages = await ask(client, "/compact");
    expect(kinds(messages).filter((kind) => kind === "system/api_retry")).toHaveLength(2);
    expect(resultOf(messages).result).toMatch(/^Summed up/);
    await client.close();
  });

  it("nothing of it is streamed to the reader", async () => {
    const model = answering(four);
    const client = clientOf({ ...base, model, includePartialMessages: true });
    await ask(client, "Read.");
    const messages = await ask(client, "/compact");
    expect(kinds(messages)).not.toContain("stream_event");
    expect(kinds(messages)).not.toContain("assistant");
    await client.close();
  });
});

describe("/compact in the middle of a turn", () => {
  it("sums up at its border, and the turn goes on", async () => {
    let send: (() => Promise<void>) | undefined;
    const model = answering(async (request, turn) => {
      if (turn === 3) await send?.();
      return four(request, turn);
    });
    const client = clientOf({ ...base, model });
    send = () =>
      client.query({ type: "user", message: { role: "user", content: "/compact" }, priority: "next" });
    const messages = await ask(client, "Read.");
    expect(kinds(messages).filter((kind) => kind === "system/compact_boundary")).toHaveLength(1);
    expect(resultOf(messages)).toMatchObject({ subtype: "success", result: "Done 5.", num_turns: 5 });
    expect(textIn(model.requests.at(-1) as never)).not.toContain("/compact");
    await client.close();
  });
});

describe("hooks around a compaction", () => {
  it("are told, add to the wish, and see what came of it", async () => {
    const seen: unknown[] = [];
    const before = defineHook("PreCompact", ({ trigger, custom_instructions }) => {
      seen.push([trigger, custom_instructions]);
      return { hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "HEED THIS" } };
    });
    const after = defineHook("PostCompact", ({ trigger, compact_summary }) => {
      seen.push([trigger, compact_summary.includes("SUMMARY")]);
      return {};
    });
    const model = answering(four);
    const client = clientOf({ ...base, model, hooks: { PreCompact: [before], PostCompact: [after] } });
    await ask(client, "Read.");
    await ask(client, "/compact names");
    expect(seen).toEqual([
      ["manual", "names"],
      ["manual", true],
    ]);
    expect(textIn(model.summaries[0] as never)).toMatch(/heeds this: names\\nHEED THIS/);
    await client.close();
  });

  it("keep the history as it is, and end the run", async () => {
    const block = defineHook("PreCompact", () => ({ decision: "block", reason: "not today" }));
    const model = answering(four);
    const client = clientOf({ ...base, model, hooks: { PreCompact: [block] } });
    await ask(client, "Read.");
    expect(resultOf(await ask(client, "/compact")).result).toMatch(/a PreCompact hook says: not today/);
    expect(model.summaries).toEqual([]);
    await client.close();
    const end = defineHook("PreCompact", () => ({ continue: false, stopReason: "enough" }));
    const other = clientOf({ ...base, model: answering(four), hooks: { PreCompact: [end] } });
    await ask(other, "Read.");
    expect(resultOf(await ask(other, "/compact")).terminal_reason).toBe("hook_stopped");
    await other.close();
  });
});

describe("a session that was summed up and moved", () => {
  it("goes on from its export, with its summary, its originals and its way to look back", async () => {
    const host = createHost({ store: memoryStore() });
    const cwd = scratch();
    const client = host.client({ ...base, tools: [row, "Recall"], cwd, model: answering(four) });
    const [first] = await ask(client, "The word is swordfish.");
    await ask(client, "/compact");
    await client.close();
    let text = "";
    for await (const line of host.sessions.export(first?.session_id as string)) text += line;
    await host.close();

    const other = createHost({ store: memoryStore() });
    const { sessionId } = await other.sessions.import(text, { cwd });
    const recall = answering((_, turn) =>
      turn === 1 ? { calls: [{ name: "Recall", input: { offset: 0, limit: 1 } }] } : { text: "ok" },
    );
    const messages: SDKMessage[] = [];
    const options = { ...base, tools: [row, "Recall"], cwd, model: recall, resume: sessionId };
    for await (const message of other.query({ prompt: "Which word?", options })) messages.push(message);
    assertComplete(messages);
    expect(textIn(recall.requests[0] as never)).toContain("SUMMARY");
    expect(textIn(recall.requests[1] as never)).toContain("#0 user\\nThe word is swordfish.");
    await other.close();
  });

  it("says nothing that a redactor took out: neither in the summary's words nor to Recall", async () => {
    const redact = (event: object) => JSON.parse(JSON.stringify(event).replaceAll("swordfish", "[gone]"));
    const host = createHost({ store: memoryStore(), redact });
    const model = answering((_, turn) =>
      turn === 6 ? { calls: [{ name: "Recall", input: { offset: 0, limit: 1 } }] } : four(_, turn),
    );
    const client = host.client({ ...base, tools: [row, "Recall"], cwd: scratch(), model });
    await ask(client, "The word is swordfish, never tell it.");
    await ask(client, "/compact");
    await ask(client, "Which word?");
    const after = textIn(model.requests.at(-1) as never);
    expect(after).toContain("The word is [gone], never tell it.");
    expect(after).not.toContain("swordfish");
    await client.close();
    await host.close();
  });
});
