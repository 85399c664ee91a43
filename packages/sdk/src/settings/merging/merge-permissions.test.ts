import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../protocol/index.ts";
import { layerOf } from "../reading/layer-of.ts";
import type { CompatHost, Settings, SettingsLayer } from "../types.ts";
import { mergePermissions } from "./merge-permissions.ts";
import { mergeValues } from "./merge-values.ts";

const PLACES = { home: "/home/u", projectRoot: "/w/proj", cwd: "/w/proj/sub" };

const FILES: Partial<Record<RuleSource, string>> = {
  policySettings: "/etc/castellan/managed-settings.json",
  localSettings: "/w/proj/.castellan/settings.local.json",
  projectSettings: "/w/proj/.castellan/settings.json",
  userSettings: "/home/u/.castellan/settings.json",
};

function layer(source: RuleSource, settings: Settings, compat?: CompatHost): SettingsLayer {
  const text = FILES[source] === undefined ? {} : { text: JSON.stringify(settings, null, 2) };
  const host = compat === undefined ? {} : { compat };
  return layerOf({ source, file: FILES[source] ?? "settings", value: settings, ...text, ...host }).layer;
}

function merged(layers: readonly SettingsLayer[], trusted = true) {
  return mergePermissions(layers, { ...PLACES, trusted });
}

const texts = (layers: readonly SettingsLayer[], trusted = true): string[] =>
  merged(layers, trusted).rules.map(({ behavior, text }) => `${behavior} ${text}`);

