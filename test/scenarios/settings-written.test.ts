import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Options, type PermissionUpdate, resolveSettings } from "@castellan/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { bash, denials, notes, type SettingsPlace, settingsPlace } from "../kit/settings.ts";

let place: SettingsPlace;
let home: string;
let cwd: string;

beforeEach(() => {
  place = settingsPlace();
  ({ home, cwd } = place);
});

const platform = () => place.platform();
const inUser = (value: unknown) => place.inUser(value);
const inProject = (value: unknown, folder?: string) => place.inProject(value, folder);
const inLocal = (value: unknown) => place.inLocal(value);
const inPolicy = (value: unknown) => place.inPolicy(value);
const go: SettingsPlace["go"] = (turns, options) => place.go(turns, options);

describe("what is remembered in files", () => {
  const touch = (name: string) => ({ toolCalls: [{ name: "Bash", input: { command: `touch ${name}` } }] });

  async function remembering(updates: readonly PermissionUpdate[], options: Options = {}) {
    let asked = 0;
    const outcome = await go([touch("a"), touch("a"), "done"], {
      settingSources: [],
      canUseTool: () => {
        asked += 1;
        return { behavior: "allow", updatedPermissions: updates };
      },
      ...options,
    });
    return { outcome, asked };
  }

  const allow = (destination: PermissionUpdate["destination"]): PermissionUpdate => ({
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "touch a" }],
    behavior: "allow",
    destination,
  });

  it("is written before it counts, and counts from then on and in later sessions", async () => {
    const directories: PermissionUpdate = {
      type: "addDirectories",
      directories: [home],
      destination: "localSettings",
    };
    const { asked } = await remembering([allow("localSettings"), directories, allow("userSettings")], {
      trustWorkspace: true,
    });
    expect(asked).toBe(1);
    const file = join(cwd, ".castellan/settings.local.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      permissions: { allow: ["Bash(touch a)"], additionalDirectories: [home] },
    });
    expect(readFileSync(join(home, ".castellan/settings.json"), "utf8")).toContain("Bash(touch a)");
    expect(denials(await go(bash("touch a"), { settingSources: ["local"], trustWorkspace: true }))).toBe(0);
    const { effective, provenance, sources } = await resolveSettings({
      cwd,
      platform: platform(),
      trustWorkspace: true,
    });
    expect(effective.permissions).toEqual({
      allow: ["Bash(touch a)", "Bash(touch a)"],
      additionalDirectories: [home],
    });
    expect(provenance["permissions.allow"]).toEqual([
      { source: "localSettings", file, position: 4 },
      { source: "userSettings", file: join(home, ".castellan/settings.json"), position: 4 },
    ]);
    expect(sources.map(({ source }) => source)).toEqual(["localSettings", "userSettings"]);
  });

  it("holds for the session alone where the file cannot be written, and that is told as an error", async () => {
    const file = inLocal("{ oops");
    const { outcome, asked } = await remembering([allow("localSettings")]);
    expect(asked).toBe(1);
    expect(readFileSync(file, "utf8")).toBe("{ oops");
    expect(notes(outcome)).toEqual([
      expect.stringMatching(
        /^error: .*settings\.local\.json was not changed: line 1: .* holds for this session alone/,
      ),
    ]);
  });

  it("says where it will not count until the workspace is trusted", async () => {
    const { outcome } = await remembering([allow("projectSettings")]);
    expect(notes(outcome)).toEqual([
      expect.stringMatching(/will not count in later sessions until .*trusted/),
    ]);
  });

  it("is asked again where the update itself is no good, and nothing is written", async () => {
    const bad: PermissionUpdate = {
      ...allow("localSettings"),
      rules: [{ toolName: "Bash", ruleContent: "" }],
    } as never;
    const { outcome } = await remembering([allow("userSettings"), bad]);
    expect(outcome.texts[0]).toContain("gave no usable answer");
    expect(existsSync(join(home, ".castellan"))).toBe(false);
  });

  it("may come from a PermissionRequest hook", async () => {
    const decision = { behavior: "allow", updatedPermissions: [allow("localSettings")] };
    const answer = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
    const outcome = await go([touch("a"), "done"], {
      hooks: { PermissionRequest: [{ hooks: [() => answer as never] }] },
    });
    expect(denials(outcome)).toBe(0);
    expect(readFileSync(join(cwd, ".castellan/settings.local.json"), "utf8")).toContain("Bash(touch a)");
  });
});

describe("resolveSettings", () => {
  it("refuses what it does not know, and a policy that cannot be read", async () => {
    await expect(resolveSettings({ settingSource: [] } as never)).rejects.toThrow(
      "Did you mean settingSources?",
    );
    await expect(resolveSettings({ compat: ["x"] as never })).rejects.toMatchObject({
      code: "invalid_option",
    });
    inPolicy("{");
    await expect(resolveSettings({ cwd, platform: platform() })).rejects.toMatchObject({
      code: "invalid_settings",
    });
  });

  it("shows single values with their places, and what only tightens", async () => {
    inUser({ model: "m", env: { A: "1" }, disableAutoMode: true });
    inProject({ model: "theirs", permissions: { deny: ["Edit"], allow: ["Bash"] } });
    const resolved = await resolveSettings({ cwd, platform: platform() });
    expect(resolved.effective).toEqual({
      model: "m",
      env: { A: "1" },
      disableAutoMode: true,
      permissions: { deny: ["Edit"] },
    });
    expect(Object.keys(resolved.provenance).sort()).toEqual([
      "disableAutoMode",
      "env.A",
      "model",
      "permissions.deny",
    ]);
    expect(resolved.sources.map(({ tightensOnly }) => tightensOnly)).toEqual([true, false]);
    expect(resolved.findings.map(({ code }) => code)).toEqual(["not-trusted"]);
  });
});
