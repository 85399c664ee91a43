import { describe, expect, it } from "vitest";
import type { Decision, TraceStep } from "../protocol/index.ts";
import { explainDecision } from "./explain.ts";
import { bashCall, contextOf, decided, fileCall, resolution, rule, START, toolOf } from "./test-kit.ts";

function explained(over: Partial<Decision>): string[] {
  return explainDecision({ ...decided(bashCall("npm test"), contextOf()), ...over }).split("\n");
}

function traced(...trace: TraceStep[]): string | undefined {
  const lines = explained({ reason: { type: "undecided", detail: "x" }, message: "m", trace });
  return lines.find((line) => line.startsWith("step"));
}

describe("the lines of an explanation", () => {
  it("are broken at a blank that is not too early, and cut after four", () => {
    const word = "a".repeat(60);
    expect(explained({ message: `${word} ${word} x` }).slice(0, 2)).toEqual([`ask: ${word}`, `  ${word} x`]);
    const long = "b".repeat(150);
    expect(explained({ message: long }).slice(0, 2)).toEqual([
      "ask:".concat(" ", "b".repeat(95)),
      `  ${"b".repeat(55)}`,
    ]);
    expect(explained({ message: "b".repeat(95) })[0]).toBe(`ask: ${"b".repeat(95)}`);
    const endless = explained({ message: "b".repeat(900) }).slice(0, 5);
    expect(endless.map(({ length }) => length)).toEqual([100, 100, 100, 100, endless[4]?.length]);
    expect(endless[3]?.endsWith("…")).toBe(true);
    expect(endless[4]).toBe("sub-command: npm test");
    expect(explained({ message: " a \n b\t\tc " })[0]).toBe("ask: a b c");
  });

  it("name a long sub-command by its start", () => {
    const line = explained({
      reason: { type: "subcommand", command: "c".repeat(200), reason: { type: "undecided", detail: "" } },
    }).find((each) => each.startsWith("sub-command"));
    expect(line).toBe(`sub-command: ${"c".repeat(86)}…`);
  });

  it("tell what the step found, where the message does not, and what turned it", () => {
    const left: TraceStep = { step: 5, check: "what is left", outcome: "ask", detail: "Found." };
    expect(traced(left)).toBe("step 5 (what is left): what is left -> ask (Found)");
    expect(traced({ ...left, detail: "m" })).toBe("step 5 (what is left): what is left -> ask");
    expect(traced(left, { step: 6, check: "the mode", outcome: "deny" })).toBe(
      "step 5 (what is left): what is left -> ask (Found); then the mode -> deny",
    );
    expect(traced({ step: 6, check: "nobody", outcome: "deny", detail: "m" })).toBe(
      "step 6 (the ask chain): nobody -> deny",
    );
    expect(traced({ step: 0, check: "the input", outcome: "deny", detail: "m" })).toBe(
      "step 0 (the input): the input -> deny",
    );
    expect(traced()).toBeUndefined();
  });

  it("offer modes and directories as well as rules", () => {
    expect(
      explained({
        suggestions: [
          { type: "setMode", mode: "acceptEdits", destination: "session" },
          { type: "addDirectories", directories: ["/a", "/b"], destination: "session" },
          { type: "addRules", rules: [{ toolName: "Read" }], behavior: "allow", destination: "session" },
        ],
      }).at(-1),
    ).toBe("would be allowed by: mode acceptEdits, additional directory /a, additional directory /b, Read");
  });
});

describe("the way out", () => {
  const none = { suggestions: [], trace: [], behavior: "deny", hard: false } as const;
  it.each<[Partial<Decision>, string]>([
    [{ reason: { type: "invalid", detail: "x" } }, "only with an input that fits the tool"],
    [
      { reason: { type: "serverPolicy", policy: "always_deny" } },
      "only without the policy of the server's configuration",
    ],
    [
      { reason: { type: "settings", detail: "x" } },
      "only when that setting is mended or taken out; no rule lifts it",
    ],
    [
      { reason: { type: "safetyCheck", detail: "x", liftedBy: ["Edit(a)", "Edit(b)"] } },
      "would be lifted by nothing but the allow rule Edit(a) with Edit(b)",
    ],
    [{ reason: { type: "safetyCheck", detail: "x" } }, "no rule lifts this"],
    [{ reason: { type: "mode", mode: "dontAsk" } }, "no rule is offered for this call"],
    [{ reason: { type: "undecided", detail: "x" }, behavior: "ask" }, "no rule is offered for this call"],
    [
      { reason: { type: "undecided", detail: "x" }, hard: true },
      "no mode and no allow rule lifts this question",
    ],
    [
      {
        reason: { type: "opaque", code: "x", detail: "x" },
        hard: true,
        behavior: "ask",
      },
      "no mode and no allow rule lifts this question",
    ],
  ])("%j: %s", (over, want) => {
    expect(explained({ ...none, ...over }).at(-1)).toBe(want);
  });
});

