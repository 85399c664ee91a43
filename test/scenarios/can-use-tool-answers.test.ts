import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CanUseTool, type CanUseToolContext, type Options, tool } from "@castellan/sdk";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { gate, type Live, live, silence } from "../kit/live.ts";
import { resultBlock, resultText, scratch } from "../kit/session.ts";

/** A session that wants to run a command and a tool of the program's own, and asks about each. */
function asking(canUseTool: CanUseTool, options: Options = {}) {
  const cwd = scratch();
  let runs = 0;
  const send = tool("send", "Sends.", { to: "string" }, () => {
    runs += 1;
    return { content: [{ type: "text", text: "sent" }] };
  });
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "Bash", input: { command: "touch marker" } },
        { name: "send", input: { to: "anna" } },
      ],
    },
    "done",
  ]);
  const session = live("go", { cwd, model, tools: ["Bash", send], canUseTool, ...options });
  return { session, model, hasRun: () => runs > 0 || existsSync(join(cwd, "marker")) };
}

function results(session: Live): string[] {
  const users = session.messages.filter((message) => message.type === "user");
  for (const user of users) expect(resultBlock(user).is_error).toBe(true);
  return users.map(resultText);
}

const always = (answer: unknown): CanUseTool => (() => answer) as CanUseTool;
const rule = { type: "addRules", behavior: "allow", rules: [{ toolName: "send" }], destination: "session" };
const hostile = {
  get behavior(): string {
    throw new Error("a trap");
  },
};

const THEN = "then";

function explode(): never {
  throw new Error("then!");
}

const BAD: readonly (readonly [string, CanUseTool, RegExp])[] = [
  ["undefined", always(undefined), /undefined/],
  ["null", always(null), /null/],
  ["true", always(true), /boolean/],
  ["a text", always("allow"), /string/],
  ["a number", always(1), /number/],
  ["a list", always([{ behavior: "allow" }]), /list/],
  ["an empty object", always({}), /without "behavior"/],
  ["an unknown behavior", always({ behavior: "Allow" }), /"Allow"/],
  ["ask", always({ behavior: "ask" }), /"ask"/],
  ["allow in another field", always({ decision: "allow" }), /without "behavior"/],
  ["behavior of the prototype", always(Object.create({ __proto__: null })), /without "behavior"/],
  ["a deny without a message", always({ behavior: "deny" }), /without a "message"/],
  ["a deny whose message is no text", always({ behavior: "deny", message: 5 }), /"message"/],
  [
    "updatedInput that is a text",
    always({ behavior: "allow", updatedInput: "rm" }),
    /"updatedInput" is no object/,
  ],
  [
    "updatedInput that is null",
    always({ behavior: "allow", updatedInput: null }),
    /"updatedInput" is no object/,
  ],
  [
    "updatedInput that is a list",
    always({ behavior: "allow", updatedInput: [] }),
    /"updatedInput" is no object/,
  ],
  [
    "updatedInput that does not fit",
    always({ behavior: "allow", updatedInput: { nothing: 1 } }),
    /does not fit/,
  ],
  ["updated_input", always({ behavior: "allow", updated_input: {} }), /"updatedInput" was meant/],
  ["updatedPermissions that are no list", always({ behavior: "allow", updatedPermissions: rule }), /no list/],
  [
    "an update without a type",
    always({ behavior: "allow", updatedPermissions: [{ ...rule, type: undefined }] }),
    /type/,
  ],
  [
    "an update of a settings file with a rule that cannot be read",
    always({
      behavior: "allow",
      updatedPermissions: [
        { ...rule, rules: [{ toolName: "Bash", ruleContent: "" }], destination: "userSettings" },
      ],
    }),
    /could not be applied/,
  ],
  [
    "an update to bypassPermissions",
    always({
      behavior: "allow",
      updatedPermissions: [{ type: "setMode", mode: "bypassPermissions", destination: "session" }],
    }),
    /could not be applied/,
  ],
  ["an object that traps whoever reads it", always(hostile), /a trap/],
  [
    "a throw",
    () => {
      throw new Error("boom");
    },
    /threw: boom/,
  ],
  [
    "a throw of nothing",
    () => {
      throw undefined;
    },
    /it threw/,
  ],
  ["a rejection", () => Promise.reject(new Error("later boom")), /threw: later boom/],
  ["a rejection that is no Error", () => Promise.reject("bare"), /threw: bare/],
  ["a promise of undefined", async () => undefined as never, /undefined/],
  ["a thenable that throws", always(Object.defineProperty({}, THEN, { value: explode })), /then!/],
];

