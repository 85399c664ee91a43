import { describe, expect, it } from "vitest";
import { layerOf } from "./layer-of.ts";

function project(text: string) {
  return layerOf({ source: "projectSettings", file: "/p/.castellan/settings.json", text });
}

function shortly(text: string) {
  return project(text).findings.map(({ code, severity, line, key, fix }) => ({
    code,
    severity,
    line,
    key,
    fix,
  }));
}

describe("layerOf", () => {
  it("reads comments, trailing commas, a byte order mark and Windows line ends", () => {
    const text =
      '\uFEFF{\r\n  // remark\r\n  "permissions": {\r\n    "deny": [\r\n      "Bash(a)", /* b */ "Read(.env)",\r\n    ],\r\n  },\r\n}\r\n';
    const { layer, findings, broken } = project(text);
    expect(layer.settings).toEqual({ permissions: { deny: ["Bash(a)", "Read(.env)"] } });
    expect({ findings, broken }).toEqual({ findings: [], broken: undefined });
    expect(layer.line(["permissions", "deny", 1])).toBe(5);
    expect(layer.line(["permissions", "deny"])).toBe(4);
    expect(layer.ofProject).toBe(true);
  });

  it.each(["", "  \n", "// nothing\n"])("takes %j for no settings", (text) => {
    expect(project(text)).toMatchObject({ layer: { settings: {} }, findings: [] });
  });

  it.each([
    ["{\n  'a': 1}", "line 2"],
    ['{"a": [1\n', "line"],
    ['{"a": 1}\n{"b": 2}', "line 2: text stands behind the end"],
    ['{\n"a": 1\n"b": 2}', "line 3: a comma is missing here"],
    ['{"a": "x\n"}', "this string is never closed"],
    ["[]", "no object"],
    ['"x"', "no object"],
  ])("refuses %j", (text, words) => {
    expect(() => project(text)).toThrowError(expect.objectContaining({ code: "invalid_settings" }));
    expect(() => project(text)).toThrow(words);
  });

  it("refuses a text that is nested too deep for its parser", () => {
    expect(() => project("[".repeat(100_000))).toThrow("nested too deep");
  });

  it("says which key was meant, and at which level it belongs", () => {
    const text = `{
      "permissions": {
        "alow": ["a"],
        "dney": ["b"],
        "hooks": {},
        "somethingElse": 1
      },
      "allow": ["c"],
      "defaultMode": "plan",
      "disableBypasPermissionsMode": true,
      "Permissions": {}
    }`;
    expect(shortly(text)).toEqual([
      {
        code: "unknown-key",
        severity: "warning",
        line: 3,
        key: "permissions.alow",
        fix: "Did you mean allow?",
      },
      { code: "unknown-key", severity: "error", line: 4, key: "permissions.dney", fix: "Did you mean deny?" },
      {
        code: "wrong-level",
        severity: "error",
        line: 5,
        key: "permissions.hooks",
        fix: "Move it beside permissions.",
      },
      {
        code: "unknown-key",
        severity: "warning",
        line: 6,
        key: "permissions.somethingElse",
        fix: expect.stringContaining("Known here: allow, deny"),
      },
      {
        code: "wrong-level",
        severity: "error",
        line: 8,
        key: "allow",
        fix: expect.stringContaining('{ "allow": … }'),
      },
      { code: "wrong-level", severity: "error", line: 9, key: "defaultMode", fix: expect.any(String) },
      {
        code: "unknown-key",
        severity: "error",
        line: 10,
        key: "disableBypasPermissionsMode",
        fix: "Did you mean disableBypassPermissionsMode?",
      },
      {
        code: "unknown-key",
        severity: "error",
        line: 11,
        key: "Permissions",
        fix: "Did you mean permissions?",
      },
    ]);
    expect(project(text).layer.settings).toEqual({});
  });

  it("lets a deny and an ask at the wrong level forbid all the same", () => {
    const { layer, findings } = project('{\n"deny": ["Bash(rm:*)"],\n"ask": ["Edit"]}');
    expect(layer.settings.permissions).toEqual({ deny: ["Bash(rm:*)"], ask: ["Edit"] });
    expect(findings).toHaveLength(2);
    expect(layer.line(["permissions", "deny", 0])).toBe(2);
    expect(layer.line(["permissions", "ask", 0])).toBe(3);
  });

  it("passes over keys of other hosts in their own files, but not slips", () => {
    const text = '{"statusLine": {}, "permissions": {"alow": [], "x-other": 1}}';
    const { findings } = layerOf({
      source: "userSettings",
      file: "/h/.claude/settings.json",
      text,
      compat: "claude",
    });
    expect(findings.map(({ key }) => key)).toEqual(["permissions.alow"]);
  });

  it("tells every key of a rule object that it does not know, and never widens an allowance", () => {
    const rule = { rule: "Bash(a)", reson: "x", until: "2030-01-01", approver: "me" };
    const read = (behavior: string) =>
      project(JSON.stringify({ permissions: { rules: [{ ...rule, behavior }] } }));
    const denied = read("deny");
    expect(denied.findings.map(({ message }) => message)).toEqual([
      "permissions.rules[0] has the key reson (did you mean reason?), which no rule has. It counts without it.",
      "permissions.rules[0] has the key until, which no rule has. It counts without it.",
      "permissions.rules[0] has an approver that is neither human nor auto. It counts without it.",
    ]);
    expect(denied.layer.settings.permissions?.rules).toEqual([{ rule: "Bash(a)", behavior: "deny" }]);
    const allowed = read("allow");
    expect(allowed.findings).toHaveLength(3);
    expect(allowed.layer.settings.permissions?.rules).toEqual([]);
  });

  it.each([
    ['{"permissions": {"deny": "Bash(a), Bash(b)"}}', undefined],
    ['{"permissions": {"deny": [{"rule": "Bash(a)", "reason": "x"}]}}', undefined],
    ['{"permissions": {"deny": {"a": 1}}}', "permissions.deny is an object"],
    ['{"permissions": {"deny": [["a"]]}}', "permissions.deny[0] is a list"],
    ['{"permissions": {"ask": [1]}}', "permissions.ask[0] is a number"],
    ['{"permissions": {"ask": null}}', "permissions.ask is null"],
    ['{"permissions": []}', "permissions is a list"],
    ['{"permissions": {"rules": {}}}', "permissions.rules is an object"],
    ['{"permissions": {"rules": [{"rule": "x"}]}}', "has no behavior (allow, deny or ask)"],
    ['{"permissions": {"rules": [{"behavior": "deny"}]}}', "has no rule"],
    [
      '{"permissions": {"rules": [{"rule": "a", "behavior": "ask", "match": "a"}]}}',
      "has a match that is no list",
    ],
    ['{"permissions": {"deny": ["a"], "deny": []}}', "permissions.deny stands there twice"],
    ['{"permissions": {"deny": ["a"]}, "permissions": {}}', "permissions stands there twice"],
    ['{"permissions": {"allow": {}}}', undefined],
    ['{"permissions": {"allow": [3, "Bash(a)"]}}', undefined],
    ['{"permissions": {"rules": [{"behavior": "allow"}]}}', undefined],
    ['{"model": "a", "model": "b"}', undefined],
  ])("tells whether %s may hide a deny", (text, broken) => {
    const read = project(text);
    expect(read.broken ?? "").toContain(broken ?? "");
    expect(read.broken === undefined).toBe(broken === undefined);
    expect(read.findings.length).toBeGreaterThan(
      read.layer.settings.permissions?.rules === undefined ? 0 : -1,
    );
    for (const source of ["policySettings", "flagSettings"] as const) {
      const strictly = () => layerOf({ source, file: "f", text });
      if (broken === undefined) expect(strictly).not.toThrow();
      else expect(strictly).toThrow(broken);
    }
  });

  it("keeps what it can read of a list, with the right lines", () => {
    const { layer } = project('{"permissions": {"allow": [\n1,\n"a",\n{"rule": "b", "reason": "c"},\n"d"]}}');
    expect(layer.settings.permissions).toEqual({
      allow: ["a", "d"],
      rules: [{ rule: "b", behavior: "allow", reason: "c" }],
    });
    expect([0, 1].map((index) => layer.line(["permissions", "allow", index]))).toEqual([3, 5]);
    expect(layer.line(["permissions", "rules", 0])).toBe(4);
  });

  it("does not let a list entry say another behaviour than its list by accident", () => {
    const { layer } = project('{"permissions": {"deny": [{"rule": "b", "behavior": "allow"}]}}');
    expect(layer.settings.permissions?.rules).toEqual([{ rule: "b", behavior: "deny" }]);
  });

  it.each([
    ["true", true, 0],
    ['"disable"', true, 0],
    ["false", false, 0],
    ['"false"', true, 1],
    ["1", true, 1],
    ["null", true, 1],
  ])("takes %s of a switch for %s", (value, expected, count) => {
    const { layer, findings } = project(`{"permissions": {"disableBypassPermissionsMode": ${value}}}`);
    expect(layer.settings.permissions).toEqual({ disableBypassPermissionsMode: expected });
    expect(findings).toHaveLength(count);
  });

  it("keeps allowManagedPermissionRulesOnly for the policy", () => {
    const value = { allowManagedPermissionRulesOnly: true };
    expect(layerOf({ source: "userSettings", file: "f", value })).toMatchObject({
      layer: { settings: {} },
      findings: [{ code: "not-here" }],
    });
    expect(layerOf({ source: "policySettings", file: "f", value })).toMatchObject({
      layer: { settings: value },
    });
  });

  it("leaves out other values of the wrong type, and never shows them", () => {
    const text = `{"env": {"A": "1", "B": 2, "__proto__": "x"}, "model": ["secret"], "cleanupPeriodDays": "secret",
      "mcpServers": [], "permissions": {"defaultMode": "off", "additionalDirectories": ["/a", 1, ""]}}`;
    const { layer, findings, broken } = project(text);
    expect(broken).toBeUndefined();
    expect(layer.settings.permissions).toEqual({ additionalDirectories: ["/a"] });
    expect(Object.entries(layer.settings.env ?? {})).toEqual([
      ["A", "1"],
      ["__proto__", "x"],
    ]);
    expect(findings.map(({ key }) => key)).toEqual([
      "env.B",
      "model",
      "cleanupPeriodDays",
      "mcpServers",
      "permissions.defaultMode",
      "permissions.additionalDirectories[1]",
      "permissions.additionalDirectories[2]",
    ]);
    expect(JSON.stringify(findings)).not.toContain("secret");
  });

  it("refuses an allowance whose limit cannot be read, and keeps a refusal", () => {
    const rules = [
      { rule: "a", behavior: "allow", expires: "soon" },
      { rule: "b", behavior: "deny", expires: "2027-01-31T10:00" },
      { rule: "c", behavior: "allow", expries: "2027-01-31" },
      { rule: "d", behavior: "allow", expires: "2027-02-30" },
      { rule: "e", behavior: "allow", expires: "2027-01-31", approver: "human", reason: "r" },
    ];
    const { layer, findings, broken } = layerOf({
      source: "userSettings",
      file: "f",
      value: { permissions: { rules } },
    });
    expect(layer.settings.permissions?.rules).toEqual([{ rule: "b", behavior: "deny" }, rules[4]]);
    expect(findings.map(({ key }) => key)).toEqual(
      [0, 1, 2, 3].map((index) => `permissions.rules[${index}]`),
    );
    expect(findings[2]?.message).toContain("did you mean expires?");
    expect(broken).toBeUndefined();
  });

  it("reads objects as it reads texts, without lines", () => {
    const value = { permissions: { allow: ["Bash(a)"], deny: undefined }, denyInsteadOfPrompting: true };
    const { layer, findings } = layerOf({ source: "flagSettings", file: "settings", value });
    expect(layer.settings).toEqual({ permissions: { allow: ["Bash(a)"] }, denyInsteadOfPrompting: true });
    expect(findings).toEqual([]);
    expect(layer.line(["permissions", "allow", 0])).toBeUndefined();
    expect(layer.ofProject).toBe(false);
    expect(() => layerOf({ source: "userSettings", file: "f", value: [] })).toThrow("no object");
  });
});
