import { describe, expect, it } from "vitest";
import type { PermissionContext } from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import {
  answer,
  bashCall,
  contextOf,
  decided,
  fileCall,
  NOW,
  pathTarget,
  type Rules,
  rule,
  toolOf,
} from "../test-kit.ts";

// Every check of the order, settled by itself and in the face of all that stands behind it.

const custom = (over: Partial<DecideCall["tool"]> = {}, rest: Partial<DecideCall> = {}): DecideCall => ({
  tool: toolOf("deploy", { source: "custom", ...over }),
  input: {},
  targets: [{ kind: "name", value: "deploy" }],
  ...rest,
});

const EVERYTHING: Rules = { allow: ["deploy", "Bash", "Read", "Edit", "Write"] };
const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };

describe("step 1: deny", () => {
  it.each<[string, DecideCall, Rules, Partial<PermissionContext>, string]>([
    ["a rule on the tool", custom(), { deny: ["deploy"] }, {}, "rule"],
    ["a rule on every tool", custom(), { deny: ["*"] }, {}, "rule"],
    ["a rule in another letter case", custom(), { deny: [" DEPLOY "] }, {}, "rule"],
    ["a rule on a target", custom(), { deny: ["deploy(dep*)"] }, {}, "rule"],
    ["a rule that cannot be read", custom(), { deny: ["deploy(x"] }, {}, "rule"],
    [
      "the tool's check",
      custom({ hasCheck: true }, { check: { behavior: "deny", message: "no" } }),
      {},
      {},
      "tool",
    ],
    ["a hook", custom({}, { hooks: { behavior: "deny" } }), {}, {}, "hook"],
    ["the ceiling of plan mode", custom(), {}, { mode: "plan", isBypassAvailable: true }, "planCeiling"],
    ["the tool's policy", custom({ permissionPolicy: "always_deny" }), {}, {}, "toolPolicy"],
  ])("%s denies, whatever else allows or asks", (_, call, rules, over, type) => {
    const all = { ...rules, allow: EVERYTHING.allow ?? [], ask: ["deploy", "*"] };
    const context = contextOf(all, { ...BYPASS, ...over });
    const decision = decided({ ...call, hooks: { behavior: "allow", ...call.hooks } }, context);
    expect(decision.behavior).toBe("deny");
    expect(decision.reason.type).toBe(type);
    expect(decision.hard).toBe(false);
    expect(decision.suggestions).toEqual([]);
  });
});

describe("step 2: hard ask", () => {
  const edit = fileCall("Write", ".git/hooks/x", {
    resolutions: [
      { ...pathTarget("write", ".git/hooks/x").resolutions[0], protected: { name: ".git", loaded: false } },
    ] as never,
  });
  it.each<[string, DecideCall, Rules, Partial<PermissionContext>, string]>([
    ["a rule on the tool", custom(), { ask: ["deploy"] }, {}, "rule"],
    ["a rule that cannot be read", custom(), { ask: ["deploy()"] }, {}, "rule"],
    ["a tool that needs the user", custom({ requiresUser: true }), {}, {}, "tool"],
    ["a rule on a target", custom(), { ask: ["deploy(d*)"] }, {}, "rule"],
    ["the tool's policy", custom({ permissionPolicy: "always_ask" }), {}, {}, "toolPolicy"],
    ["a safety check", edit, {}, {}, "safetyCheck"],
    ["a hook", custom({}, { hooks: { behavior: "ask", reason: "hm" } }), {}, {}, "hook"],
    ["a failed check", custom({ hasCheck: true }, { check: { failed: "it threw: x" } }), {}, {}, "tool"],
    [
      "a kept ask of the check",
      custom({ hasCheck: true }, { check: { behavior: "ask", kept: true } }),
      {},
      {},
      "tool",
    ],
    [
      "a check that answers nonsense",
      custom({ hasCheck: true }, { check: { behavior: "maybe" as never } }),
      {},
      {},
      "tool",
    ],
    ["broken settings", custom(), {}, { brokenSettings: "/x/settings.json" }, "settings"],
  ])("%s asks in every mode, whatever allows", (_, call, rules, over, type) => {
    for (const mode of ["default", "acceptEdits", "bypassPermissions"] as const) {
      const context = contextOf({ ...EVERYTHING, ...rules }, { mode, isBypassAvailable: true, ...over });
      const hooks = call.hooks ?? { behavior: "allow" as const };
      const decision = decided({ ...call, hooks }, context);
      expect(decision.behavior).toBe("ask");
      expect(decision.hard).toBe(true);
      expect(decision.reason.type).toBe(type);
      expect(decision.suggestions).toEqual([]);
    }
    expect(decided(call, contextOf({ ...EVERYTHING, ...rules }, { mode: "dontAsk", ...over }))).toMatchObject(
      {
        behavior: "deny",
        hard: false,
        reason: { type: "mode", mode: "dontAsk" },
      },
    );
  });
});

