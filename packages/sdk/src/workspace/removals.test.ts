import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { createWorkspace, type Workspace } from "./index.ts";

let root: string;
let start: string;
let workspace: Workspace;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-removals-")));
  start = join(root, "project/w");
  await mkdir(join(start, "build/out"), { recursive: true });
  await mkdir(join(start, "sub"), { recursive: true });
  await mkdir(join(root, "added/inner"), { recursive: true });
  await mkdir(join(root, "home/me"), { recursive: true });
  await symlink("/", join(start, "build/to-root"));
  await symlink("../sub", join(start, "build/to-sub"));
  await mkdir(join(root, "home/own"), { recursive: true });
  workspace = await createWorkspace({
    platform: nodePlatform(),
    startDirectory: start,
    home: join(root, "home/me"),
    ownHome: join(root, "home/own"),
    additionalDirectories: () => [join(root, "added")],
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function why(path: string, options: { glob?: true; cwd?: string; access?: "remove" | "write" } = {}) {
  const { glob, cwd = start, access = "remove" } = options;
  const [found] = await workspace.resolveTargets(
    [{ kind: "path", access, path, recursive: true, ...(glob && { glob }) }],
    cwd,
    new AbortController().signal,
  );
  return found?.kind === "path" ? found.resolutions[0]?.removesRoot : "no path";
}

describe("a removal", () => {
  it.each([
    ["/", /root of the disk/],
    ["//", /root of the disk/],
    ["../../../../../../../..", /root of the disk/],
    ["build/to-root", /root of the disk/],
    ["/etc", /system directory \/etc/],
    ["/ETC/", /system directory \/etc/],
    ["/usr/", /system directory \/usr/],
    ["~", /home directory/],
    ["~/", /home directory/],
    ["~/..", /holds the home directory/],
    [".", /start directory/],
    ["", /start directory/],
    ["sub/..", /start directory/],
    ["..", /holds the start directory/],
  ])("of %j takes a root", async (path, reason) => {
    expect(await why(path)).toMatch(reason);
  });

  it("of an added directory, or of the shell's directory, takes a root", async () => {
    expect(await why(join(root, "added"))).toMatch(/working directory/);
    expect(await why(join(root, "added/inner"))).toBeUndefined();
    expect(await why(".", { cwd: join(start, "sub") })).toMatch(/current directory/);
    expect(await why("../sub", { cwd: join(start, "sub") })).toMatch(/current directory/);
    expect(await why("sub")).toBeUndefined();
  });

  it.each(["build", "build/out", "../other", "/etc/hosts", "~/x", "/usr/lib/x", "./..."])(
    "of %j does not",
    async (path) => {
      expect(await why(path)).toBeUndefined();
    },
  );

  it("is told from a write", async () => {
    expect(await why("/", { access: "write" })).toBeUndefined();
  });
});

describe("a removal of a pattern", () => {
  it.each([
    "*",
    "**",
    ".*",
    "./*",
    "*/",
    "?*",
    "[!.]*",
    ".[!.]*",
    "*/*",
    "**/*",
    "~/*",
    "~/.*",
    "/*",
    "/etc/*",
    "../*",
    "sub/../*",
  ])("%j takes all there is in a root", async (path) => {
    expect(await why(path, { glob: true })).toMatch(/all there is|could match/);
  });

  it.each(["/e*", "/et[c]", "../[w]", "../*w", "~/../m*", "/h?me", "/**/x", "build/*/../.."])(
    "%j could match a root",
    async (path) => {
      expect(await why(path, { glob: true })).toMatch(/could match|goes up again/);
    },
  );

  it.each([
    "*.log",
    "build/*",
    "build/**",
    "sub/.*",
    "*~",
    "../x*",
    "/etc/host*",
    "src/*/test",
    ".env*",
    "x*",
  ])("%j does neither", async (path) => {
    expect(await why(path, { glob: true })).toBeUndefined();
  });

  it("knows every top-level directory that a home lies in", async () => {
    expect(await why(`/${homedir().split("/")[1]}`)).toMatch(/system directory|holds/);
  });
});

it("a removal is told of where the shell really stands, however its directory is spelt", async () => {
  const cwd = join(start, "build/to-sub");
  expect(await why(join(start, "sub"), { cwd })).toMatch(/current directory/);
  expect(await why(".", { cwd })).toMatch(/current directory/);
  expect(await why(join(start, "sub"), { cwd: join(start, "build") })).toBeUndefined();
});

it("a removal is told of the person's own home where the shell has another", async () => {
  expect(await why(join(root, "home/own"))).toMatch(/home directory/);
});
