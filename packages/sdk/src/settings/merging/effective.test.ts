import { describe, expect, it } from "vitest";
import { PERMISSION_KEYS, ROOT_KEYS, SWITCHES } from "../known-keys.ts";
import { layerOf } from "../reading/layer-of.ts";
import type { PermissionSettings, Settings, SettingsSwitches } from "../types.ts";
import { effectiveSettings } from "./effective.ts";

const PLACES = { home: "/h", projectRoot: "/p", cwd: "/p", trusted: true };
const FILE = "/etc/castellan/managed-settings.json";

function effectiveOf(settings: Settings) {
  const text = JSON.stringify(settings);
  const { layer, findings } = layerOf({ source: "policySettings", file: FILE, text });
  return effectiveSettings({ layers: [layer], findings }, PLACES);
}

/** What shows that a key counts: its place in `provenance`; or the code of a finding that says it does not. */
type Shown = { readonly provenance: string } | { readonly code: string };

const SWITCHED: { readonly [K in keyof Required<SettingsSwitches>]: true } = {
  disableBypassPermissionsMode: true,
  disableAutoMode: true,
  denyInsteadOfPrompting: true,
  blockReadsOutsideWorkingDirectories: true,
  blockWritesOutsideWorkingDirectories: true,
  allowManagedPermissionRulesOnly: true,
};

const PERMISSIONS: {
  readonly [K in keyof Required<PermissionSettings>]: readonly [PermissionSettings[K], Shown];
} = {
  allow: [["Edit"], { provenance: "permissions.allow" }],
  deny: [["Edit"], { provenance: "permissions.deny" }],
  ask: [["Edit"], { provenance: "permissions.ask" }],
  // A rule object stands among the rules of its behaviour.
  rules: [[{ rule: "Edit", behavior: "deny" }], { provenance: "permissions.deny" }],
  defaultMode: ["plan", { provenance: "permissions.defaultMode" }],
  additionalDirectories: [["/ext"], { provenance: "permissions.additionalDirectories" }],
};

const ROOT: {
  readonly [K in keyof Required<Omit<Settings, keyof SettingsSwitches | "permissions">>]: readonly [
    Settings[K],
    Shown,
  ];
} = {
  env: [{ A: "1" }, { provenance: "env.A" }],
  model: ["m", { provenance: "model" }],
  hooks: [{ PreToolUse: [] }, { code: "not-applied" }],
  sandbox: [{ enabled: true }, { code: "not-applied" }],
  cleanupPeriodDays: [3, { provenance: "cleanupPeriodDays" }],
  mcpServers: [{ s: {} }, { code: "not-applied" }],
};

const CASES: readonly (readonly [key: string, settings: Settings, shown: Shown])[] = [
  ...Object.entries(ROOT).map(([key, [value, shown]]) => [key, { [key]: value }, shown] as const),
  ...Object.entries(PERMISSIONS).map(
    ([key, [value, shown]]) => [`permissions.${key}`, { permissions: { [key]: value } }, shown] as const,
  ),
  ...Object.keys(SWITCHED).flatMap((key) => [
    [key, { [key]: true }, { provenance: key }] as const,
    [`permissions.${key}`, { permissions: { [key]: true } }, { provenance: key }] as const,
  ]),
];

describe("effectiveSettings", () => {
  it("is tried with every key that is read", () => {
    const tried = new Set(CASES.map(([key]) => key));
    const known = [
      ...ROOT_KEYS.filter((key) => key !== "permissions"),
      ...[...PERMISSION_KEYS, ...SWITCHES].map((key) => `permissions.${key}`),
      ...SWITCHES,
    ];
    expect([...tried].sort()).toEqual([...known].sort());
  });

  it.each(CASES)("shows %s, or says that it does not count", (_, settings, shown) => {
    const { effective, provenance, findings } = effectiveOf(settings);
    if ("code" in shown) {
      expect(findings).toMatchObject([{ code: shown.code, file: FILE, line: 1 }]);
      expect(effective).toEqual({});
      return;
    }
    expect(findings).toEqual([]);
    expect(Object.keys(provenance)).toEqual([shown.provenance]);
    expect(provenance[shown.provenance]).toMatchObject([{ source: "policySettings" }]);
    const [key = "", inner] = shown.provenance.split(".");
    const value = (effective as Record<string, unknown>)[key];
    if (inner === undefined) expect(value).toBe((settings as Record<string, unknown>)[key] ?? true);
    else expect(Object.keys(value as object)).toEqual([inner]);
  });

  it("leaves out what a project that is not trusted says of later keys", () => {
    const { layer } = layerOf({
      source: "projectSettings",
      file: "/p/s.json",
      text: '{"sandbox": {"a": 1}}',
    });
    const codes = (trusted: boolean): string[] =>
      effectiveSettings({ layers: [layer], findings: [] }, { ...PLACES, trusted }).findings.map(
        ({ code }) => code,
      );
    expect(codes(true)).toEqual(["not-applied"]);
    expect(codes(false)).toEqual([]);
  });
});