describe("step 3: the mode", () => {
  it("lets bypassPermissions pass only where the danger flag was given", () => {
    expect(answer(custom(), {}, BYPASS)).toBe("allow");
    expect(answer(custom(), {}, { ...BYPASS, isBypassAvailable: false })).toBe("ask");
  });

  it("asks nothing below the ceiling of plan mode where bypass was available", () => {
    const reads = custom({ readOnly: true });
    expect(answer(reads, {}, { mode: "plan" })).toBe("ask");
    expect(answer(reads, {}, { mode: "plan", isBypassAvailable: true })).toBe("allow");
    expect(answer(reads, { ask: ["deploy"] }, { mode: "plan", isBypassAvailable: true })).toBe("ask");
  });

  it("is plain rule evaluation in an advisory plan", () => {
    const over = { mode: "plan", planMode: "advisory", isBypassAvailable: true } as const;
    expect(answer(custom(), {}, over)).toBe("ask");
    expect(answer(custom(), { allow: ["deploy"] }, over)).toBe("allow");
  });

  it("takes a mode that nobody knows for the strictest", () => {
    expect(answer(custom(), {}, { mode: "constructor" as never })).toBe("deny");
    expect(answer(custom(), { allow: ["deploy"] }, { mode: "bubble" as never })).toBe("allow");
  });
});

describe("step 4: allow", () => {
  it.each<[string, DecideCall, Rules, string]>([
    ["a rule on the tool", custom(), { allow: ["deploy"] }, "rule"],
    ["a rule on the target", custom(), { allow: ["deploy(d*)"] }, "rule"],
    ["a hook", custom({}, { hooks: { behavior: "allow" } }), {}, "hook"],
    ["the tool's policy", custom({ permissionPolicy: "always_allow" }), {}, "toolPolicy"],
    ["the tool's check", custom({ hasCheck: true }, { check: { behavior: "allow" } }), {}, "tool"],
    ["the tool by itself", custom({ allowedByItself: true }), {}, "tool"],
    ["low risk", custom({ riskLevel: "low" }), {}, "risk"],
  ])("%s allows", (_, call, rules, type) => {
    expect(decided(call, contextOf(rules))).toMatchObject({ behavior: "allow", reason: { type } });
    expect(answer(call, rules, { mode: "dontAsk" })).toBe("allow");
  });

  it("judges by risk only what has no check and no other target", () => {
    expect(answer(custom({ riskLevel: "medium" }))).toBe("ask");
    expect(answer(custom({ riskLevel: "low", hasCheck: true }, { check: { behavior: "passthrough" } }))).toBe(
      "ask",
    );
    const path = pathTarget("write", "a");
    expect(answer(custom({ riskLevel: "low" }, { targets: [path] }))).toBe("ask");
  });

  it("never lets an annotation allow", () => {
    expect(answer(custom({ readOnly: true }, { targets: [pathTarget("read", "a")] }))).toBe("ask");
    expect(answer(custom({ readOnly: true, source: "mcp" }, { targets: [pathTarget("read", "a")] }))).toBe(
      "ask",
    );
  });

  it("needs every target covered", () => {
    const two = custom(
      {},
      {
        targets: [
          { kind: "name", value: "a" },
          { kind: "name", value: "b" },
        ],
      },
    );
    expect(answer(two, { allow: ["deploy(a)"] })).toBe("ask");
    expect(answer(two, { allow: ["deploy(a)", "deploy(b)"] })).toBe("allow");
  });

  it("lets an allow rule settle an ordinary ask of the check, and nothing weaker", () => {
    const check = { behavior: "ask" as const, message: "really?" };
    const call = { ...fileCall("Read", "a"), check };
    expect(decided(call, contextOf())).toMatchObject({
      behavior: "ask",
      hard: false,
      reason: { detail: "really?" },
    });
    expect(answer(call, { allow: ["Read(./a)"] })).toBe("allow");
    expect(answer(custom({ allowedByItself: true }, { check }))).toBe("ask");
  });
});

describe("step 5: what is left", () => {
  it("asks about a call that nobody decided, even one without targets", () => {
    expect(answer(custom({ riskLevel: "high" }, { targets: [] }))).toBe("ask");
    expect(answer({ ...fileCall("Read", "a"), targets: [] })).toBe("ask");
    expect(answer({ ...bashCall("ls"), targets: [] })).toBe("ask");
  });
});

