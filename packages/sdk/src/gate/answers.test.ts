import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CanUseTool, CanUseToolContext, JsonObject, PermissionResult } from "../protocol/index.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

async function made(options: GateKitOptions): Promise<GateKit> {
  const kit = await gateKit({ tools: [makeTool("send")], ...options });
  kits.push(kit);
  return kit;
}

const answering = (answer: unknown): CanUseTool => (() => answer) as CanUseTool;
const INPUT: JsonObject = { to: "anna" };

class Allow {
  behavior = "allow" as const;
}
class Deny {
  get behavior(): "deny" {
    return "deny";
  }
  message = "not today";
}

describe("an answer of canUseTool that is none", () => {
  const thrower = {
    get behavior(): string {
      throw new Error("no reading");
    },
  };
  const rows: readonly (readonly [string, CanUseTool, RegExp])[] = [
    ["undefined", answering(undefined), /returned undefined; it must return/],
    ["null", answering(null), /returned null/],
    ["true", answering(true), /a boolean \(true\)/],
    ["a text", answering("allow"), /a string \(allow\)/],
    ["a list", answering([{ behavior: "allow" }]), /a list/],
    ["an empty object", answering({}), /without "behavior"/],
    ["an unknown behavior", answering({ behavior: "Allow" }), /the behavior "Allow"/],
    ["ask", answering({ behavior: "ask" }), /the behavior "ask"/],
    ["a behavior of another type", answering({ behavior: 1n }), /canUseTool gave no usable answer/],
    ["a deny without a message", answering({ behavior: "deny" }), /without a "message"/],
    ["a deny with an empty message", answering({ behavior: "deny", message: " " }), /without a "message"/],
    [
      "a deny whose interrupt is no flag",
      answering({ behavior: "deny", message: "m", interrupt: "yes" }),
      /"interrupt"/,
    ],
    [
      "an input that is a text",
      answering({ behavior: "allow", updatedInput: "x" }),
      /"updatedInput" is no object/,
    ],
    [
      "an input that is null",
      answering({ behavior: "allow", updatedInput: null }),
      /"updatedInput" is no object/,
    ],
    [
      "an input with a function",
      answering({ behavior: "allow", updatedInput: { a: () => 1 } }),
      /"a" is a function/,
    ],
    ["a misspelt input", answering({ behavior: "allow", updated_input: {} }), /"updatedInput" was meant/],
    ["updates that are no list", answering({ behavior: "allow", updatedPermissions: {} }), /no list/],
    [
      "an update without a type",
      answering({ behavior: "allow", updatedPermissions: [{ destination: "session" }] }),
      /updatedPermissions\[0\] has no known type/,
    ],
    [
      "an update without a destination",
      answering({ behavior: "allow", updatedPermissions: [{ type: "setMode", mode: "default" }] }),
      /destination/,
    ],
    [
      "an update to bypass without the danger flag",
      answering({
        behavior: "allow",
        updatedPermissions: [{ type: "setMode", mode: "yolo", destination: "session" }],
      }),
      /updatedPermissions could not be applied/,
    ],
    [
      "an update of a file",
      answering({
        behavior: "allow",
        updatedPermissions: [
          { type: "addRules", behavior: "allow", rules: [{ toolName: "send" }], destination: "userSettings" },
        ],
      }),
      /updatedPermissions could not be applied/,
    ],
    [
      "a throw",
      () => {
        throw new Error("boom");
      },
      /threw: boom/,
    ],
    ["a rejection", () => Promise.reject(new Error("later boom")), /threw: later boom/],
    ["a rejection that is no Error", () => Promise.reject("bare"), /threw: bare/],
    ["a thing that cannot be read", answering(thrower), /no reading/],
    ["silence", () => new Promise(() => {}), /no answer within 20 ms \(canUseToolTimeoutMs\)/],
  ];

  it.each(rows)("%s: denies with the cause", async (_, canUseTool, cause) => {
    const kit = await made({ canUseTool, deps: { canUseToolTimeoutMs: 20 } });
    const verdict = await kit.ask("send", INPUT);
    expect(verdict).toMatchObject({ kind: "refuse", code: "denied", asked: true, input: INPUT });
    expect(verdict.kind === "refuse" && verdict.text).toMatch(cause);
    expect(verdict.kind === "refuse" && verdict.decision).toMatchObject({
      behavior: "deny",
      reason: { type: "callback" },
    });
    expect(kit.notes.join()).toMatch(cause);
    expect(kit.of("rules.changed")).toEqual([]);
    expect(kit.of("mode.changed")).toEqual([]);
  });

  it("still interrupts when only the message is missing", async () => {
    const kit = await made({ canUseTool: answering({ behavior: "deny", interrupt: true }) });
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "refuse", interrupt: true });
  });

  it("ends the wait with the signal, and ignores what comes later", async () => {
    let told: AbortSignal | undefined;
    let answer: (value: PermissionResult) => void = () => {};
    const kit = await made({
      canUseTool: (_, __, context) => {
        told = context.signal;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const controller = new AbortController();
    const pending = kit.ask("send", INPUT, controller.signal);
    while (told === undefined) await new Promise(setImmediate);
    controller.abort("stop");
    expect(await pending).toEqual({ kind: "cancelled" });
    expect(told).toMatchObject({ aborted: true, reason: "stop" });
    answer({
      behavior: "allow",
      updatedPermissions: [
        { type: "addRules", behavior: "allow", rules: [{ toolName: "send" }], destination: "session" },
      ],
    });
    await new Promise(setImmediate);
    expect(kit.events).toEqual([]);
  });

  it("tells a callback that was too slow that its answer is moot", async () => {
    let told: AbortSignal | undefined;
    const kit = await made({
      canUseTool: (_, __, context) => {
        told = context.signal;
        return new Promise(() => {});
      },
      deps: { canUseToolTimeoutMs: 10 },
    });
    await kit.ask("send", INPUT);
    expect(told?.aborted).toBe(true);
  });
});

describe("an answer of canUseTool", () => {
  it("takes objects of classes", async () => {
    const allow = await made({ canUseTool: answering(new Allow()) });
    expect(await allow.ask("send", INPUT)).toMatchObject({ kind: "run", input: INPUT, asked: true });
    const deny = await made({ canUseTool: answering(new Deny()) });
    expect(await deny.ask("send", INPUT)).toMatchObject({ kind: "refuse", text: "not today" });
  });

  it("hands a deny with interrupt on", async () => {
    const kit = await made({
      canUseTool: answering({ behavior: "deny", message: "stop it", interrupt: true }),
    });
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "refuse", text: "stop it", interrupt: true });
  });

  it("tells all about the call, in a copy", async () => {
    let seen: CanUseToolContext | undefined;
    const tool = makeTool("wipe", {
      title: "Wipe",
      userFacingName: () => "Wipe all",
      describe: (input) => `Wipes ${input.to}`,
      summary: (input) => `the disk\n of ${input.to}`,
      isDestructive: () => true,
      mcpInfo: { serverName: "disk", toolName: "wipe" },
    });
    const kit = await made({
      tools: [tool],
      canUseTool: (_, input, context) => {
        seen = context;
        input.to = "everything";
        return { behavior: "allow" };
      },
    });
    expect(await kit.ask("wipe", INPUT)).toMatchObject({ kind: "run", input: { to: "anna" } });
    expect(INPUT).toEqual({ to: "anna" });
    expect(seen).toMatchObject({
      toolUseID: "call_1",
      requestId: expect.stringMatching(/^req_/),
      title: "Wipe all: the disk of anna (cannot be undone)",
      displayName: "Wipe all",
      description: "Wipes anna",
      mcpServer: "disk",
      destructive: true,
      suggestions: [],
      decision: { behavior: "ask" },
    });
    expect(seen?.decisionReason).toBe(seen?.decision.message);
  });

  it("is not asked when rules settled the call", async () => {
    const never: CanUseTool = () => {
      throw new Error("asked");
    };
    const kit = await made({
      canUseTool: never,
      rules: { allow: ["send"], deny: ["other"] },
      tools: [makeTool("send"), makeTool("other")],
    });
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "run", asked: false });
    expect(await kit.ask("other", INPUT)).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule" } },
    });
  });

  it("applies session permissions before the next call", async () => {
    let asked = 0;
    const kit = await made({
      canUseTool: () => {
        asked += 1;
        return {
          behavior: "allow",
          updatedPermissions: [
            { type: "addRules", behavior: "allow", rules: [{ toolName: "send" }], destination: "session" },
          ],
        };
      },
    });
    await kit.ask("send", INPUT);
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "run", asked: false });
    expect(asked).toBe(1);
    expect(kit.of("rules.changed")).toMatchObject([
      { by: "canUseTool", rules: [{ text: "send", behavior: "allow", source: "session" }] },
    ]);
  });
});