describe("mergePermissions", () => {
  it("adds lists and keeps what a layer does not mention", () => {
    const user = layer("userSettings", {
      permissions: { allow: ["mcp__a__x"], deny: ["Read(~/.ssh/**)"], defaultMode: "acceptEdits" },
    });
    const local = layer("localSettings", { permissions: { allow: [] } });
    const { rules, defaultMode } = merged([user, local]);
    expect(rules).toEqual([
      { text: "mcp__a__x", behavior: "allow", source: "userSettings", file: FILES.userSettings, position: 4 },
      {
        text: "Read(~/.ssh/**)",
        behavior: "deny",
        source: "userSettings",
        file: FILES.userSettings,
        position: 7,
      },
    ]);
    expect(defaultMode).toEqual({
      mode: "acceptEdits",
      from: { source: "userSettings", file: FILES.userSettings, position: 9 },
    });
  });

  it("splits joined rules, each with the line of its string; of an option it tells the entry", () => {
    const flag = layer("flagSettings", { permissions: { allow: ["a", "Bash(b, c), d"] } });
    expect(merged([flag]).rules).toEqual([
      expect.objectContaining({ text: "a", file: "settings.permissions.allow", position: 1 }),
      expect.objectContaining({ text: "Bash(b, c)", file: "settings.permissions.allow", position: 2 }),
      expect.objectContaining({ text: "d", file: "settings.permissions.allow", position: 2 }),
    ]);
  });

  it("gives rules of .qoder files their own root", () => {
    const rules = merged([
      layer("projectSettings", { permissions: { deny: ["Read(/a)"] } }, "qoder"),
      layer("projectSettings", { permissions: { deny: ["Read(/b)"] } }, "claude"),
    ]).rules;
    expect(rules.map(({ text, slashRoot }) => [text, slashRoot])).toEqual([
      ["Read(/a)", "/"],
      ["Read(/b)", undefined],
    ]);
  });

  it("makes rule objects rules", () => {
    const rules = [
      {
        rule: "Bash(git push:*)",
        behavior: "deny",
        reason: "use CI",
        match: ["Bash(git push origin x)"],
        notMatch: ["Bash(git pull)"],
      },
      { rule: "Edit(/a)", behavior: "allow", expires: "2027-01-31", approver: "human" },
      { rule: "Edit(/b)", behavior: "ask", expires: 1_800_000_000_000 },
    ] as const;
    expect(merged([layer("flagSettings", { permissions: { rules } })]).rules).toEqual([
      expect.objectContaining({ text: "Bash(git push:*)", behavior: "deny", reason: "use CI", position: 1 }),
      expect.objectContaining({ expires: Date.UTC(2027, 1, 1) - 1, approver: "human", position: 2 }),
      expect.objectContaining({ expires: 1_800_000_000_000 }),
    ]);
  });

  it("refuses to load a rule whose example fails, naming file, line and example", () => {
    const failing = (source: RuleSource, over: object) => () =>
      merged([
        layer(source, { permissions: { rules: [{ rule: "Bash(npm test)", behavior: "allow", ...over }] } }),
      ]);
    const words =
      "/home/u/.castellan/settings.json, line 9: Bash(npm test) fails its match example Bash(npm test -- -w)";
    expect(failing("userSettings", { match: ["Bash(npm test)", "Bash(npm test -- -w)"] })).toThrow(words);
    expect(failing("userSettings", { match: ["Bash(ls)"] })).toThrowError(
      expect.objectContaining({ code: "invalid_rule" }),
    );
    expect(failing("flagSettings", { notMatch: ["Bash(npm test)"] })).toThrow(
      "settings, permissions.rules[0].notMatch[0]",
    );
    expect(
      failing("userSettings", { match: ["Bash(npm test)"], notMatch: ["Bash(npm run x)"] }),
    ).not.toThrow();
  });

  it("lets files of an untrusted project tighten and nothing else", () => {
    const project = layer("projectSettings", {
      permissions: {
        allow: ["Bash(*)"],
        deny: ["Read(.env)"],
        ask: ["Edit"],
        rules: [
          { rule: "WebFetch", behavior: "allow", match: ["Bash(never tried)"] },
          { rule: "WebSearch", behavior: "deny" },
        ],
        defaultMode: "acceptEdits",
        additionalDirectories: ["/"],
      },
      env: { PATH: "/evil" },
      model: "their/model",
      hooks: { Stop: [] },
      blockWritesOutsideWorkingDirectories: true,
    });
    const local = layer("localSettings", { permissions: { allow: ["Edit"] } });
    const user = layer("userSettings", { permissions: { allow: ["Read"] }, model: "mine" });
    const result = merged([user, project, local], false);
    expect(texts([user, project, local], false)).toEqual([
      "deny Read(.env)",
      "ask Edit",
      "deny WebSearch",
      "allow Read",
    ]);
    expect(result).toMatchObject({ directories: [], blockWritesOutside: { source: "projectSettings" } });
    expect(result.defaultMode).toBeUndefined();
    expect(result.findings).toEqual([
      expect.objectContaining({
        code: "not-trusted",
        source: "localSettings",
        message: expect.stringContaining("1 allow rule."),
      }),
      expect.objectContaining({
        code: "not-trusted",
        source: "projectSettings",
        message: expect.stringMatching(
          /2 allow rules, 1 directory, the mode acceptEdits, the model, 1 variable, the hooks/,
        ),
        fix: expect.stringContaining("castellan trust"),
      }),
    ]);
    expect(mergeValues([user, project], { trusted: false })).toEqual({
      model: { value: "mine", from: expect.objectContaining({ source: "userSettings" }) },
      env: new Map(),
    });
    expect(() => merged([project], true)).toThrow("fails its match example");
  });

  it("has nothing to say about an untrusted project that only tightens", () => {
    expect(merged([layer("projectSettings", { permissions: { deny: ["Edit"] } })], false).findings).toEqual(
      [],
    );
  });

  it("takes single values from the layer with the highest authority", () => {
    const layers = [
      layer("userSettings", {
        permissions: { defaultMode: "acceptEdits" },
        model: "u",
        env: { A: "u", B: "u" },
      }),
      layer("projectSettings", { permissions: { defaultMode: "plan" }, env: { A: "p" } }),
      layer("localSettings", { permissions: { defaultMode: "dontAsk" }, model: "l" }),
    ];
    expect(merged(layers).defaultMode).toMatchObject({ mode: "dontAsk", from: { source: "localSettings" } });
    const { model, env } = mergeValues(layers, { trusted: true });
    expect(model).toMatchObject({ value: "l" });
    expect([...env].map(([name, { value }]) => [name, value])).toEqual([
      ["A", "p"],
      ["B", "u"],
    ]);
  });

  it("never takes bypassPermissions from a project's file", () => {
    const asked = (source: RuleSource, mode: "yolo" | "bypassPermissions") =>
      merged([layer(source, { permissions: { defaultMode: mode } })]);
    expect(asked("projectSettings", "yolo")).toMatchObject({ findings: [{ code: "not-here", line: 3 }] });
    expect(asked("localSettings", "bypassPermissions").defaultMode).toBeUndefined();
    expect(asked("userSettings", "yolo").defaultMode?.mode).toBe("bypassPermissions");
    const next = merged([
      layer("localSettings", { permissions: { defaultMode: "bypassPermissions" } }),
      layer("userSettings", { permissions: { defaultMode: "plan" } }),
    ]);
    expect(next.defaultMode?.mode).toBe("plan");
  });

  it("obeys a switch of any layer, beside permissions and inside, and no other layer lifts it", () => {
    const project = layer("projectSettings", {
      disableBypassPermissionsMode: "disable",
      permissions: { denyInsteadOfPrompting: true, disableAutoMode: true },
      blockReadsOutsideWorkingDirectories: true,
    });
    const policy = layer("policySettings", {
      disableBypassPermissionsMode: false,
      denyInsteadOfPrompting: false,
    });
    expect(merged([policy, project], false)).toMatchObject({
      disableBypass: { source: "projectSettings", position: 2 },
      denyInsteadOfPrompting: { source: "projectSettings", position: 4 },
      disableAuto: { source: "projectSettings" },
      blockReadsOutside: { source: "projectSettings" },
    });
    expect(merged([policy])).not.toHaveProperty("disableBypass");
  });

  it("drops other layers' allow rules, and only those, where the policy says so", () => {
    const policy = layer("policySettings", {
      allowManagedPermissionRulesOnly: true,
      permissions: { allow: ["Read"] },
    });
    const user = layer("userSettings", {
      permissions: {
        allow: ["Edit", "Write"],
        deny: ["Bash(a)"],
        rules: [{ rule: "LS", behavior: "allow" }],
      },
    });
    const flag = layer("flagSettings", { permissions: { allow: ["Bash"], ask: ["Bash(b)"] } });
    expect(texts([policy, user, flag])).toEqual(["allow Read", "ask Bash(b)", "deny Bash(a)"]);
    expect(merged([policy, user, flag]).findings.map(({ message }) => message.slice(0, 21))).toEqual([
      "1 allow rule does not",
      "3 allow rules do not ",
    ]);
  });

  it("resolves directories from their layer's own start", () => {
    const dirs = ["x", "~/y", "/z"];
    const of = (source: RuleSource) =>
      merged([layer(source, { permissions: { additionalDirectories: dirs } })]).directories.map(
        ([path]) => path,
      );
    expect(of("userSettings")).toEqual(["/home/u/x", "/home/u/y", "/z"]);
    expect(of("projectSettings")).toEqual(["/w/proj/x", "/home/u/y", "/z"]);
    expect(of("flagSettings")).toEqual(["/w/proj/sub/x", "/home/u/y", "/z"]);
    const both = merged([
      layer("userSettings", { permissions: { additionalDirectories: ["/z"] } }),
      layer("localSettings", { permissions: { additionalDirectories: ["/z"] } }),
    ]);
    expect(both.directories).toEqual([["/z", "localSettings"]]);
  });

  it("does not care in which order the layers come", () => {
    const all = [
      layer("policySettings", { permissions: { deny: ["a"], defaultMode: "plan" }, model: "p" }),
      layer("flagSettings", { permissions: { ask: ["b"] } }),
      layer("localSettings", { permissions: { allow: ["c"], additionalDirectories: ["/q"] } }),
      layer("projectSettings", { permissions: { deny: ["d"], additionalDirectories: ["/q"] } }),
      layer("userSettings", { permissions: { allow: ["e"], defaultMode: "dontAsk" }, disableAutoMode: true }),
    ];
    const expected = merged(all);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (layers) => {
        expect(merged(layers)).toEqual(expected);
        expect(mergeValues(layers, { trusted: true })).toEqual(mergeValues(all, { trusted: true }));
      }),
      { numRuns: Number(process.env.CASTELLAN_RUNS ?? 200) },
    );
  });
});