describe("the trace", () => {
  it("counts what was judged and looked at", () => {
    const one = decided(
      bashCall("cat /etc/hosts"),
      contextOf({ deny: ["Read(./x)", "mcp__a"], ask: ["Bash(rm:*)"] }),
    );
    expect(one.trace[0]).toEqual({
      step: 0,
      check: "what is judged",
      outcome: "no",
      detail: "Bash in mode default: 1 command, 1 path, 0 hosts, 2 targets.",
    });
    const details = Object.fromEntries(one.trace.map(({ check, detail }) => [check, detail]));
    expect(details).toMatchObject({
      "deny rule on the tool": "2 rules looked at.",
      "deny rule on a target": "2 rules looked at.",
      "ask rule on the tool": "1 rule looked at.",
      "ask rule on a target": "1 rule looked at.",
      "allow rule on the tool": "0 rules looked at.",
      "a cover for every target": "0 rules looked at.",
    });
    expect(details.hooks).toBeUndefined();
    expect(one.trace.at(-1)).toMatchObject({ step: 5, outcome: "ask" });
  });

  it("counts rules of every kind once", () => {
    const allow = [
      "Bash(a)",
      "Read(./b)",
      "Edit(./c)",
      "WebFetch(domain:d.e)",
      "mcp__f",
      "Skill(g)",
      "Agent(h)",
      "Write",
      "deploy(i)",
    ];
    const { trace } = decided(fileCall("Read", "/x"), contextOf({ allow }));
    expect(trace.find(({ check }) => check === "a cover for every target")?.detail).toBe(
      "9 rules looked at.",
    );
    const every = decided(fileCall("Read", "x"), contextOf({ deny: ["*"] }));
    expect(every.trace.map(({ outcome }) => outcome)).toEqual(["no", "deny"]);
  });

  it("tells of a mode and a setting that deny a question", () => {
    const mode = decided(bashCall("npm test"), contextOf({}, { mode: "dontAsk" }));
    expect(mode.trace.at(-1)).toEqual({
      step: 6,
      check: "the mode",
      outcome: "deny",
      detail: "dontAsk: nobody is asked.",
    });
    const setting = decided(
      bashCall("npm test"),
      contextOf({}, { denyInsteadOfPrompting: { source: "policySettings" } }),
    );
    expect(setting.trace.at(-1)).toEqual({
      step: 6,
      check: "the settings",
      outcome: "deny",
      detail: "denyInsteadOfPrompting (policySettings) refuses what would be a question.",
    });
  });

  it("tells why no rule is offered, before the step that settled the call", () => {
    const told = (call: Parameters<typeof decided>[0]): string | undefined =>
      decided(call, contextOf()).trace.find(({ check }) => check === "a rule to offer")?.detail;
    expect(told(bashCall("node x.js"))).toBe("because of `node x.js`, for which none would be narrow");
    expect(told(bashCall("npm test"))).toBeUndefined();
    const suspicious = resolution("/w/x", { suspicious: "it is odd" });
    expect(told(fileCall("Write", "/w/x", { access: "remove" }))).toBe("because of the path `/w/x`");
    expect(told(fileCall("Write", "/w/x", { resolutions: [suspicious] }))).toBeUndefined();
    expect(told({ tool: toolOf("deploy", { destructive: true }), input: {}, targets: [] })).toBe(
      "because it cannot be undone",
    );
    const steps = decided(bashCall("node x.js"), contextOf()).trace.slice(-2);
    expect(steps.map(({ step, check }) => `${step} ${check}`)).toEqual([
      "5 a rule to offer",
      "5 what is left",
    ]);
  });

  it("names a rule with its reason", () => {
    const deny = { ...rule("Bash(npm test)", "deny"), reason: "Not here." };
    expect(decided(bashCall("npm test"), contextOf({}, { rules: [deny] })).message).toBe(
      "Bash is denied: The deny rule Bash(npm test) (session) names `npm test`. Not here.",
    );
    expect(decided(bashCall(`echo ${START}`), contextOf()).message).toBe(
      "Bash is allowed: The call only reads.",
    );
  });
});