describe("a directory that an answer adds", () => {
  it("is known under its real name too", async () => {
    const kit = await made({
      canUseTool: (_name, input) => ({
        behavior: "allow",
        updatedPermissions: [
          { type: "addDirectories", directories: [String(input.dir)], destination: "session" },
        ],
      }),
    });
    const real = join(kit.cwd, "real");
    await mkdir(real);
    await symlink(real, join(kit.cwd, "link"));
    await kit.ask("send", { ...INPUT, dir: real });
    await kit.ask("send", { ...INPUT, dir: join(kit.cwd, "missing") });
    expect([...(kit.holder.current().context.realForms ?? [])]).toEqual([]);
    await kit.ask("send", { ...INPUT, dir: join(kit.cwd, "link") });
    expect([...(kit.holder.current().context.realForms ?? [])]).toEqual([[join(kit.cwd, "link"), real]]);
  });
});

describe("canUseToolScope every-call", () => {
  const everyCall = { canUseToolScope: "every-call" } as const;

  it("asks about allowed calls, and only tightens", async () => {
    const asked: string[] = [];
    const kit = await made({
      tools: [makeTool("send"), makeTool("other")],
      rules: { allow: ["send"], deny: ["other"] },
      deps: everyCall,
      canUseTool: (name) => {
        asked.push(name);
        return { behavior: "deny", message: "not this one" };
      },
    });
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "refuse", text: "not this one" });
    expect(await kit.ask("other", INPUT)).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "rule" } },
    });
    expect(asked).toEqual(["send"]);
  });

  it("never turns an ask of dontAsk into a question", async () => {
    const kit = await made({
      context: { mode: "dontAsk" },
      deps: everyCall,
      canUseTool: answering({ behavior: "allow" }),
    });
    expect(await kit.ask("send", INPUT)).toMatchObject({
      kind: "refuse",
      decision: { reason: { type: "mode" } },
    });
  });

  it("runs what was allowed when no callback is there", async () => {
    const kit = await made({ rules: { allow: ["send"] }, deps: everyCall });
    expect(await kit.ask("send", INPUT)).toMatchObject({ kind: "run" });
  });
});
