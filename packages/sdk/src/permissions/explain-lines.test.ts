import { expect, it } from "vitest";
import type { PermissionContext } from "../protocol/index.ts";
import type { DecideCall } from "./call.ts";
import { explainDecision } from "./explain.ts";
import { bashCall, contextOf, decided, type Rules } from "./test-kit.ts";

// What people read about a decision, word for word.

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };

type Row = readonly [DecideCall, Rules, Partial<PermissionContext>, readonly string[]];

const ROWS: readonly Row[] = [
  [
    bashCall("ls"),
    {},
    {},
    [
      "allow: Bash is allowed: `.` lies in a working directory.",
      "step 4 (allow): a cover for every target -> allow",
    ],
  ],
  [
    bashCall("echo a"),
    {},
    {},
    ["allow: Bash is allowed: The call only reads.", "step 4 (allow): a cover for every target -> allow"],
  ],
  [
    bashCall("npm test"),
    {},
    {},
    [
      "ask: Bash needs an approval: No rule allows the command `npm test`.",
      "sub-command: npm test",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Bash(npm test:*)",
    ],
  ],
  [
    bashCall("npm test"),
    { allow: ["Bash(npm test)"] },
    {},
    [
      "allow: Bash is allowed: The allow rule Bash(npm test) (session) names this call.",
      "rule: allow Bash(npm test) (session)",
      "step 4 (allow): a cover for every target -> allow",
    ],
  ],
  [
    bashCall("npm test"),
    {},
    { mode: "dontAsk" },
    [
      "deny: Bash is denied: the mode dontAsk asks nobody. No rule allows the command `npm test`.",
      "step 5 (what is left): what is left -> ask; then the mode -> deny",
      "would be allowed by: Bash(npm test:*)",
    ],
  ],
  [
    bashCall("npm test"),
    {},
    { denyInsteadOfPrompting: { source: "policySettings" } },
    [
      "deny: Bash is denied: denyInsteadOfPrompting (policySettings) refuses what would be a question. No",
      "  rule allows the command `npm test`.",
      "step 5 (what is left): what is left -> ask; then the settings -> deny",
      "would be allowed by: Bash(npm test:*)",
    ],
  ],
  [
    bashCall("mkdir d"),
    {},
    { mode: "acceptEdits" },
    ["allow: Bash is allowed: The mode is acceptEdits.", "step 4 (allow): a cover for every target -> allow"],
  ],
  [
    bashCall("mkdir d"),
    {},
    BYPASS,
    ["allow: Bash is allowed: The mode is bypassPermissions.", "step 3 (mode): the mode -> allow"],
  ],
  [
    bashCall("mkdir d"),
    {},
    { mode: "plan" },
    [
      "deny: Bash is denied: Plan mode lets through only what reads or plans. Go on with reading, finish",
      "  the plan and present it with ExitPlanMode; the user may also leave plan mode.",
      "step 1 (deny): the ceiling of plan mode -> deny",
      "only outside plan mode; no rule lifts its ceiling",
    ],
  ],
  [
    bashCall("rm x"),
    { ask: ["Bash(rm:*)"] },
    {},
    [
      "ask: Bash needs an approval: The ask rule Bash(rm:*) (session) names `rm x`.",
      "sub-command: rm x",
      "rule: ask Bash(rm:*) (session)",
      "step 2 (hard ask): ask rule on a target -> ask",
      "only without the rule Bash(rm:*)",
    ],
  ],
  [
    bashCall("rm x && ls"),
    { deny: ["Bash(rm:*)"] },
    {},
    [
      "deny: Bash is denied: The deny rule Bash(rm:*) (session) names `rm x`.",
      "sub-command: rm x",
      "rule: deny Bash(rm:*) (session)",
      "step 1 (deny): deny rule on a target -> deny",
      "only without the rule Bash(rm:*)",
    ],
  ],
  [
    bashCall("rm x"),
    { deny: ["Bash(rm"] },
    {},
    [
      "deny: Bash is denied: The deny rule Bash(rm (session) names this call.",
      "rule: deny Bash(rm (session), which cannot be read and so binds its whole tool",
      "step 1 (deny): deny rule on the tool -> deny",
      "only once the rule Bash(rm is mended or taken out",
    ],
  ],
  [
    bashCall("node x.js"),
    {},
    {},
    [
      "ask: Bash needs an approval: No rule allows the command `node x.js`.",
      "sub-command: node x.js",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of `node x.js`, for which none would be narrow",
    ],
  ],
  [
    bashCall("npm test && node x.js"),
    {},
    {},
    [
      "ask: Bash needs an approval: No rule allows the command `npm test`.",
      "sub-command: npm test",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of `node x.js`, for which none would be narrow",
    ],
  ],
  [
    bashCall("eval $X"),
    {},
    {},
    [
      "ask: Bash needs an approval: A script is built while the line runs, so what it runs is not known.",
      "  (eval $X)",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered for this call; in words that can be seen through there may be one",
    ],
  ],
  [
    bashCall("eval $X"),
    { deny: ["Bash(rm:*)"] },
    {},
    [
      "ask: Bash needs an approval: A script is built while the line runs, so what it runs is not known.",
      "  (eval $X) The deny rule Bash(rm:*) (session) might bind it.",
      "rule: deny Bash(rm:*) (session)",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "only without the rule Bash(rm:*), or in words that can be seen through",
    ],
  ],
  [
    bashCall("git $X"),
    { deny: ["Bash(git push:*)"] },
    {},
    [
      "ask: Bash needs an approval: A word of `git $X` is not known before it runs, and some value of it",
      "  would match the rule. The deny rule Bash(git push:*) (session) might bind it.",
      "rule: deny Bash(git push:*) (session)",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "only without the rule Bash(git push:*), or in words that can be seen through",
    ],
  ],
  [
    bashCall("grep -r x ."),
    { deny: ["Read(./.env)"] },
    {},
    [
      "ask: Bash needs an approval: `.` could reach a path that the rule names. The deny rule Read(./.env)",
      "  (session) might bind it.",
      "rule: deny Read(./.env) (session)",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "only without the rule Read(./.env), or in words that can be seen through",
    ],
  ],
  [
    bashCall("exec 3<>/dev/tcp/h/80"),
    {},
    {},
    [
      "ask: Bash needs an approval: A redirect to /dev/tcp or /dev/udp opens a network connection.",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "no mode and no allow rule lifts this question",
    ],
  ],
  [
    bashCall("curl $X"),
    { deny: ["WebFetch(domain:a.b)"] },
    {},
    [
      "ask: Bash needs an approval: The host is not known before it runs. The deny rule",
      "  WebFetch(domain:a.b) (session) might bind it.",
      "rule: deny WebFetch(domain:a.b) (session)",
      "step 2 (hard ask): what cannot be seen through -> ask",
      "only without the rule WebFetch(domain:a.b), or in words that can be seen through",
    ],
  ],
  [
    bashCall("cat /etc/hosts"),
    {},
    {},
    [
      "ask: Bash needs an approval: `/etc/hosts` lies outside the working directories, and no rule allows",
      "  it.",
      "step 5 (what is left): what is left -> ask",
      "would be allowed by: Read(//etc/hosts)",
    ],
  ],
  [
    bashCall("cat $X"),
    {},
    {},
    [
      "ask: Bash needs an approval: No rule allows the command `cat $X`.",
      "sub-command: cat $X",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because of `cat $X`, for which none would be narrow",
    ],
  ],
  [
    bashCall("rm -rf $X/a"),
    {},
    {},
    [
      "ask: Bash needs an approval: It removes something whose place is not known before it runs. The path",
      "  is `$X/a`.",
      "step 2 (hard ask): safety checks -> ask",
      "no mode and no allow rule lifts this question",
    ],
  ],
  [
    bashCall("npm test", { destructive: true }),
    {},
    {},
    [
      "ask: Bash needs an approval: No rule allows the command `npm test`. It cannot be undone.",
      "sub-command: npm test",
      "step 5 (what is left): what is left -> ask",
      "no rule is offered, because it cannot be undone",
    ],
  ],
];

it.each(ROWS)("explains call %#", (call, rules, over, lines) => {
  const text = explainDecision(decided(call, contextOf(rules, over)));
  expect(text.split("\n")).toEqual(lines);
});
