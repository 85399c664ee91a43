import { describe, expect, it } from "vitest";
import { type FileSystem, nodePlatform, type Platform } from "../platform/index.ts";
import type { Target } from "../protocol/index.ts";
import { createWorkspace } from "./index.ts";

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
