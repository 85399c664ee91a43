import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "@castellan/sdk";
import {
  compilePolicy,
  type DecideCall,
  decide,
  type PermissionContext,
  type RuleSource,
  type SourcedRule,
} from "@castellan/sdk/permissions";
import { describe, expect, it } from "vitest";
import { run } from "../kit/session.ts";
import { bash, type SettingsPlace, settingsPlace } from "../kit/settings.ts";

type Lists = { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
type Give = (place: SettingsPlace, lists: Lists) => Options;

/** How rules of each source come into a session: by a file, or by the options that are returned. */
const GIVEN: ReadonlyMap<RuleSource, Give> = new Map<RuleSource, Give>([
  ["policySettings", (place, permissions) => file(place.inPolicy({ permissions }))],
  ["flagSettings", (_, permissions) => ({ settings: { permissions } })],
  ["cliArg", (_, { allow = [], deny = [] }) => ({ allowedTools: [...allow], disallowedTools: [...deny] })],
  ["localSettings", (place, permissions) => file(place.inLocal({ permissions }))],
  ["projectSettings", (place, permissions) => file(place.inProject({ permissions }))],
  ["userSettings", (place, permissions) => file(place.inUser({ permissions }))],
]);
const file = (_path: string): Options => ({});

describe("the sources of rules", () => {
  it("c03 in part: a rule of each file and option allows by itself, and the decision names its source", async () => {
    for (const [source, give] of GIVEN) {
      const place = settingsPlace();
      const options = { trustWorkspace: true, ...give(place, { allow: ["Bash(touch:*)"] }) };
      const { users } = await place.go(bash("touch made"), options);
      expect(existsSync(join(place.cwd, "made")), source).toBe(true);
      expect(users[0]?.permission_decision?.rule).toMatchObject({ source, behavior: "allow" });
    }
  });

  it("c03 in part: a deny of each of them wins over an allow of all the others", async () => {
    for (const [source, give] of GIVEN) {
      const place = settingsPlace();
      let options: Options = { trustWorkspace: true };
      for (const [other, giveOther] of GIVEN) {
        const lists = other === source ? { deny: ["Bash(touch made)"] } : { allow: ["Bash(touch:*)"] };
        options = { ...options, ...(other === source ? give : giveOther)(place, lists) };
      }
      const { users, texts } = await place.go(bash("touch made"), options);
      expect(existsSync(join(place.cwd, "made")), source).toBe(false);
      expect(users[0]?.permission_decision).toMatchObject({
        behavior: "deny",
        rule: { text: "Bash(touch made)", source, file: expect.any(String), position: 1 },
      });
      expect(texts[0]).toContain(source);
    }
  });

  it("c03 in part: rules of a grant have the source session", async () => {
    const place = settingsPlace();
    const rules = [{ toolName: "Bash", ruleContent: "touch:*" }];
    const grant = { type: "addRules", behavior: "allow", rules, destination: "session" } as const;
    const calls = ["one", "two"].map((name) => bash(`touch ${name}`)[0] ?? "");
    let asked = 0;
    const { users } = await run([...calls, "done"], {
      cwd: place.cwd,
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow", updatedPermissions: [grant] };
      },
    });
    expect(asked).toBe(1);
    expect(users[1]?.permission_decision?.rule).toMatchObject({ source: "session", text: "Bash(touch:*)" });
  });

  it("c03 in part: decide() takes all eight, deny over ask over allow, in any order", () => {
    const sources: readonly RuleSource[] = [...GIVEN.keys(), "command", "session"];
    const behaviors = ["deny", "ask", "allow"] as const;
    for (const source of sources) {
      for (const [index, behavior] of behaviors.entries()) {
        const weaker = behaviors
          .slice(index + 1)
          .flatMap((each) => sources.map((other) => rule(each, other)));
        const rules = [rule(behavior, source), ...weaker];
        for (const order of [rules, rules.toReversed()]) {
          const decision = decide(CALL, compilePolicy({ ...CONTEXT, rules: order }), 0);
          expect([decision.behavior, decision.rule?.source, decision.rule?.behavior]).toEqual([
            behavior,
            behavior === "allow" ? expect.any(String) : source,
            behavior,
          ]);
        }
      }
      const alone = decide(CALL, compilePolicy({ ...CONTEXT, rules: [rule("allow", source)] }), 0);
      expect([alone.behavior, alone.rule?.source]).toEqual(["allow", source]);
    }
    expect(decide(CALL, compilePolicy(CONTEXT), 0).behavior).toBe("ask");
  });
});

const rule = (behavior: SourcedRule["behavior"], source: RuleSource): SourcedRule => ({
  text: "mark",
  behavior,
  source,
});

const CALL: DecideCall = {
  tool: {
    name: "mark",
    aliases: [],
    source: "custom",
    readOnly: false,
    destructive: false,
    openWorld: false,
    requiresUser: false,
    hasCheck: false,
    riskLevel: "high",
    allowedInPlan: false,
    allowedByItself: false,
  },
  input: {},
  targets: [{ kind: "name", value: "mark" }],
};

const CONTEXT: PermissionContext = {
  mode: "default",
  startDirectory: "/w",
  startDirectoryReal: "/w",
  projectRoot: "/w",
  home: "/home/user",
  additionalDirectories: new Map(),
  rules: [],
  isBypassAvailable: false,
  planMode: "ceiling",
  avoidPrompts: false,
  trusted: true,
  caseInsensitiveFiles: false,
};
