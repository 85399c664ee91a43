import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import { PERMISSION_RULE_SOURCES, type SourcedRule } from "../../protocol/index.ts";
import { inFixedOrder } from "./sort.ts";

const PLAIN: SourcedRule = { text: "b", behavior: "deny", source: "userSettings" };

describe("the order of rules", () => {
  it.each<[string, Partial<SourcedRule>, Partial<SourcedRule>]>([
    ["sources", { source: "policySettings", file: "z" }, { source: "session", file: "a" }],
    ["files", { file: "a", position: 9 }, { file: "b", position: 1 }],
    ["no file first", { position: 9 }, { file: "a", position: 1 }],
    ["lines", { position: 1, text: "z" }, { position: 2, text: "a" }],
    ["lines as numbers", { position: 9 }, { position: 10 }],
    ["no line first", { text: "z" }, { position: 1, text: "a" }],
    ["texts", { text: "a", reason: "z" }, { text: "b", reason: "a" }],
    ["reasons", { reason: "a", expires: 9 }, { reason: "b", expires: 1 }],
    ["no reason first", { expires: 9 }, { reason: "a", expires: 1 }],
    ["what ends sooner", { expires: 1, slashRoot: "z" }, { expires: 2, slashRoot: "a" }],
    ["what never ends last", { expires: 9, slashRoot: "z" }, { slashRoot: "a" }],
    ["places of a slash", { slashRoot: "/a", approver: "human" }, { slashRoot: "/b", approver: "auto" }],
    ["no place first", { approver: "human" }, { slashRoot: "/a", approver: "auto" }],
    ["approvers", { approver: "auto" }, { approver: "human" }],
    ["no approver first", {}, { approver: "auto" }],
  ])("goes by %s", (_, first, second) => {
    const one = { ...PLAIN, ...first };
    const other = { ...PLAIN, ...second };
    expect(inFixedOrder([one, other])).toEqual([one, other]);
    expect(inFixedOrder([other, one])).toEqual([one, other]);
  });

  it("is that of authority for sources, unknown ones last", () => {
    const rules = [...PERMISSION_RULE_SOURCES, "other" as never].map((source) => ({ ...PLAIN, source }));
    expect(inFixedOrder([...rules].reverse())).toEqual(rules);
  });

  it("leaves equal rules as they came, and the list alone", () => {
    const rules = [{ ...PLAIN }, { ...PLAIN }];
    const sorted = inFixedOrder(rules);
    expect(sorted[0]).toBe(rules[0]);
    expect(sorted[1]).toBe(rules[1]);
    expect(sorted).not.toBe(rules);
  });

  it("is the same however rules are given", () => {
    const text = fc.constantFrom("a", "b", "c");
    const rule = fc.record(
      {
        text,
        behavior: fc.constant("deny" as const),
        source: fc.constantFrom(...PERMISSION_RULE_SOURCES),
        file: text,
        position: fc.nat(2),
        reason: text,
        expires: fc.nat(2),
        slashRoot: text,
        approver: fc.constantFrom("human" as const, "auto" as const),
      },
      { requiredKeys: ["text", "behavior", "source"] },
    );
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (made, noise) => {
        const rules = made as SourcedRule[];
        const mixed = rules
          .map((each) => ({ each, at: noise.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        expect(inFixedOrder(mixed)).toEqual(inFixedOrder(rules));
      }),
      { numRuns: runs },
    );
  });
});
