import { describe, expect, it } from "vitest";
import type { Decision, MatchedRule } from "../protocol/index.ts";
import { suggestionsOf } from "./suggestions.ts";
import { turned, withInput } from "./turned.ts";
import type { Judged } from "./types.ts";
import { finalInput } from "./verdicts.ts";

const rule: MatchedRule = { text: "send", behavior: "ask", source: "session" };
const suggestions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }] as const;
const asked = (over: Partial<Decision> = {}): Decision => ({
  behavior: "ask",
  message: "why",
  reason: { type: "undecided", detail: "why" },
  hard: false,
  trace: [{ step: 5, check: "left", outcome: "ask" }],
  suggestions,
  ...over,
});
const turn = {
  behavior: "allow",
  message: "yes",
  reason: { type: "callback", detail: "yes" },
  check: "canUseTool",
} as const;

describe("a decision that the ask chain turned", () => {
  it("keeps what the first one explains, and says who turned it", () => {
    expect({ ...turned(asked(), turn) }).toStrictEqual({
      behavior: "allow",
      message: "yes",
      reason: turn.reason,
      hard: false,
      trace: [
        { step: 5, check: "left", outcome: "ask" },
        { step: 6, check: "canUseTool", outcome: "allow", detail: "yes" },
      ],
      suggestions,
    });
    expect(turned(asked({ rule, hard: true }), turn)).toMatchObject({ rule, hard: true });
    expect(turned(asked(), turn, { a: 2 }).updatedInput).toEqual({ a: 2 });
  });

  it("explains nothing before it is read", () => {
    const from = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(asked())) as Decision;
    for (const name of ["trace", "suggestions"] as const) {
      Object.defineProperty(from, name, {
        get: () => {
          throw new Error(`${name} was read`);
        },
      });
    }
    expect(() => turned(from, turn).trace).toThrow("trace was read");
    expect(turned(from, turn).message).toBe("yes");
    expect(withInput(from, { a: 2 }).behavior).toBe("ask");
  });
});

describe("a decision about another input", () => {
  it("is the same but for the input", () => {
    expect({ ...withInput(asked(), { a: 2 }) }).toStrictEqual({ ...asked(), updatedInput: { a: 2 } });
    expect({ ...withInput(asked({ rule }), { a: 2 }) }).toStrictEqual({
      ...asked({ rule }),
      updatedInput: { a: 2 },
    });
  });

  it("is told so only where the input is another", () => {
    const judged = (input: object, sent: object) =>
      ({ input, prepared: { call: { input: sent } } }) as unknown as Judged;
    const decision = asked();
    const same = { a: 1 };
    expect(finalInput(judged(same, same), decision)).toBe(decision);
    expect(finalInput(judged({ a: 1 }, same), decision)).toBe(decision);
    expect(finalInput(judged({ a: 2 }, same), decision).updatedInput).toEqual({ a: 2 });
  });
});

describe("what is suggested", () => {
  it("is a copy, and nothing where it cannot be copied", () => {
    const decision = asked();
    const given = suggestionsOf({ decision } as Judged);
    expect(given).toEqual(suggestions);
    expect(given[0]).not.toBe(suggestions[0]);
    const strange = asked({ suggestions: [() => 1] as never });
    expect(suggestionsOf({ decision: strange } as Judged)).toEqual([]);
  });
});