describe("rules that expire", () => {
  const at = (behavior: "allow" | "deny", now: number): string => {
    const rules = [
      { ...rule("deploy", behavior), expires: NOW },
      ...(behavior === "deny" ? [rule("deploy", "allow")] : []),
    ];
    return decided(custom(), contextOf({}, { rules }), now).behavior;
  };
  it("count up to their time", () => {
    expect([at("allow", NOW), at("allow", NOW + 1), at("allow", Number.NaN)]).toEqual([
      "allow",
      "ask",
      "ask",
    ]);
    expect([at("deny", NOW), at("deny", NOW + 1), at("deny", Number.NaN)]).toEqual(["deny", "allow", "deny"]);
  });
});

describe("names", () => {
  const agent: DecideCall = {
    tool: toolOf("Agent", { allowedByItself: true }),
    input: {},
    targets: [{ kind: "agent", type: "Explore" }],
  };
  it("knows other names of a tool", () => {
    for (const text of ["Task", "Agent", "task", "Agent(Explore)", "Task(explore)", "Agent(Exp*)"]) {
      expect(answer(agent, { deny: [text] }), text).toBe("deny");
    }
    expect(answer(agent, { deny: ["Agent(Plan)"] })).toBe("allow");
    expect(answer(custom({ aliases: ["ship"] }), { allow: ["ship"] })).toBe("allow");
    expect(answer(custom({ aliases: ["ship"] }), { deny: ["SHIP"], allow: ["deploy"] })).toBe("deny");
  });

  it("lets no server borrow the rules of another tool", () => {
    const mcp = { server: "srv", tool: "x" };
    const call = custom(
      { name: "mcp__srv__x", source: "mcp", mcp, aliases: ["Bash"] },
      { targets: [{ kind: "mcp", ...mcp }] },
    );
    expect(answer(call, { allow: ["Bash"] })).toBe("ask");
    expect(answer(call, { allow: ["mcp__srv"] })).toBe("allow");
    expect(answer(call, { allow: ["mcp__srv__x", "mcp__srv"], deny: ["mcp__srv__*"] })).toBe("deny");
    expect(answer(call, { allow: ["mcp__*"] })).toBe("ask");
  });

  it("is not fooled by names that objects have", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(answer(custom({ name }), {})).toBe("ask");
      expect(answer(custom({ name }), { deny: [name] })).toBe("deny");
    }
  });

  it("binds the resources of a server by the rules for the server", () => {
    const list = custom(
      { name: "ListMcpResources" },
      { targets: [{ kind: "mcp", server: "srv", tool: "" }] },
    );
    expect(answer(list, { deny: ["mcp__srv"] })).toBe("deny");
    expect(answer(list, { allow: ["mcp__srv"] })).toBe("allow");
    expect(answer(list, { allow: ["mcp__srv2"] })).toBe("ask");
  });

  it("knows skills by name, with and without arguments", () => {
    const skill = (value: string): DecideCall => ({
      tool: toolOf("Skill"),
      input: {},
      targets: [{ kind: "name", value }],
    });
    expect(answer(skill("commit"), { allow: ["Skill(commit)"] })).toBe("allow");
    expect(answer(skill("commit all"), { allow: ["Skill(commit:*)"] })).toBe("allow");
    expect(answer(skill("commits"), { allow: ["Skill(commit:*)"] })).toBe("ask");
    expect(answer(skill("commit"), { deny: ["Skill(Commit)"], allow: ["Skill"] })).toBe("deny");
  });
});

describe("hosts", () => {
  const fetch = (host?: string): DecideCall => ({
    tool: toolOf("WebFetch"),
    input: {},
    targets: [host === undefined ? { kind: "host" } : { kind: "host", host }],
  });
  it("follows domain rules", () => {
    expect(answer(fetch("example.com"), { allow: ["WebFetch(domain:example.com)"] })).toBe("allow");
    expect(answer(fetch("a.example.com"), { allow: ["WebFetch(domain:example.com)"] })).toBe("ask");
    expect(
      answer(fetch("EXAMPLE.com."), { deny: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] }),
    ).toBe("deny");
    expect(answer(fetch("other.com"), { ask: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] })).toBe(
      "allow",
    );
  });

  it("asks about a host that is not known, under any domain rule", () => {
    expect(answer(fetch(), { deny: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] }, BYPASS)).toBe(
      "ask",
    );
    expect(answer(fetch(), { allow: ["WebFetch(domain:*)"] })).toBe("ask");
    expect(answer(fetch(), {}, BYPASS)).toBe("allow");
  });

  it("reaches curl for deny and ask, and allows it nothing", () => {
    expect(
      answer(bashCall("curl https://example.com/x"), {
        deny: ["WebFetch(domain:example.com)"],
        allow: ["Bash"],
      }),
    ).toBe("deny");
    expect(answer(bashCall("curl https://example.com/x"), { allow: ["WebFetch(domain:example.com)"] })).toBe(
      "ask",
    );
    expect(
      answer(bashCall("curl $U"), { deny: ["WebFetch(domain:example.com)"], allow: ["Bash"] }, BYPASS),
    ).toBe("ask");
  });
});
