import { expect, it } from "vitest";
import type { PermissionContext, ResolvedTarget } from "../protocol/index.ts";
import type { DecideCall, ToolFacts } from "./call.ts";
import { explainDecision } from "./explain.ts";
import { bashCall, contextOf, decided, fileCall, type Rules, resolution, START, toolOf } from "./test-kit.ts";

// What people read about a decision, word for word.

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };
const mcp = { server: "srv", tool: "x" };

function toolCall(name: string, over: Partial<ToolFacts>, ...targets: ResolvedTarget[]): DecideCall {
  return { tool: toolOf(name, over), input: {}, targets };
}

type Row = readonly [DecideCall, Rules, Partial<PermissionContext>, readonly string[]];

const ROWS: readonly Row[] = [
  [
    fileCall("Read", "a"),
    {},
    {},
    [
      "allow: Read is allowed: `a` lies in a working directory.",
      "step 4 (allow): a cover for every target -> allow",
    ],
  ],
  [
    fileCall("Read", "/etc/hosts"),
    {},
    {},
    [
      "ask: Read needs an approval: `/etc/hosts` lies outside the working directories, and no rule allows",
      "  it.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Read(//etc/hosts)",
    ],
  ],
  [
    fileCall("Read", "/etc/hosts"),
    {},
    BYPASS,
    ["allow: Read is allowed: The mode is bypassPermissions.", "step 3 (mode): the mode -> allow"],
  ],
  [
    fileCall("Write", "a"),
    {},
    {},
    [
      "ask: Write needs an approval: No rule allows to change `a`.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Edit(//w/proj/a)",
    ],
  ],
  [
    fileCall("Write", "a"),
    { ask: ["Write"] },
    {},
    [
      "ask: Write needs an approval: The ask rule Write (session) names this call.",
      "rule: ask Write (session)",
      "step 2 (hard ask): ask rule on the tool -> ask",
      "only without the rule Write",
    ],
  ],
  [
    fileCall("Write", "a", { access: "remove" }),
    {},
    {},
    [
      "ask: Write needs an approval: No rule allows to remove `a`.",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of the path `a`",
    ],
  ],
  [
    fileCall("Write", ".git/config", {
      resolutions: [resolution(`${START}/.git/config`, { protected: { name: ".git", loaded: false } })],
    }),
    {},
    {},
    [
      "ask: Write needs an approval: It changes something below a protected name (.git). The path is",
      "  `.git/config`.",
      "step 2 (hard ask): safety checks -> ask",
      "would be lifted by nothing but the allow rule Edit(//w/proj/.git/config)",
    ],
  ],
  [
    fileCall("Read", "/proc/x", {
      resolutions: [resolution("/proc/x", { suspicious: "it holds the environment" })],
    }),
    {},
    {},
    [
      "ask: Read needs an approval: The path is suspicious: it holds the environment. The path is",
      "  `/proc/x`.",
      "step 2 (hard ask): safety checks -> ask",
      "no mode and no allow rule lifts this question",
    ],
  ],
  [
    toolCall("deploy", {}),
    {},
    {},
    [
      "ask: deploy needs an approval: No rule allows the tool, and its risk is high.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: deploy",
    ],
  ],
  [
    toolCall("deploy", { riskLevel: "low" }),
    {},
    {},
    [
      "allow: deploy is allowed: No rule allows the tool, and its risk is low.",
      "step 4 (allow): the tool's risk -> allow",
    ],
  ],
  [
    toolCall("deploy", { allowedByItself: true }),
    {},
    {},
    [
      "allow: deploy is allowed: What runs inside is decided call by call, or nothing outside the session",
      "  changes.",
      "step 4 (allow): the tool by itself -> allow",
    ],
  ],
  [
    toolCall("deploy", { permissionPolicy: "always_allow" }),
    {},
    {},
    [
      "allow: deploy is allowed: The tool's own policy is always_allow.",
      "step 4 (allow): the tool's policy -> allow",
    ],
  ],
  [
    toolCall("deploy", { permissionPolicy: "always_deny" }),
    {},
    {},
    [
      "deny: deploy is denied: The tool's own policy is always_deny.",
      "step 1 (deny): the tool's policy -> deny",
      "only without the policy that the tool itself declares",
    ],
  ],
  [
    toolCall("deploy", { permissionPolicy: "always_ask" }),
    {},
    {},
    [
      "ask: deploy needs an approval: The tool's own policy is always_ask.",
      "step 2 (hard ask): the tool's policy -> ask",
      "only without the policy that the tool itself declares",
    ],
  ],
  [
    toolCall("deploy", { requiresUser: true }),
    {},
    {},
    [
      "ask: deploy needs an approval: deploy needs a person in every mode.",
      "step 2 (hard ask): a tool that needs the user -> ask",
      "no mode and no allow rule lifts this question",
    ],
  ],
  [
    toolCall("deploy", { source: "custom" }, { kind: "name", value: "web" }),
    {},
    {},
    [
      "ask: deploy needs an approval: No rule allows the tool, and its risk is high.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: deploy(web)",
    ],
  ],
  [
    toolCall("WebFetch", {}, { kind: "host", host: "a.b" }),
    {},
    {},
    [
      "ask: WebFetch needs an approval: No rule allows the host a.b.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: WebFetch(domain:a.b)",
    ],
  ],
  [
    toolCall("WebFetch", {}, { kind: "host" }),
    {},
    {},
    [
      "ask: WebFetch needs an approval: No rule allows a host that is not known.",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of the tool WebFetch, for which none would be narrow",
    ],
  ],
  [
    toolCall("Agent", {}, { kind: "agent", type: "review" }),
    {},
    {},
    [
      "ask: Agent needs an approval: No rule allows the agent review.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Agent(review)",
    ],
  ],
  [
    toolCall("mcp__srv__x", { source: "mcp", mcp }, { kind: "mcp", ...mcp }),
    {},
    {},
    [
      "ask: mcp__srv__x needs an approval: No rule allows the tool, and its risk is high.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: mcp__srv__x",
    ],
  ],
  [
    toolCall("mcp__srv__x", { source: "mcp", mcp }, { kind: "mcp", ...mcp }),
    { allow: ["mcp__srv"] },
    {},
    [
      "allow: mcp__srv__x is allowed: The allow rule mcp__srv (session) names this call.",
      "rule: allow mcp__srv (session)",
      "step 4 (allow): allow rule on the tool -> allow",
    ],
  ],
  [
    toolCall("REPL", {}),
    { deny: ["Bash(rm:*)"] },
    {},
    [
      "ask: REPL needs an approval: What REPL runs cannot be compared with rules. The deny rule Bash(rm:*)",
      "  (session) might bind it.",
      "rule: deny Bash(rm:*) (session)",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "only without the rule Bash(rm:*), or in words that can be seen through",
    ],
  ],
  [
    toolCall("REPL", {}),
    {},
    {},
    [
      "ask: REPL needs an approval: No rule allows the tool, and its risk is high.",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of the tool REPL, for which none would be narrow",
    ],
  ],
  [
    { ...bashCall("npm test"), hooks: { behavior: "allow" } },
    {},
    {},
    ["allow: Bash is allowed: A PreToolUse hook allows this call.", "step 4 (allow): hooks -> allow"],
  ],
  [
    { ...bashCall("npm test"), hooks: { behavior: "deny" } },
    {},
    {},
    [
      "deny: Bash is denied: A PreToolUse hook refuses this call.",
      "step 1 (deny): hooks -> deny",
      "only the hook can say otherwise",
    ],
  ],
  [
    { ...bashCall("npm test"), hooks: { behavior: "ask" } },
    {},
    {},
    [
      "ask: Bash needs an approval: A PreToolUse hook asks about this call.",
      "step 2 (hard ask): hooks -> ask",
      "only the hook can say otherwise",
    ],
  ],
  [
    { ...bashCall("npm test"), hooks: { behavior: "deny", reason: "Not on Fridays." } },
    {},
    {},
    [
      "deny: Bash is denied: Not on Fridays.",
      "step 1 (deny): hooks -> deny",
      "only the hook can say otherwise",
    ],
  ],
  [
    { ...bashCall("npm test"), hooks: { behavior: "allow", reason: "It is Friday." } },
    {},
    {},
    ["allow: Bash is allowed: It is Friday.", "step 4 (allow): hooks -> allow"],
  ],
  [
    { ...bashCall("npm test"), check: { behavior: "deny" } },
    {},
    {},
    [
      "deny: Bash is denied: The tool Bash refuses this call.",
      "step 1 (deny): the tool's own check -> deny",
      "no rule lifts this",
    ],
  ],
  [
    { ...bashCall("npm test"), check: { behavior: "allow" } },
    {},
    {},
    [
      "allow: Bash is allowed: The tool Bash allows this call.",
      "step 4 (allow): the tool's own check -> allow",
    ],
  ],
  [
    { ...bashCall("npm test"), check: { behavior: "ask", message: "Are you sure?" } },
    {},
    {},
    [
      "ask: Bash needs an approval: Are you sure?",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Bash(npm test:*)",
    ],
  ],
  [
    { ...bashCall("npm test"), check: { behavior: "deny", message: "Closed." } },
    {},
    {},
    ["deny: Bash is denied: Closed.", "step 1 (deny): the tool's own check -> deny", "no rule lifts this"],
  ],
  [
    { ...bashCall("npm test"), check: { failed: "no time" } },
    {},
    {},
    [
      "ask: Bash needs an approval: The check of Bash failed: no time",
      "step 2 (hard ask): the tool's own check -> ask",
      "no mode and no allow rule lifts this question",
    ],
  ],
];

it.each(ROWS)("explains call %#", (call, rules, over, lines) => {
  const text = explainDecision(decided(call, contextOf(rules, over)));
  expect(text.split("\n")).toEqual(lines);
});
