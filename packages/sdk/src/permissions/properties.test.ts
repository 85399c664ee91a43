import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import type { PermissionContext, PermissionMode, SourcedRule } from "../protocol/index.ts";
import { analyse } from "../shell/index.ts";
import type { DecideCall } from "./call.ts";
import { bashCall, contextOf, decided, fileCall, NOW, rule, SOURCES, toolOf } from "./test-kit.ts";

const part = fc.constantFrom(
  ...[
    "ls",
    "git push",
    "git $X",
    "npm test",
    "rm -r a",
    "cat .env",
    "cat *",
    "echo x > out",
    "sudo rm x",
    "touch .git/a",
  ],
  ...[
    "bash -c 'git push'",
    "timeout 5 npm test",
    "eval $X",
    "cd src",
    "f() { ls; }",
    "FOO=1 npm test",
    "curl http://a.b",
    "cp a /etc/x",
  ],
);
const line = fc
  .array(fc.tuple(part, fc.constantFrom(" && ", "; ", " | ", "\n", " || ", " & ")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map(([text, join], index) => (index === 0 ? text : join + text)).join(""));
const path = fc.constantFrom("a", ".env", "src/a.ts", ".git/config", "/etc/passwd", "/home/u/x", "..", "src");
const call: fc.Arbitrary<DecideCall> = fc.oneof(
  line.map((text) => bashCall(text)),
  fc
    .tuple(fc.constantFrom("Read", "Write", "Edit", "Grep", "LS"), path)
    .map(([tool, at]) => fileCall(tool, at)),
  fc.constantFrom<DecideCall>(
    { tool: toolOf("deploy", { source: "custom" }), input: {}, targets: [{ kind: "name", value: "prod" }] },
    {
      tool: toolOf("mcp__srv__x", { source: "mcp", mcp: { server: "srv", tool: "x" } }),
      input: {},
      targets: [{ kind: "mcp", server: "srv", tool: "x" }],
    },
    { tool: toolOf("WebFetch"), input: {}, targets: [{ kind: "host", host: "a.b" }] },
  ),
);
const text = fc.constantFrom(
  ...[
    "Bash",
    "Bash(git push:*)",
    "Bash(npm test)",
    "Bash(rm:*)",
    "Bash(*)",
    "Bash(l*)",
    "Bash(ls && npm test)",
    "Bash(cat *)",
  ],
  ...[
    "Read",
    "Read(.env)",
    "Read(./src/**)",
    "Read(//etc/**)",
    "Edit(./out)",
    "Edit(.git/**)",
    "Edit",
    "Write",
    "Grep(**)",
  ],
  ...[
    "*",
    "deploy",
    "deploy(p*)",
    "mcp__srv",
    "mcp__*",
    "WebFetch(domain:a.b)",
    "Bash(oops",
    "",
    "nonsense)",
    "Read(!x)",
  ],
);
const behavior = fc.constantFrom("allow", "deny", "ask") as fc.Arbitrary<"allow" | "deny" | "ask">;
// Rules of the machine's policy that cannot be read do not load; that has a test of its own.
const source = fc.constantFrom(...SOURCES.filter((each) => each !== "policySettings"));
const rules: fc.Arbitrary<SourcedRule[]> = fc.array(
  fc.tuple(text, behavior, source).map(([each, how, from]) => rule(each, how, from)),
  { maxLength: 6 },
);
const mode = fc.constantFrom<PermissionMode>(
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
);
const switches = fc.constantFrom<Partial<PermissionContext>>(
  {},
  {},
  { blockReadsOutside: { source: "userSettings" } },
  { blockWritesOutside: { source: "policySettings" } },
);
const context: fc.Arbitrary<PermissionContext> = fc
  .tuple(rules, mode, fc.boolean(), fc.boolean(), switches)
  .map(([own, at, isBypassAvailable, trusted, blocks]) =>
    contextOf({}, { rules: own, mode: at, isBypassAvailable, trusted, ...blocks }),
  );

describe("decide", () => {
  it("does not depend on the order of rules, nor name another rule for it", () => {
    fc.assert(
      fc.property(call, context, fc.integer(), (one, where, seed) => {
        const shuffled = [...where.rules].sort((a, b) => hash(a, seed) - hash(b, seed));
        const first = decided(one, where);
        const second = decided(one, { ...where, rules: shuffled });
        expect({ ...second }).toEqual({ ...first });
      }),
      { numRuns: runs * 2 },
    );
  });

  it("does not depend on the source of a rule that no root is taken from", () => {
    fc.assert(
      fc.property(call, context, source, (one, where, other) => {
        // `/x`, `~/x` and single values alone depend on the source.
        const moved = where.rules.map((each) => ({ ...each, source: other }));
        expect(decided(one, { ...where, rules: moved }).behavior).toBe(decided(one, where).behavior);
      }),
      { numRuns: runs * 2 },
    );
  });

  it("is never loosened by a deny or an ask rule", () => {
    const weight = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(
        call,
        context,
        text,
        fc.constantFrom("deny" as const, "ask" as const),
        (one, where, added, how) => {
          const before = decided(one, where).behavior;
          const after = decided(one, { ...where, rules: [...where.rules, rule(added, how)] }).behavior;
          expect(weight[after]).toBeGreaterThanOrEqual(weight[before]);
        },
      ),
      { numRuns: runs * 2 },
    );
  });

  it("is never tightened by an allow rule", () => {
    const weight = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(call, context, text, (one, where, added) => {
        const before = decided(one, where).behavior;
        const after = decided(one, { ...where, rules: [...where.rules, rule(added, "allow")] }).behavior;
        expect(weight[after]).toBeLessThanOrEqual(weight[before]);
      }),
      { numRuns: runs * 2 },
    );
  });

  it("denies by a text whatever the same text would allow", () => {
    fc.assert(
      fc.property(call, text, (one, own) => {
        fc.pre(own !== "*" && !own.startsWith("mcp__*"));
        const bare = decided(one, contextOf()).behavior;
        const allowed = decided(one, contextOf({ allow: [own] })).behavior;
        if (bare !== "allow" && allowed === "allow") {
          expect(decided(one, contextOf({ deny: [own] })).behavior).toBe("deny");
        }
      }),
      { numRuns: runs * 2 },
    );
  });

  it("gives the same explanation whenever it is read", () => {
    fc.assert(
      fc.property(call, context, (one, where) => {
        const decision = decided(one, where);
        const early = [decision.message, decision.trace, decision.suggestions];
        const late = decided(one, where);
        expect([late.message, late.trace, late.suggestions]).toEqual(early);
        expect(decision.trace).toBe(decision.trace);
        expect(decision.trace.at(-1)?.outcome).toBe(decision.behavior);
        expect(
          decision.trace.slice(1, -1).every((step) => step.outcome === "no" || decision.behavior === "deny"),
        ).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it("throws at no line, path, rule or name", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: "binary" }),
        rulesOfAnything,
        fc.integer(),
        (shell, any, own, now) => {
          const where = contextOf({}, { rules: own, startDirectory: any, home: any });
          for (const one of [
            bashCall(shell),
            bashCall(any),
            fileCall("Read", any),
            fileCall("Write", shell),
          ]) {
            const decision = decided(one, where, now);
            expect(["allow", "ask", "deny"]).toContain(decision.behavior);
            expect(decision.message).not.toBe("");
            expect(Array.isArray(decision.suggestions)).toBe(true);
          }
          const strange = toolOf(any, { source: "custom", aliases: [shell] });
          expect(
            decided({ tool: strange, input: {}, targets: [{ kind: "name", value: shell }] }, where).behavior,
          ).not.toBe("");
        },
      ),
      { numRuns: runs },
    );
  });
});

describe("forms", () => {
  it("tried for deny hold all that are tried for allow", () => {
    fc.assert(
      fc.property(line, (shell) => {
        for (const command of analyse(shell).commands) {
          for (const form of command.allowForms) expect(command.denyForms).toContain(form);
        }
      }),
      { numRuns: runs },
    );
  });
});

const rulesOfAnything: fc.Arbitrary<SourcedRule[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom("Bash", "Read", "Edit", "WebFetch", "mcp__a", "x", ""),
      fc.string({ unit: "binary" }),
      behavior,
      source,
    )
    .map(([name, specifier, how, from]) => ({ ...rule(`${name}(${specifier})`, how, from), expires: NOW })),
  { maxLength: 5 },
);

function hash(one: SourcedRule, seed: number): number {
  let value = seed;
  for (const char of `${one.text}${one.behavior}${one.source}`) value = (value * 31 + char.charCodeAt(0)) | 0;
  return value;
}
