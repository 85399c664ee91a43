import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseRule } from "../../permissions/index.ts";
import type { PermissionUpdate, RuleBehavior, UpdateDestination } from "../../protocol/index.ts";
import { mergePermissions } from "../merging/merge-permissions.ts";
import { layerOf } from "../reading/layer-of.ts";
import { type SettingsKit, settingsKit } from "../test-kit.ts";
import { writeUpdates } from "./write-updates.ts";

let kit: SettingsKit;
beforeEach(async () => {
  kit = await settingsKit();
});
afterEach(() => kit.remove());

const LOCAL = "w/proj/.castellan/settings.local.json";

function rules(
  type: "addRules" | "removeRules" | "replaceRules",
  texts: readonly string[],
  destination: UpdateDestination = "localSettings",
  behavior: RuleBehavior = "allow",
): PermissionUpdate {
  const values = texts.map((text) => {
    const parsed = parseRule(text);
    if ("error" in parsed) throw new Error(parsed.error);
    return parsed;
  });
  return { type, rules: values, behavior, destination };
}

const write = (...updates: PermissionUpdate[]) =>
  writeUpdates(kit.platform, { home: kit.home, projectRoot: kit.project }, updates);

const textOf = (path = LOCAL): Promise<string> => readFile(`${kit.root}/${path}`, "utf8");

