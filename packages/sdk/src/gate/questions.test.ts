import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  AbortError,
  type CanUseToolContext,
  type DecisionReason,
  type JsonObject,
  type ToolDefinition,
} from "../protocol/index.ts";
import { askCallback } from "./ask-callback.ts";
import type { GateKit, GateKitOptions } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";
import type { Judged } from "./types.ts";
import { Cancelled } from "./waiting.ts";

const kits: GateKit[] = [];
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.remove())));

/** What the callback is told of a call of the tool `send`. */
async function told(fields: Partial<ToolDefinition> = {}, options: GateKitOptions = {}, agentId?: string) {
  let seen: CanUseToolContext | undefined;
  const kit = await gateKit({
    tools: [makeTool("send", fields)],
    canUseTool: (_, __, context) => {
      seen = context;
      return { behavior: "allow" };
    },
    ...options,
  });
  kits.push(kit);
  const scope = { signal: new AbortController().signal, ...(agentId !== undefined && { agentId }) };
  const verdict = await kit.gate.authorise(
    { id: "call_1", name: "send", input: { a: 1 }, assistantMessageId: "msg_1" },
    scope,
  );
  if (seen === undefined) throw new Error(JSON.stringify(verdict));
  return { ...seen, cwd: kit.cwd };
}
const throwing = () => {
  throw new Error("broken");
};
const path = (access: "read" | "write", name: string): Partial<ToolDefinition> => ({
  targets: () => [{ kind: "path", access, path: name }],
});

describe("what canUseTool is told of a call", () => {
  it("is this, where there is nothing else to tell", async () => {
    const context = await told();
    expect(Object.keys(context).sort()).toEqual(
      [
        ...["cwd", "decision", "decisionReason", "description", "destructive", "displayName", "openWorld"],
        ...["requestId", "signal", "suggestions", "title", "toolUseID"],
      ].sort(),
    );
    expect(context).toMatchObject({
      title: "send",
      displayName: "send",
      description: "Runs send",
      destructive: false,
      openWorld: false,
      toolUseID: "call_1",
    });
    expect(context.signal.aborted).toBe(false);
  });

  it("names the agent, the rule and the server behind it", async () => {
    expect((await told({}, {}, "agent_1")).agentID).toBe("agent_1");
    expect((await told({}, { rules: { ask: ["send"] } })).matchedRule).toBe("send");
    const mcpInfo = { serverName: "post", toolName: "send" };
    expect((await told({ mcpInfo })).mcpServer).toBe("post");
  });

  it("names the path that stands in the way", async () => {
    const outside = await told(path("write", "/elsewhere/x"));
    expect(outside.decision.reason.type).toBe("workingDirectory");
    expect(outside.blockedPath).toBe("/elsewhere/x");
    const guarded = await told(path("write", ".git/config"));
    expect(guarded.decision.reason.type).toBe("safetyCheck");
    expect(guarded.blockedPath).toContain(".git/config");
    expect((await told({}, { rules: { ask: ["send"] } })).blockedPath).toBeUndefined();
  });

  it("has names that are texts, whatever the tool gives", async () => {
    const broken = { userFacingName: throwing, describe: throwing, summary: throwing };
    expect(await told({ ...broken, title: "Send it" })).toMatchObject({
      displayName: "Send it",
      description: "The tool send",
      title: "Send it",
    });
    expect(await told(broken)).toMatchObject({ displayName: "send", title: "send" });
    for (const nothing of ["", 7, null, undefined, ["x"]]) {
      const strange = () => nothing as string;
      expect(
        await told({ userFacingName: strange, describe: strange, summary: strange, title: "Send it" }),
      ).toMatchObject({ displayName: "Send it", description: "The tool send", title: "Send it" });
    }
  });

  it.each([
    ["the mail", "send: the mail"],
    [" \n the\t\tmail \n", "send: the mail"],
    ["send", "send"],
    ["", "send"],
    ["  ", "send"],
    ["x".repeat(200), `send: ${"x".repeat(200)}`],
    ["x".repeat(201), `send: ${"x".repeat(200)} …`],
  ])("has a title on one line: %j", async (summary, title) => {
    expect((await told({ summary: () => summary })).title).toBe(title);
    const wiped = { summary: () => summary, isDestructive: () => true };
    expect((await told(wiped)).title).toBe(`${title} (cannot be undone)`);
  });
});

