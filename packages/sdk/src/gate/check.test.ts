import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { AbortError, type CheckAnswer, type JsonObject, type ToolDefinition } from "../protocol/index.ts";
import { runCheck } from "./check.ts";
import { makeTool } from "./test-kit.ts";
import { Cancelled } from "./waiting.ts";

const { clock } = nodePlatform();
const INPUT = { a: 1 };

/** Runs a check that answers these, one after the other, and remembers what it was shown. */
async function checked(answers: readonly unknown[], fields: Partial<ToolDefinition> = {}) {
  const shown: JsonObject[] = [];
  const left = [...answers];
  const tool = makeTool("send", {
    checkPermissions: (input) => {
      shown.push(input);
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer as CheckAnswer;
    },
    ...fields,
  });
  const context = { cwd: "/", sessionId: "session", signal: new AbortController().signal, services: {} };
  return { outcome: await runCheck(tool, INPUT, context, clock), shown };
}
const outcome = async (...answers: unknown[]) => (await checked(answers)).outcome;
const ask = { behavior: "ask" } as const;
const kept = { behavior: "ask", kept: true } as const;
const deny = { behavior: "deny" } as const;
const allow = { behavior: "allow" } as const;
const pass = { behavior: "passthrough" } as const;
const rewrite = <T extends object>(answer: T) => ({ ...answer, updatedInput: { a: 2 } });

describe("the check of a tool", () => {
  it("is not run where there is none", async () => {
    expect(await checked([allow], { hasCheck: false })).toEqual({
      outcome: { ok: true, input: INPUT },
      shown: [],
    });
  });

  it("answers as it is, and holds nothing that it does not say", async () => {
    for (const answer of [allow, deny, ask, pass, kept, { behavior: "ask", kept: false }]) {
      expect(await outcome(answer)).toStrictEqual({ ok: true, input: INPUT, check: answer });
    }
    const suggestions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    const full = { ...deny, message: "why", suggestions };
    expect(await outcome({ ...full, more: 1 })).toStrictEqual({ ok: true, input: INPUT, check: full });
  });

  it("may give the same input back", async () => {
    const { outcome: same, shown } = await checked([{ ...allow, updatedInput: { a: 1 } }]);
    expect(same).toMatchObject({ ok: true, input: INPUT, check: allow });
    expect(shown).toEqual([INPUT]);
  });

  it("is shown what it rewrote, and may then only tighten", async () => {
    const rows: readonly (readonly [object, object, object])[] = [
      [allow, deny, deny],
      [allow, ask, ask],
      [ask, kept, kept],
      [ask, deny, deny],
      [pass, ask, ask],
      [kept, deny, deny],
      [ask, allow, rewrite(ask)],
      [kept, ask, rewrite(kept)],
      [deny, kept, rewrite(deny)],
      [allow, pass, rewrite(allow)],
      [pass, allow, rewrite(pass)],
      // Of the same weight the first one stays.
      [{ ...ask, message: "first" }, { ...ask, message: "second" }, rewrite({ ...ask, message: "first" })],
    ];
    for (const [first, second, check] of rows) {
      const { outcome: found, shown } = await checked([rewrite(first), second]);
      expect(found).toEqual({ ok: true, input: { a: 2 }, check });
      expect(shown).toEqual([INPUT, { a: 2 }]);
    }
  });

  it("does not rewrite twice", async () => {
    expect(await outcome(rewrite(allow), { ...ask, updatedInput: { a: 3 } })).toMatchObject({
      input: { a: 2 },
      check: { behavior: "ask" },
    });
  });

  it("that fails the second time is a failure, but a deny stays one", async () => {
    expect(await outcome(rewrite(allow), new Error("broken"))).toEqual({
      ok: true,
      input: { a: 2 },
      check: { failed: "it threw: broken" },
    });
    expect(await outcome(rewrite(deny), new Error("broken"))).toEqual({
      ok: true,
      input: { a: 2 },
      check: rewrite(deny),
    });
  });

  it("that rewrites into something invalid ends the call", async () => {
    const issues = [{ path: "a", message: "is too large", expected: "1", got: "2" }];
    const found = await checked([rewrite(allow)], { parseInput: () => ({ ok: false, issues }) });
    expect(found.outcome).toEqual({
      ok: false,
      text: expect.stringMatching(
        /^The check of send changed the input\. The input of send is not valid.*is too large/s,
      ),
    });
  });

  it.each([
    [undefined, "it answered with no object"],
    [null, "it answered with no object"],
    ["allow", "it answered with no object"],
    [{}, "its behavior is none of allow, deny, ask and passthrough"],
    [{ behavior: "ALLOW" }, "its behavior is none of allow, deny, ask and passthrough"],
    [{ ...allow, message: 7 }, "its message is no text"],
    [{ ...ask, kept: "yes" }, "its kept is neither true nor false"],
    [{ ...ask, kept: null }, "its kept is neither true nor false"],
    [{ ...allow, updatedInput: "text" }, "its updatedInput is no object"],
    [{ ...allow, updatedInput: null }, "its updatedInput is no object"],
    [{ ...allow, updatedInput: [1] }, "its updatedInput is no object"],
    [{ ...allow, updatedInput: 7 }, "its updatedInput is no object"],
    [new Error("broken"), "it threw: broken"],
  ])("that answers %j has failed", async (answer, failed) => {
    expect(await outcome(answer)).toEqual({ ok: true, input: INPUT, check: { failed } });
  });

  it("that answers with no JSON has failed", async () => {
    expect(await outcome({ ...allow, updatedInput: { a: () => 1 } })).toMatchObject({
      check: { failed: expect.stringMatching(/^its updatedInput is no JSON: ./) },
    });
    expect(await outcome({ ...allow, suggestions: [{ type: "sing" }] })).toMatchObject({
      check: { failed: expect.stringContaining("suggestions") },
    });
  });

  it("that aborts ends the call", async () => {
    await expect(checked([new AbortError("mine")])).rejects.toBeInstanceOf(Cancelled);
  });
});