describe("a bad answer of canUseTool", () => {
  it.each(BAD)("%s: nothing runs, the model reads why, the loop goes on", async (_, canUseTool, cause) => {
    const { session, model, hasRun } = asking(canUseTool);
    expect(await session.ended).toBeUndefined();
    assertComplete(session.messages);
    expect(hasRun()).toBe(false);
    for (const text of results(session)) expect(text).toMatch(cause);
    expect(results(session)).toHaveLength(2);
    expect(session.results()).toMatchObject([{ subtype: "success", result: "done" }]);
    expect(session.results()[0]?.permission_denials).toHaveLength(2);
    const read = model.requests[1]?.messages.at(-1)?.parts ?? [];
    for (const part of read)
      expect(part).toMatchObject({ content: [{ text: expect.stringMatching(cause) }] });
    const warnings = session.messages.filter(
      (message) => message.type === "system" && message.subtype === "notification",
    );
    expect(warnings).toHaveLength(2);
  });

  it("no answer within canUseToolTimeoutMs: denied, its signal fires, and a late answer changes nothing", async () => {
    const contexts: CanUseToolContext[] = [];
    const late: ((answer: { behavior: "allow" }) => void)[] = [];
    const { session, hasRun } = asking(
      (_, __, context) => {
        contexts.push(context);
        return new Promise((resolve) => late.push(resolve));
      },
      { canUseToolTimeoutMs: 20 },
    );
    expect(await session.ended).toBeUndefined();
    assertComplete(session.messages);
    for (const text of results(session)) expect(text).toMatch(/no answer within 20 ms/);
    for (const context of contexts) expect(context.signal.aborted).toBe(true);
    for (const answer of late) answer({ behavior: "allow" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([contexts.length, hasRun()]).toEqual([2, false]);
  });

  const ways: readonly (readonly [string, (session: Live, abort: AbortController) => unknown, string])[] = [
    ["interrupt()", ({ query }) => query.interrupt(), "interrupted"],
    ["close()", ({ query }) => query.close(), "closed"],
    ["abort", (_, abort) => abort.abort(), "aborted"],
  ];

  it.each(ways)("no answer ever, and then %s: the wait ends, nothing runs", async (_, act, reason) => {
    const abortController = new AbortController();
    const door = gate();
    let signal: AbortSignal | undefined;
    const { session, hasRun } = asking(
      (_name, _input, context) => {
        signal = context.signal;
        return door.wait().then(silence);
      },
      { abortController },
    );
    await door.reached;
    await act(session, abortController);
    await session.ended;
    assertComplete(session.messages);
    expect(signal?.aborted).toBe(true);
    expect(results(session)).toHaveLength(2);
    expect(hasRun()).toBe(false);
    expect(session.results()).toMatchObject([{ terminal_reason: reason }]);
  });

  it.each(ways)("allow after %s: too late, nothing runs, no rule is remembered", async (_, act, reason) => {
    const abortController = new AbortController();
    const door = gate();
    const { session, hasRun } = asking(
      () => door.wait().then(() => ({ behavior: "allow", updatedPermissions: [rule as never] })),
      { abortController },
    );
    await door.reached;
    await act(session, abortController);
    door.open();
    await session.ended;
    await new Promise(setImmediate);
    expect(hasRun()).toBe(false);
    expect(session.results()).toMatchObject([{ terminal_reason: reason }]);
  });

  it("a good answer does run: the rows above are about something", async () => {
    const { session, hasRun } = asking(async () => ({ behavior: "allow" }));
    await session.ended;
    expect(hasRun()).toBe(true);
    expect(session.results()).toMatchObject([{ permission_denials: [] }]);
  });
});
