import { describe, expect, it } from "vitest";
import type { Message } from "../protocol/index.ts";
import { messageTokens, textTokens } from "./estimate.ts";
import { createContextMeter } from "./meter.ts";

const prefix = { system: ["You are it."], tools: [], builtinTools: 0 };
const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 1_000, cacheWriteTokens: 30 };

describe("an estimate", () => {
  it.each([
    ["words of English", "The quick brown fox jumps over the lazy dog. ".repeat(20), 200],
    ["Chinese", "敏捷的棕色狐狸跳过懒狗。".repeat(20), 240],
    ["nothing", "", 0],
  ])("of %s is near the count of a real tokenizer", (_, text, real) => {
    expect(textTokens(text)).toBeGreaterThanOrEqual(real * 0.6);
    expect(textTokens(text)).toBeLessThanOrEqual(real * 1.4);
  });

  it("counts inputs, results and files", () => {
    const call: Message = {
      role: "assistant",
      id: "m",
      parts: [{ type: "toolCall", id: "c", name: "Read", input: { path: "x".repeat(400) } }],
    };
    const file = {
      type: "file",
      mediaType: "image/png",
      ref: { kind: "data", base64: "x".repeat(1_000_000) },
    } as const;
    const result: Message = {
      role: "tool",
      parts: [{ type: "toolResult", callId: "c", name: "Read", content: [file], isError: false }],
    };
    expect(messageTokens(call)).toBeGreaterThan(100);
    expect(messageTokens(result)).toBeGreaterThan(1_000);
    expect(messageTokens(result)).toBeLessThan(3_000);
  });
});

describe("the meter", () => {
  it("takes the provider's count, and estimates only what has come since", () => {
    const meter = createContextMeter();
    const messages = [user("a".repeat(4_000))];
    expect(meter.tokens(messages, prefix)).toBeGreaterThan(1_000);
    expect(meter.isCounted()).toBe(false);
    messages.push(user("answer"));
    meter.answered(messages, usage);
    expect(meter.tokens(messages, prefix)).toBe(1_150);
    expect(meter.isCounted()).toBe(true);
    messages.push(user("b".repeat(400)));
    expect(meter.tokens(messages, prefix)).toBe(1_150 + messageTokens(messages[2] as Message));
    expect(meter.tokens(messages, prefix)).toBe(1_150 + messageTokens(messages[2] as Message));
  });

  it("begins anew with another history, and believes no count of nothing", () => {
    const meter = createContextMeter();
    const messages = [user("a".repeat(4_000))];
    meter.answered(messages, { ...usage, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(meter.isCounted()).toBe(false);
    meter.answered(messages, usage);
    const other = [user("b")];
    expect(meter.tokens(other, prefix)).toBeLessThan(50);
    expect(meter.isCounted()).toBe(false);
  });

  it("does not look at a history twice: a session of many turns costs the same a turn", () => {
    const meter = createContextMeter();
    const messages: Message[] = [];
    let looks = 0;
    for (let turn = 0; turn < 500; turn += 1) {
      const parts = [{ type: "text", text: "x" } as const];
      messages.push({
        role: "user",
        get parts() {
          looks += 1;
          return parts;
        },
      });
      meter.tokens(messages, prefix);
    }
    expect(looks).toBe(500);
  });
});
