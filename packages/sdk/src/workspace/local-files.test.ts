import { describe, expect, it } from "vitest";
import { type FileSystem, nodePlatform, type Platform } from "../platform/index.ts";
import type { Target } from "../protocol/index.ts";
import { createWorkspace } from "./index.ts";
import { withoutShares } from "./local-files.ts";

const SHARES = ["\\\\evil\\s\\a", "//evil/s/HEAD", "\\\\?\\UNC\\evil\\s\\a", "\\\\.\\pipe\\x"];

/** A Windows disk where nothing but folders is, and what was looked at on it. */
function windows(link?: { readonly at: string; readonly to: string }): {
  readonly platform: Platform;
  readonly seen: string[];
} {
  const seen: string[] = [];
  const folder = { isDirectory: () => true, isFile: () => false, isCharacterDevice: () => false };
  const fs = new Proxy({} as FileSystem, {
    get:
      (_, name: string) =>
      (path: string): unknown => {
        seen.push(path);
        const isLink = path === link?.at;
        if (name === "readlink") return Promise.resolve(link?.to);
        if (name === "realpath") return Promise.resolve(isLink ? link?.to : path);
        if (name === "readdir") return Promise.resolve([]);
        if (name === "lstatSync") return { dev: 1, ino: 1 };
        return Promise.resolve({
          ...folder,
          dev: 1,
          ino: 1,
          isBlockDevice: () => false,
          isSymbolicLink: () => isLink,
        });
      },
  });
  return { platform: { ...nodePlatform(), os: "win32", fs }, seen };
}

async function resolve(platform: Platform, ...targets: Target[]) {
  const workspace = await createWorkspace({
    platform,
    startDirectory: "C:\\w\\app",
    home: "C:\\Users\\ada",
    additionalDirectories: () => [],
  });
  return workspace.resolveTargets(targets, "C:\\w\\app", new AbortController().signal);
}

describe("C300: shares of other machines", () => {
  it.each(SHARES)("are not looked at before a call is allowed: %s", async (path) => {
    const { platform, seen } = windows();
    for (const access of ["read", "write", "walk", "list", "remove"] as const) {
      const [target] = await resolve(platform, {
        kind: "path",
        access,
        path,
        ...(access === "remove" ? { recursive: true } : {}),
      });
      expect(target).toMatchObject({ resolutions: [{ exists: false, inside: false }] });
      expect(target).toHaveProperty(["resolutions", 0, "suspicious"]);
      expect(target).not.toHaveProperty(["resolutions", 0, "real"]);
    }
    await resolve(platform, { kind: "path", access: "read", path: `${path}*`, glob: true });
    expect(seen.filter((each) => /^[\\/]{2}/.test(each))).toEqual([]);
  });

  it("are not reached through a link either", async () => {
    const { platform, seen } = windows({ at: "C:\\w\\app\\docs", to: "\\\\evil\\s" });
    const [target] = await resolve(platform, { kind: "path", access: "read", path: "docs\\a" });
    expect(target).toMatchObject({
      resolutions: [{ inside: false, suspicious: expect.stringMatching(/machine/) }],
    });
    expect(seen).toContain("C:\\w\\app\\docs");
    expect(seen.filter((each) => /^[\\/]{2}/.test(each))).toEqual([]);
  });

  it("are no others: a path of this machine is looked at", async () => {
    const { platform, seen } = windows();
    const [target] = await resolve(platform, { kind: "path", access: "read", path: "docs\\a" });
    expect(target).toMatchObject({ resolutions: [{ exists: true, inside: true }] });
    expect(seen).toContain("C:\\w\\app\\docs\\a");
  });
});

describe("a Windows disk without shares", () => {
  const fake = (): { platform: Platform; seen: unknown[][] } => {
    const seen: unknown[][] = [];
    const fs = {
      constants: { own: 1 },
      stat(this: unknown, ...args: unknown[]): Promise<string> {
        seen.push([this === fs, ...args]);
        return Promise.resolve("told");
      },
      statSync(this: unknown, ...args: unknown[]): string {
        seen.push([this === fs, ...args]);
        return "told";
      },
    };
    return { platform: { ...nodePlatform(), os: "win32", fs: fs as unknown as FileSystem }, seen };
  };

  it("passes on what lies on this machine, as it was asked", async () => {
    const { platform, seen } = fake();
    const { fs } = withoutShares(platform);
    expect(fs.statSync("C:\\a", { throwIfNoEntry: false })).toBe("told");
    expect(await fs.stat("\\a")).toBe("told");
    expect(seen).toEqual([
      [true, "C:\\a", { throwIfNoEntry: false }],
      [true, "\\a"],
    ]);
    expect((fs as unknown as { constants: unknown }).constants).toEqual({ own: 1 });
    expect((fs.statSync as (path: unknown) => unknown)(5)).toBe("told");
  });

  it.each([...SHARES, "\\/x", "/\\x"])("fails for %s as for what may not be read", async (path) => {
    const { platform, seen } = fake();
    const { fs } = withoutShares(platform);
    const fault = expect.objectContaining({ code: "EACCES", message: expect.stringContaining(path) });
    await expect(fs.stat(path)).rejects.toEqual(fault);
    expect(() => fs.statSync(path)).toThrow(fault);
    expect(seen).toEqual([]);
  });

  it("changes nothing elsewhere", () => {
    const platform: Platform = { ...fake().platform, os: "linux" };
    expect(withoutShares(platform)).toBe(platform);
    const { platform: windowsOne } = fake();
    expect(withoutShares(windowsOne)).toMatchObject({ os: "win32", homedir: windowsOne.homedir });
  });
});
