import { chmod, mkdir, symlink } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SettingsKit } from "../test-kit.ts";
import { settingsKit } from "../test-kit.ts";
import type { SettingsRead } from "../types.ts";

let kit: SettingsKit;
beforeEach(async () => {
  kit = await settingsKit();
});
afterEach(() => kit.remove());

const rule = (name: string): string => JSON.stringify({ permissions: { deny: [name] } });
const denied = ({ layers }: SettingsRead) => layers.map(({ settings }) => settings.permissions?.deny?.[0]);

async function putAll(): Promise<void> {
  for (const host of ["castellan", "claude", "qoder"]) {
    await kit.put(`home/.${host}/settings.json`, rule(`${host}-user`));
    await kit.put(`w/proj/.${host}/settings.json`, rule(`${host}-project`));
    await kit.put(`w/proj/.${host}/settings.local.json`, rule(`${host}-local`));
    // None of these is a place of settings.
    await kit.put(`w/.${host}/settings.json`, rule(`${host}-above`));
    await kit.put(`home/.${host}/settings.local.json`, rule(`${host}-user-local`));
    await kit.put(`w/proj/.${host}/managed-settings.json`, rule(`${host}-managed`));
  }
}

describe("readSettings", () => {
  it("reads the sources that it is told to, and no others", async () => {
    await putAll();
    expect(denied(await kit.read({ sources: [] }))).toEqual([]);
    expect(denied(await kit.read({ sources: ["project"] }))).toEqual(["castellan-project"]);
    expect(denied(await kit.read())).toEqual(["castellan-local", "castellan-project", "castellan-user"]);
    expect(denied(await kit.read({ sources: ["user"], compat: ["qoder"] }))).toEqual([
      "castellan-user",
      "qoder-user",
    ]);
    const all = await kit.read({ compat: ["qoder", "claude"] });
    expect(denied(all)).toEqual(
      ["local", "project", "user"].flatMap((name) =>
        ["castellan", "claude", "qoder"].map((host) => `${host}-${name}`),
      ),
    );
    expect(all.layers.map(({ ofProject }) => ofProject)).toEqual([
      ...Array(6).fill(true),
      ...Array(3).fill(false),
    ]);
    expect(all.layers.map(({ compat }) => compat ?? "castellan").slice(0, 3)).toEqual([
      "castellan",
      "claude",
      "qoder",
    ]);
    expect(all).toMatchObject({ findings: [] });
    expect(all.broken).toBeUndefined();
  });

  it("always reads the machine's policy, the last file by name first", async () => {
    await kit.put("etc/castellan/managed-settings.json", rule("base"));
    await kit.put("etc/castellan/managed-settings.d/20-b.json", rule("b"));
    await kit.put("etc/castellan/managed-settings.d/10-a.json", rule("a"));
    await kit.put("etc/castellan/managed-settings.d/.30-hidden.json", rule("hidden"));
    await kit.put("etc/castellan/managed-settings.d/readme.txt", "no settings");
    const read = await kit.read({
      sources: [],
      managed: [{ file: "policy", value: { permissions: { deny: ["managed"] } } }],
      flag: {},
    });
    expect(denied(read)).toEqual(["b", "a", "base", "managed", undefined]);
    expect(read.layers.map(({ source }) => source)).toEqual([
      ...Array(4).fill("policySettings"),
      "flagSettings",
    ]);
  });

  it.each<[name: string, make: () => Promise<unknown>]>([
    ["malformed", () => kit.put("etc/castellan/managed-settings.json", "{")],
    ["a folder", () => mkdir(`${kit.root}/etc/castellan/managed-settings.json`, { recursive: true })],
    [
      "a malformed part",
      () => kit.put("etc/castellan/managed-settings.d/1.json", '{"permissions": {"deny": 1}}'),
    ],
    [
      "no folder where one belongs",
      () =>
        kit
          .put("etc/castellan/managed-settings.d", "x")
          .then(() => kit.put("etc/castellan/managed-settings.json", "[]")),
    ],
  ])("refuses a policy that is %s", async (_, make) => {
    await make();
    await expect(kit.read({ sources: [] })).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringContaining("/etc/castellan/managed-settings"),
    });
  });

  it.each<[name: string, words: string, make: (path: string) => Promise<unknown>]>([
    ["is malformed", "line 2: a comma is missing here", (path) => kit.put(path, '{"a": 1\n"b": 2}')],
    ["is a folder", "it is a folder", (path) => mkdir(`${kit.root}/${path}`, { recursive: true })],
    ["is no object", "no object of settings", (path) => kit.put(path, "[]")],
    ["is no UTF-8", "it is no UTF-8", (path) => kit.put(path, new Uint8Array([0x22, 0xff, 0x22]))],
    ["is UTF-16", "it is no UTF-8", (path) => kit.put(path, Buffer.from("\uFEFF{}", "utf16le"))],
    ["leads nowhere", "leads nowhere", (path) => symlink("missing.json", `${kit.root}/${path}`)],
    ["leads in a circle", "in a circle", (path) => symlink("settings.json", `${kit.root}/${path}`)],
    ["is a device", "no plain file", (path) => symlink("/dev/zero", `${kit.root}/${path}`)],
  ])(
    "goes on without a project file that %s, and says that it may forbid something",
    async (_, words, make) => {
      await make("w/proj/.castellan/settings.json");
      await kit.put("home/.castellan/settings.json", rule("user"));
      const read = await kit.read();
      expect(denied(read)).toEqual(["user"]);
      const file = `${kit.project}/.castellan/settings.json`;
      expect(read.broken).toBe(file);
      expect(read.findings).toEqual([
        expect.objectContaining({
          code: "unreadable",
          severity: "error",
          source: "projectSettings",
          file,
          message: expect.stringContaining(words),
        }),
      ]);
      // Nobody asked for it.
      expect(await kit.read({ sources: ["user"] })).toMatchObject({ findings: [] });
    },
  );

  // The superuser may read everything.
  it.runIf(process.getuid?.() !== 0)("tells of a file that may not be read", async () => {
    await chmod(await kit.put("home/.castellan/settings.json", "{}"), 0);
    expect(await kit.read()).toMatchObject({
      findings: [{ message: expect.stringContaining("not permitted") }],
    });
  });

  it("names a part that may hide a deny, and reads the rest", async () => {
    await kit.put("w/proj/.castellan/settings.json", '{"permissions": {"deny": [1, "a"]}}');
    const read = await kit.read();
    expect(denied(read)).toEqual(["a"]);
    expect(read.broken).toMatch(/settings\.json: permissions\.deny\[0\] is a number/);
  });

  it("follows a link to the real file", async () => {
    await kit.put("w/real.json", rule("real"));
    await symlink(`${kit.root}/w/real.json`, `${kit.project}/.castellan/settings.json`);
    const read = await kit.read();
    expect(denied(read)).toEqual(["real"]);
    expect(read.layers[0]?.file).toBe(`${kit.project}/.castellan/settings.json`);
  });

  it("does not take the user's own file for a project's where the home is the project root", async () => {
    await kit.put("home/.castellan/settings.json", rule("user"));
    await symlink(kit.home, `${kit.root}/link`);
    for (const projectRoot of [kit.home, `${kit.root}/link`]) {
      expect(denied(await kit.read({ projectRoot }))).toEqual(["user"]);
      expect(denied(await kit.read({ projectRoot, sources: ["project"] }))).toEqual([]);
    }
  });

  it("takes the flag layer as an object or a file, and refuses what it cannot read", async () => {
    await kit.put("w/proj/flag.json", rule("flag"));
    await kit.put("w/proj/.qoder/x.json", rule("host"));
    const read = await kit.read({ flag: "flag.json", sources: [] });
    expect(read.layers).toEqual([
      expect.objectContaining({ source: "flagSettings", file: `${kit.project}/flag.json`, ofProject: false }),
    ]);
    expect((await kit.read({ flag: ".qoder/x.json" })).layers[0]).toMatchObject({ compat: "qoder" });
    expect((await kit.read({ flag: { model: "m" } })).layers[0]).toMatchObject({
      file: "settings",
      settings: { model: "m" },
    });
    await expect(kit.read({ flag: "none.json" })).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringContaining("There is no settings file"),
    });
    await kit.put("w/proj/bad.json", "{");
    await expect(kit.read({ flag: "bad.json" })).rejects.toThrow("bad.json cannot be read: line 1");
    const wrong = { permissions: { deny: 1 } } as never;
    await expect(kit.read({ flag: wrong })).rejects.toMatchObject({ code: "invalid_settings" });
    await expect(kit.read({ managed: [{ file: "policy", value: wrong }] })).rejects.toMatchObject({
      code: "invalid_settings",
    });
  });
});