describe("waiting for an answer", () => {
  async function judged(options: GateKitOptions = {}): Promise<{ kit: GateKit; judged: Judged }> {
    const kit = await gateKit({ tools: [makeTool("send")], ...options });
    kits.push(kit);
    const call = { id: "call_1", name: "send", input: { a: 1 }, assistantMessageId: "msg_1" };
    const found = await kit.gate.consider(call, { signal: new AbortController().signal });
    if (found.kind !== "decided") throw new Error("no question");
    return { kit, judged: found.judged };
  }

  it("leaves no listener behind, whatever came", async () => {
    const { kit, judged: question } = await judged({ deps: { canUseToolTimeoutMs: 5 } });
    const { signal } = new AbortController();
    const held = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((type: string, listener: never, options: never) => {
      held.add(listener);
      add(type, listener, options);
    }) as typeof add;
    signal.removeEventListener = ((type: string, listener: never, options: never) => {
      if (type === "abort") held.delete(listener);
      remove(type, listener, options);
    }) as typeof remove;
    const ask = (answer: () => unknown) => askCallback(answer as never, question, kit.deps, { signal });
    expect(await ask(() => ({ behavior: "allow" }))).toEqual({ kind: "allow", updates: [] });
    expect(await ask(throwing)).toEqual({ kind: "bad", problem: "it threw: broken" });
    expect(await ask(() => new Promise(() => {}))).toEqual({
      kind: "bad",
      problem: "it gave no answer within 5 ms (canUseToolTimeoutMs)",
    });
    expect([...held]).toEqual([]);
  });

  it("ends with the run, whatever the callback throws then; an abort of its own is a fault", async () => {
    const { kit, judged: question } = await judged();
    const run = new AbortController();
    const aborting = () => {
      run.abort();
      throw new Error("late");
    };
    await expect(askCallback(aborting, question, kit.deps, { signal: run.signal })).rejects.toBeInstanceOf(
      Cancelled,
    );
    const own = () => {
      throw new AbortError("mine");
    };
    const { signal } = new AbortController();
    expect(await askCallback(own, question, kit.deps, { signal })).toEqual({
      kind: "bad",
      problem: expect.stringContaining("mine"),
    });
  });

  it("names the path of the part of a line that stands in the way", async () => {
    const { kit, judged: question } = await judged();
    const { signal } = new AbortController();
    const blocked = async (reason: DecisionReason) => {
      let seen: string | undefined = "not asked";
      const asking = (_: string, __: JsonObject, context: CanUseToolContext) => {
        seen = context.blockedPath;
        return { behavior: "allow" } as const;
      };
      const decision = { ...question.decision, reason };
      await askCallback(asking, { ...question, decision }, kit.deps, { signal });
      return seen;
    };
    const outside = { type: "workingDirectory", path: "/elsewhere" } as const;
    const part = { type: "subcommand", command: "cat x", reason: outside } as const;
    expect(await blocked(outside)).toBe("/elsewhere");
    expect(await blocked(part)).toBe("/elsewhere");
    expect(await blocked({ type: "subcommand", command: "cat x; ls", reason: part })).toBe("/elsewhere");
    expect(await blocked({ type: "safetyCheck", detail: "why", path: "/x" })).toBe("/x");
    expect(await blocked({ type: "safetyCheck", detail: "why" })).toBeUndefined();
    expect(await blocked({ type: "hook", detail: "why", path: "/x" } as DecisionReason)).toBeUndefined();
  });

  it("shows even an input that cannot be copied, in a copy of its top", async () => {
    const { kit, judged: question } = await judged();
    const strange = { now: () => 1, a: 1 } as unknown as JsonObject;
    let shown: JsonObject | undefined;
    await askCallback(
      (_, input) => {
        shown = input;
        return { behavior: "deny", message: "no" };
      },
      { ...question, input: strange },
      kit.deps,
      { signal: new AbortController().signal },
    );
    expect(shown).toEqual(strange);
    expect(shown).not.toBe(strange);
  });
});

