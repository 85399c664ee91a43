import { mkdir, readFile, stat, symlink } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SettingsKit, settingsKit } from "./test-kit.ts";
import { isTrusted, trust, untrust } from "./trust.ts";

let kit: SettingsKit;
beforeEach(async () => {
  kit = await settingsKit();
});
afterEach(() => kit.remove());

const at = (projectRoot = kit.project) => ({ platform: kit.platform, home: kit.home, projectRoot });

describe("trust", () => {
  it("is none at first, is recorded, and is taken back", async () => {
    expect(await isTrusted(at())).toBe(false);
    expect(await untrust(at())).toBe(false);
    expect(await trust(at())).toBe(true);
    expect(await trust(at())).toBe(false);
    expect(await isTrusted(at())).toBe(true);
    const file = `${kit.home}/.castellan/trust.json`;
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      version: 1,
      workspaces: { [kit.project]: { since: expect.any(String) } },
    });
    expect(await untrust(at())).toBe(true);
    expect(await isTrusted(at())).toBe(false);
  });

  it("holds for the real folder, neither above nor below it", async () => {
    await symlink(kit.project, `${kit.root}/link`);
    await mkdir(`${kit.project}/sub`);
    await trust(at(`${kit.root}/link`));
    expect(await isTrusted(at())).toBe(true);
    expect(await isTrusted(at(`${kit.project}/sub`))).toBe(false);
    expect(await isTrusted(at(`${kit.root}/w`))).toBe(false);
    expect(await isTrusted(at(`${kit.root}/gone`))).toBe(false);
  });

  it.each(["{", "[]", "{}", '{"version": 2, "workspaces": {}}', ""])(
    "trusts nothing on the word of %j, and leaves it",
    async (text) => {
      const file = await kit.put("home/.castellan/trust.json", text);
      expect(await isTrusted(at())).toBe(false);
      await expect(trust(at())).rejects.toMatchObject({ code: "invalid_settings" });
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  it("does not take an inherited name for a workspace", async () => {
    await kit.put("home/.castellan/trust.json", '{"version": 1, "workspaces": {}}');
    const platform = {
      ...kit.platform,
      fs: {
        ...kit.platform.fs,
        realpathSync: () => "constructor",
        readFile: kit.platform.fs.readFile,
        lstatSync: kit.platform.fs.lstatSync,
        statSync: kit.platform.fs.statSync,
      },
    };
    expect(await isTrusted({ ...at(), platform })).toBe(false);
  });

  it("keeps both of two that are given at once", async () => {
    await mkdir(`${kit.root}/other`);
    await Promise.all([trust(at()), trust(at(`${kit.root}/other`))]);
    expect([await isTrusted(at()), await isTrusted(at(`${kit.root}/other`))]).toEqual([true, true]);
  });
});
