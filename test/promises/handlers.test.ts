import { tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run } from "../kit/session.ts";

/** A tool whose handler does what the test says. */
function handler(execute: () => unknown) {
  return tool({
    name: "probe",
    version: "1.0.0",
    description: "Does what the test says.",
    inputSchema: {},
    riskLevel: "low",
    execute: execute as never,
  });
}

async function answer(execute: () => unknown) {
  const outcome = await run(once("probe"), { tools: [handler(execute)] });
  expect(outcome.result.subtype).toBe("success");
  const block = resultBlock(outcome.users[0]);
  return { text: outcome.texts[0] ?? "", isError: block.is_error === true, outcome };
}

describe("what a handler returns", () => {
  it("Q26 a business failure reaches the model as an error it can act on", async () => {
    for (const flag of ["isError", "is_error"]) {
      const { text, isError, outcome } = await answer(() => ({
        content: [{ type: "text", text: "Order 7 was not found." }],
        [flag]: true,
      }));
      expect(isError).toBe(true);
      expect(text).toBe("Order 7 was not found.");
      const seen = outcome.model.requests[1]?.messages.at(-1);
      expect(seen).toMatchObject({
        role: "tool",
        parts: [{ isError: true, content: [{ text: "Order 7 was not found." }] }],
      });
    }
  });

  it("Q27 a throw becomes an error result and the loop goes on", async () => {
    const { text, isError, outcome } = await answer(() => {
      throw new Error("the database is away");
    });
    expect(isError).toBe(true);
    expect(text).toContain("the database is away");
    expect(text).not.toMatch(/\n\s+at /);
    expect(outcome.result.result).toBe("done");
  });

  it("Q28 a handler that returns nothing: the text says that a result with content is needed", async () => {
    for (const nothing of [undefined, null]) {
      const { text, isError } = await answer(() => nothing);
      expect(isError).toBe(true);
      expect(text).toMatch(/content/);
      expect(text).toMatch(/probe|handler|tool/i);
    }
  });

  it("Q29 a handler that returns a non-object: its text, marked as an error", async () => {
    for (const [value, shown] of [
      ["just text", "just text"],
      [42, "42"],
      [true, "true"],
      [["a", "b"], "a"],
    ] as const) {
      const { text, isError } = await answer(() => value);
      expect(isError, String(value)).toBe(true);
      expect(text).toContain(shown);
      expect(text).toMatch(/content/);
    }
  });

  it("Q30 an object without content: the text lists its keys", async () => {
    const { text, isError } = await answer(() => ({ status: 200, body: "x" }));
    expect(isError).toBe(true);
    expect(text).toContain("status");
    expect(text).toContain("body");
    expect((await answer(() => ({}))).isError).toBe(true);
  });

  it("Q31 an unsupported block is skipped with a warning", async () => {
    const { text, isError, outcome } = await answer(() => ({
      content: [
        { type: "hologram", data: 1 },
        { type: "text", text: "kept" },
      ],
    }));
    expect(isError).toBe(false);
    expect(text).toBe("kept");
    const warnings = outcome.messages.filter((m) => m.type === "system" && m.subtype === "notification");
    expect(JSON.stringify(warnings)).toContain("hologram");
    const alone = await answer(() => ({ content: [{ type: "hologram" }] }));
    expect(alone.isError).toBe(true);
  });

  it("Q36 content that is no list, a block without its field, flags that disagree, a thrown non-Error: each an error text", async () => {
    const cyclic: Record<string, unknown> = { content: [{ type: "text", text: "x" }] };
    cyclic.structuredContent = cyclic;
    const bad: readonly (() => unknown)[] = [
      () => ({ content: "text" }),
      () => ({ content: [{ type: "text" }] }),
      () => ({ content: [{ type: "image", data: "abc" }] }),
      () => ({ content: [{ type: "text", text: "x" }], isError: false, is_error: true }),
      () => ({ success: true, output: 10n }),
      () => {
        throw "a string";
      },
      () => {
        throw null;
      },
      () => {
        throw { code: 7 };
      },
      () => ({ success: true, output: cyclic }),
    ];
    for (const [index, execute] of bad.entries()) {
      const { text, isError } = await answer(execute);
      expect(isError, String(index)).toBe(true);
      expect(text.length, String(index)).toBeGreaterThan(0);
    }
  });

  it("Q37 handlers may be plain or async", async () => {
    const result = { content: [{ type: "text", text: "fine" }] };
    for (const execute of [() => result, async () => result]) {
      const { text, isError } = await answer(execute);
      expect([text, isError]).toEqual(["fine", false]);
    }
  });

  it("Q04 a handler gets one args object and the invocation context", async () => {
    let got: unknown[] = [];
    const probe = tool(
      "probe",
      "Remembers its arguments.",
      { a: "string", b: "integer?" },
      async (...args) => {
        got = args;
        return { content: [{ type: "text", text: "ok" }] };
      },
      { riskLevel: "low" },
    );
    const { messages, assistants } = await run(once("probe", { a: "x", b: 2 }), { tools: [probe] });
    const [args, context] = got as [unknown, Record<string, unknown>];
    expect(got).toHaveLength(2);
    expect(args).toEqual({ a: "x", b: 2 });
    const use = assistants[0]?.message.content.find((block) => block.type === "tool_use");
    expect(context).toMatchObject({
      toolUseId: use?.type === "tool_use" ? use.id : "",
      assistantMessageId: assistants[0]?.message.id,
      sessionId: messages[0]?.session_id,
      metadata: { taskId: messages[0]?.session_id },
    });
    expect(context.signal).toBeInstanceOf(AbortSignal);
    expect(typeof context.cwd).toBe("string");
    expect(typeof context.progress).toBe("function");
    expect(typeof context.log).toBe("function");
    expect(typeof (context.artifacts as { put: unknown }).put).toBe("function");
  });

  it("q03 in part: name, description, schema and annotations reach the model's side", async () => {
    const probe = tool("probe", "Looks at one order.", { id: "string" }, () => ({ content: [] }), {
      annotations: { title: "Order", readOnlyHint: true },
      riskLevel: "low",
    });
    const { model, texts } = await run(once("probe", { id: "1" }), { tools: [probe] });
    expect(model.requests[0]?.tools).toEqual([
      expect.objectContaining({
        name: "probe",
        description: "Looks at one order.",
        inputSchema: expect.objectContaining({ properties: { id: { type: "string" } }, required: ["id"] }),
      }),
    ]);
    expect(probe.annotations).toEqual({ title: "Order", readOnlyHint: true });
    expect(texts[0]).toBe("(no output)");
  });
});