describe("writeUpdates", () => {
  it("makes the file of each destination, with its folder", async () => {
    const { files } = await write(
      rules("addRules", ["Bash(npm test:*)"]),
      { type: "addDirectories", directories: ["/ext/r"], destination: "localSettings" },
      rules("addRules", ["Edit"], "userSettings", "deny"),
      { type: "setMode", mode: "plan", destination: "projectSettings" },
      rules("addRules", ["Never"], "session"),
      rules("addRules", ["Never"], "cliArg"),
    );
    expect(files).toEqual([
      `${kit.root}/${LOCAL}`,
      `${kit.home}/.castellan/settings.json`,
      `${kit.project}/.castellan/settings.json`,
    ]);
    expect(await textOf()).toBe(`{
  "permissions": {
    "allow": [
      "Bash(npm test:*)"
    ],
    "additionalDirectories": [
      "/ext/r"
    ]
  }
}
`);
    expect(JSON.parse(await textOf("home/.castellan/settings.json"))).toEqual({
      permissions: { deny: ["Edit"] },
    });
    expect(JSON.parse(await textOf("w/proj/.castellan/settings.json"))).toEqual({
      permissions: { defaultMode: "plan" },
    });
    const modes = await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
    expect(modes).toEqual([0o600, 0o600, 0o644]);
    expect(await readdir(`${kit.project}/.castellan`)).toEqual(["settings.json", "settings.local.json"]);
  });

  it("keeps everything else as it stands, and adds no rule twice", async () => {
    const before = '{"permissions":{"allow":["mcp__a__*","Bash(x:*)"]},"env":{"K":"1"},"unknownKey":1}';
    await kit.put(LOCAL, before);
    const twice = rules("addRules", ["Bash(x:*)", "Edit(*)", "Edit"]);
    expect((await write(twice)).files).toHaveLength(1);
    expect(await textOf()).toBe(before.replace('"Bash(x:*)"', '"Bash(x:*)", "Edit"'));
    expect((await write(twice)).files).toEqual([]);
  });

  it("keeps comments, tabs and Windows line ends", async () => {
    const before = [
      "\uFEFF// Mine.",
      "{",
      '\t"permissions": {',
      '\t\t"allow": [',
      '\t\t\t"Bash(a)", // first',
      '\t\t\t"Bash(b)" // last',
      "\t\t], // of the list",
      '\t\t"deny": [],',
      "\t}, /* end */",
      "}",
      "",
    ];
    await kit.put(LOCAL, before.join("\r\n"));
    await write(
      rules("addRules", ["Bash(c)", "Bash(d)"]),
      rules("addRules", ["Bash(e)"], "localSettings", "deny"),
    );
    const after = [...before];
    after.splice(
      5,
      3,
      '\t\t\t"Bash(b)", // last',
      '\t\t\t"Bash(c)",',
      '\t\t\t"Bash(d)"',
      "\t\t], // of the list",
      '\t\t"deny": [',
      '\t\t\t"Bash(e)"',
      "\t\t],",
    );
    expect(await textOf()).toBe(after.join("\r\n"));
    await write(rules("removeRules", ["Bash(c)", "Bash(d)"]));
    const restored = [...before];
    restored.splice(7, 1, '\t\t"deny": [', '\t\t\t"Bash(e)"', "\t\t],");
    expect(await textOf()).toBe(restored.join("\r\n"));
  });

  it.each([
    ['{ "permissions": { "allow": ["a", "b",] } }', '{ "permissions": { "allow": ["a", "b", "Bash(n)",] } }'],
    ['{"permissions": {"allow": "a, b"}}', '{"permissions": {"allow": ["a, b","Bash(n)"]}}'],
    ['{ "x": 1 }', '{ "x": 1, "permissions": {"allow":["Bash(n)"]} }'],
    [
      "// only a remark\n",
      '// only a remark\n{\n  "permissions": {\n    "allow": [\n      "Bash(n)"\n    ]\n  }\n}\n',
    ],
    [
      '{\n    "permissions": {\n        "allow": [\n            // none yet\n        ]\n    }\n}',
      '{\n    "permissions": {\n        "allow": [\n            "Bash(n)"\n            // none yet\n        ]\n    }\n}',
    ],
  ])("adds to %j", async (before, after) => {
    await kit.put(LOCAL, before);
    await write(rules("addRules", ["Bash(n)"]));
    expect(await textOf()).toBe(after);
  });

  it("removes and replaces rules however they are written down", async () => {
    await kit.put(
      LOCAL,
      `{ "permissions": { "allow": ["Edit(*)", "Bash(a), Bash(b)"], "deny": ["Edit"],
        "rules": [{ "rule": "Bash(c)", "behavior": "allow" }, { "rule": "Bash(c)", "behavior": "deny" }] } }`,
    );
    await write(rules("removeRules", ["Edit", "Bash(a)", "Bash(c)", "None"]));
    expect(parse(await textOf())).toEqual({
      permissions: { allow: ["Bash(b)"], deny: ["Edit"], rules: [{ rule: "Bash(c)", behavior: "deny" }] },
    });
    await write(
      rules("replaceRules", ["Bash(b)", "Read"]),
      rules("replaceRules", [], "localSettings", "deny"),
    );
    expect(parse(await textOf())).toEqual({
      permissions: { allow: ["Bash(b)", "Read"], deny: [], rules: [] },
    });
  });

  it("adds a lasting rule beside one that ends", async () => {
    await kit.put(
      LOCAL,
      '{"permissions": {"rules": [{"rule": "Edit", "behavior": "allow", "expires": 1}, {"rule": "LS", "behavior": "allow"}]}}',
    );
    await write(rules("addRules", ["Edit", "LS"]));
    expect(parse(await textOf())).toMatchObject({ permissions: { allow: ["Edit"] } });
  });

  it("sets a mode in place, and removes directories", async () => {
    await kit.put(
      LOCAL,
      '{\n  "permissions": { "defaultMode": "default", "additionalDirectories": ["/a", "/b"] } // x\n}',
    );
    await write(
      { type: "setMode", mode: "acceptEdits", destination: "localSettings" },
      { type: "removeDirectories", directories: ["/a", "/c"], destination: "localSettings" },
    );
    expect(await textOf()).toBe(
      '{\n  "permissions": { "defaultMode": "acceptEdits", "additionalDirectories": ["/b"] } // x\n}',
    );
  });

  it("writes bypassPermissions into no project's file", async () => {
    const bypass = (destination: UpdateDestination) => write({ type: "setMode", mode: "yolo", destination });
    await expect(bypass("localSettings")).rejects.toThrow("never gives bypassPermissions");
    await expect(bypass("projectSettings")).rejects.toMatchObject({ code: "invalid_settings" });
    expect((await bypass("userSettings")).files).toHaveLength(1);
  });

  it("follows a link to its file and keeps modes", async () => {
    await kit.put("w/real.json", "{}");
    await chmod(`${kit.root}/w/real.json`, 0o664);
    await symlink("../../real.json", `${kit.root}/${LOCAL}`);
    await write(rules("addRules", ["Edit"]));
    expect((await lstat(`${kit.root}/${LOCAL}`)).isSymbolicLink()).toBe(true);
    expect(await textOf("w/real.json")).toContain("Edit");
    expect((await stat(`${kit.root}/w/real.json`)).mode & 0o777).toBe(0o664);
  });

  it.each<[name: string, words: string, make: () => Promise<unknown>]>([
    ["is malformed", "line 1", () => kit.put(LOCAL, "{ oops")],
    [
      "holds a key twice",
      "a key stands in it twice",
      () => kit.put(LOCAL, '{"permissions": {}, "permissions": {}}'),
    ],
    ["is no object", "it is no object", () => kit.put(LOCAL, "[]")],
    [
      "holds no list where one belongs",
      "permissions.allow is no list",
      () => kit.put(LOCAL, '{"permissions": {"allow": {}}}'),
    ],
    [
      "holds no object where one belongs",
      "permissions is no object",
      () => kit.put(LOCAL, '{"permissions": 1}'),
    ],
    ["is a folder", "it is a folder", () => mkdir(`${kit.root}/${LOCAL}`)],
    ["leads nowhere", "leads nowhere", () => symlink("gone", `${kit.root}/${LOCAL}`)],
    ["is read-only", "it is read-only", () => kit.put(LOCAL, "{}").then((file) => chmod(file, 0o444))],
    ["is no UTF-8", "no UTF-8", () => kit.put(LOCAL, new Uint8Array([0x7b, 0xff, 0x7d]))],
  ])("leaves a file alone that %s, and every other file too", async (_, words, make) => {
    await make();
    const before = await readFile(`${kit.root}/${LOCAL}`).catch(() => undefined);
    // The file of the user comes after it: it has not been reached.
    const updates = [rules("addRules", ["Edit"]), rules("addRules", ["Edit"], "userSettings")];
    await expect(write(...updates)).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringMatching(new RegExp(`settings\\.local\\.json was not changed: .*${words}`)),
    });
    expect(await readFile(`${kit.root}/${LOCAL}`).catch(() => undefined)).toEqual(before);
    expect(await readdir(kit.home)).toEqual([]);
    expect((await readdir(`${kit.project}/.castellan`)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("leaves the old file whole when the new one cannot be put in its place", async () => {
    await kit.put(LOCAL, '{"env": {}}');
    const fs = { ...kit.platform.fs, rename: () => Promise.reject(new Error("no space left")) };
    const broken = Object.assign(Object.create(kit.platform.fs), fs);
    const platform = {
      ...kit.platform,
      fs: new Proxy(kit.platform.fs, {
        get: (target, name) => (name === "rename" ? broken.rename : Reflect.get(target, name)),
      }),
    };
    const failing = writeUpdates(platform, { home: kit.home, projectRoot: kit.project }, [
      rules("addRules", ["Edit"]),
    ]);
    await expect(failing).rejects.toThrow("was not changed: no space left");
    expect(await textOf()).toBe('{"env": {}}');
    expect(await readdir(`${kit.project}/.castellan`)).toEqual(["settings.local.json"]);
  });

  it("loses nothing when several write at once", async () => {
    await kit.put(LOCAL, '{\n  // kept\n  "env": { "K": "1" }\n}\n');
    const names = Array.from({ length: 12 }, (_, index) => `Bash(run ${index})`);
    await Promise.all(names.map((name) => write(rules("addRules", [name]))));
    const text = await textOf();
    expect(parse(text).permissions.allow.sort()).toEqual([...names].sort());
    expect(text).toContain("// kept");
    expect(await readdir(`${kit.project}/.castellan`)).toEqual(["settings.local.json"]);
  });

  it("is not held up for ever by a draft that a dead program left", async () => {
    const draft = `${kit.project}/.castellan/.settings.local.json.castellan-draft`;
    await writeFile(draft, "half");
    await write(rules("addRules", ["Edit"]));
    expect(await textOf()).toContain("Edit");
    expect(await readdir(`${kit.project}/.castellan`)).toEqual(["settings.local.json"]);
  });

  it("writes what is read back, whatever was there before", async () => {
    const word = fc
      .stringMatching(/^[a-zA-Z0-9 ,"\\*.:/é]{1,12}$/)
      .filter((text) => text.trim() !== "" && text.trim() !== "*");
    const text = word.map((specifier) => `Read(${specifier.replace(/[\\()]/g, "_")})`);
    const layout = fc.constantFrom(
      "",
      "{}",
      '{"a": 1}',
      '{\n  "permissions": {\n    "allow": ["Read(q)"], // x\n  }\n}\n',
      '{ "permissions": { "allow": [] } }',
    );
    await fc.assert(
      fc.asyncProperty(layout, fc.array(text, { minLength: 1, maxLength: 4 }), async (before, added) => {
        await kit.put(LOCAL, before);
        await write(rules("addRules", added));
        const read = (): string[] => {
          const file = { source: "localSettings" as const, file: LOCAL, text: now };
          const { rules: all } = mergePermissions([layerOf(file).layer], {
            trusted: true,
            home: "/h",
            projectRoot: "/p",
            cwd: "/p",
          });
          return all.map((each) => each.text);
        };
        let now = await textOf();
        expect(new Set(read())).toEqual(new Set([...(before.includes("q") ? ["Read(q)"] : []), ...added]));
        await write(rules("removeRules", added));
        now = await textOf();
        expect(read()).toEqual(before.includes("q") && !added.includes("Read(q)") ? ["Read(q)"] : []);
      }),
      { numRuns: Math.min(Number(process.env.CASTELLAN_RUNS ?? 100), 1000) },
    );
  });
});