describe("what a call comes to", () => {
  async function asked(options: GateKitOptions, fields: Partial<ToolDefinition> = {}) {
    const kit = await gateKit({ tools: [makeTool("send", fields)], ...options });
    kits.push(kit);
    await mkdir(join(kit.cwd, ".git"));
    const verdict = await kit.ask("send", { a: 1 });
    const { decision } = verdict.kind === "cancelled" ? {} : verdict;
    return { verdict, notes: kit.notes, decision, last: decision?.trace.at(-1) };
  }
  const yes = () => ({ behavior: "allow" }) as const;

  it("says that a rule settled it, and that nobody was asked", async () => {
    const denied = await asked({ rules: { deny: ["send"] }, canUseTool: yes });
    expect(denied.verdict).toMatchObject({ kind: "refuse", code: "denied" });
    expect(Object.keys(denied.verdict)).not.toContain("asked");
    const allowed = await asked({ rules: { allow: ["send"] }, canUseTool: yes });
    expect(allowed.verdict).toMatchObject({ kind: "run", asked: false });
    const everyCall = { canUseToolScope: "every-call" } as const;
    const unasked = await asked({ rules: { allow: ["send"] }, deps: everyCall });
    expect(unasked.verdict).toMatchObject({ kind: "run", asked: false });
  });

  it("says that canUseTool allowed it", async () => {
    const { verdict, decision, last } = await asked({ canUseTool: yes });
    expect(verdict).toMatchObject({ kind: "run", asked: true });
    expect(decision).toMatchObject({
      behavior: "allow",
      message: "Allowed by canUseTool.",
      reason: { type: "callback", detail: "Allowed by canUseTool." },
    });
    expect(last).toEqual({
      step: 6,
      check: "canUseTool",
      outcome: "allow",
      detail: "Allowed by canUseTool.",
    });
  });

  it("says that canUseTool refused it", async () => {
    const { verdict, decision, last } = await asked({
      canUseTool: () => ({ behavior: "deny", message: "not today" }),
    });
    expect(verdict).toMatchObject({ kind: "refuse", code: "denied", text: "not today", asked: true });
    expect(Object.keys(verdict)).not.toContain("interrupt");
    expect(decision).toMatchObject({ behavior: "deny", reason: { type: "callback", detail: "not today" } });
    expect(last).toEqual({ step: 6, check: "canUseTool", outcome: "deny", detail: "not today" });
  });

  it("says that there was no usable answer, to the person too", async () => {
    const { verdict, notes } = await asked({ canUseTool: (() => "yes") as never });
    const why =
      'it returned a string (yes); it must return { behavior: "allow" } or { behavior: "deny", message }';
    expect(verdict).toMatchObject({
      kind: "refuse",
      asked: true,
      text: `send was denied: canUseTool gave no usable answer: ${why}.`,
    });
    expect(Object.keys(verdict)).not.toContain("interrupt");
    expect(notes).toEqual([`canUseTool gave no usable answer about send: ${why}. The call was denied.`]);
  });

  it("says that the mode refuses what would be a question", async () => {
    const { verdict, decision, last } = await asked({ context: { mode: "dontAsk" }, canUseTool: yes });
    expect(verdict).toMatchObject({ kind: "refuse", text: expect.stringMatching(/dontAsk/) });
    expect(Object.keys(verdict)).not.toContain("asked");
    expect(decision?.reason).toEqual({ type: "mode", mode: "dontAsk" });
    expect(last).toMatchObject({ step: 6, outcome: "deny" });
    const allowed = await asked({ context: { mode: "dontAsk" }, rules: { allow: ["send"] } });
    expect(allowed.verdict).toMatchObject({ kind: "run" });
    // Nobody hears of it, hooks neither.
    let heard = 0;
    const hooks = { PermissionRequest: [{ hooks: [() => ({ heard: ++heard })] }] } as never;
    await asked({ context: { mode: "dontAsk" }, hooks });
    expect(heard).toBe(0);
  });

  it("says that background work can ask nobody", async () => {
    const { verdict, decision, last } = await asked({ context: { avoidPrompts: true }, canUseTool: yes });
    const message = expect.stringMatching(
      / This work runs in the background and can ask nobody, so it is refused\.$/,
    );
    expect(verdict).toMatchObject({ kind: "refuse", text: message });
    expect(Object.keys(verdict)).not.toContain("asked");
    expect(decision).toMatchObject({ behavior: "deny", reason: { type: "noApprover", detail: message } });
    expect(last).toMatchObject({ step: 6, check: "avoidPrompts", outcome: "deny" });
    const allowed = await asked({ context: { avoidPrompts: true }, rules: { allow: ["send"] } });
    expect(allowed.verdict).toMatchObject({ kind: "run" });
    const both = await asked({ context: { avoidPrompts: true, mode: "dontAsk" }, canUseTool: yes });
    expect(both.decision?.reason).toEqual({ type: "mode", mode: "dontAsk" });
  });

  it("says that nobody was there, and what would settle it", async () => {
    const { verdict, decision, last } = await asked({});
    expect(verdict).toMatchObject({
      kind: "refuse",
      text: expect.stringMatching(
        / Nobody could be asked \(no canUseTool is set\), so it is refused\. An allow rule \(allowedTools\) for it, or a canUseTool, would settle it\.$/,
      ),
    });
    expect(Object.keys(verdict)).not.toContain("asked");
    expect(decision?.reason.type).toBe("noApprover");
    expect(last).toMatchObject({ step: 6, check: "nobody there", outcome: "deny" });
    const person = await asked({}, { requiresUserInteraction: () => true });
    expect(person.verdict).toMatchObject({ text: expect.stringMatching(/so it is refused\.$/) });
  });

  it("says which questions an edit raised", async () => {
    const targets = (input: JsonObject) =>
      ["x", "y"].map((name) => ({ kind: "name", value: `${name}${input.a}` }) as const);
    const { verdict, decision, last } = await asked(
      {
        rules: { ask: ["send(x2)", "send(y2)"] },
        canUseTool: () => ({ behavior: "allow", updatedInput: { a: 2 } }),
      },
      { targets },
    );
    expect(verdict).toMatchObject({ kind: "refuse", asked: true });
    expect(decision?.message).toMatch(
      /^The call was allowed with a changed input, and that raises a question which nobody was asked: .*send\(x2\).* .*send\(y2\)/s,
    );
    expect(decision?.message).not.toMatch(/\.[A-Za-z]/);
    expect(last).toMatchObject({ check: "canUseTool", outcome: "deny" });
  });

  it("is a refusal where mode or setting came to refuse it meanwhile", async () => {
    let kit: GateKit | undefined;
    const closing = (input: JsonObject | undefined) => () => {
      kit?.holder.setMode("dontAsk", "test");
      return { behavior: "allow", ...(input && { updatedInput: input }) } as const;
    };
    for (const input of [undefined, { a: 2 }]) {
      kit = await gateKit({ tools: [makeTool("send")], canUseTool: closing(input) });
      kits.push(kit);
      expect(await kit.ask("send", { a: 1 })).toMatchObject({
        kind: "refuse",
        asked: true,
        decision: { reason: { type: "mode", mode: "dontAsk" } },
      });
    }
  });
});
