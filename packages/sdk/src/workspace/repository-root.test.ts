import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { PathTarget } from "../protocol/index.ts";
import { createWorkspace } from "./index.ts";

const platform = nodePlatform();
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-root-")));
  await mkdir(join(root, "w/src/deep"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A path of a revision, resolved from a directory below the scratch folder; undefined when it is not known. */
async function resolved(cwd: string, more: Partial<PathTarget> = {}): Promise<readonly string[] | undefined> {
  const workspace = await createWorkspace({
    platform,
    startDirectory: join(root, "w"),
    home: join(root, "home"),
    additionalDirectories: () => [],
  });
  const target = { kind: "path", access: "read", path: ".env", base: "repository", ...more } as const;
  const quiet = new AbortController().signal;
  const [found] = await workspace.resolveTargets([target], join(root, cwd), quiet);
  if (found?.kind !== "path") throw new Error("no path target");
  return found.unknown === true
    ? undefined
    : found.resolutions.map((each) => each.given.slice(root.length + 1));
}

const repository = async (folder: string): Promise<void> => {
  await mkdir(join(root, folder, ".git"), { recursive: true });
  await writeFile(join(root, folder, ".git/HEAD"), "ref: refs/heads/main\n");
};

it("a path of a revision starts at the nearest repository upward, wherever the shell stands", async () => {
  await repository("w");
  expect(await resolved("w/src/deep")).toEqual(["w/.env"]);
  expect(await resolved("w", { from: ["src", "src/deep"] })).toEqual(["w/.env", "w/.env"]);
  await repository("w/src");
  expect(await resolved("w/src/deep")).toEqual(["w/src/.env"]);
  expect(await resolved("w", { from: ["", "src"] })).toEqual(["w/.env", "w/src/.env"]);
  expect(await resolved("w/src", { base: undefined as never })).toEqual(["w/src/.env"]);
});

it("a worktree counts, an empty .git does not, and links to the directory are followed", async () => {
  await repository("w");
  await mkdir(join(root, "w/src/.git"));
  expect(await resolved("w/src/deep")).toEqual(["w/.env"]);
  await writeFile(join(root, "w/src/deep/.git"), "gitdir: elsewhere\n");
  expect(await resolved("w/src/deep")).toEqual(["w/src/deep/.env"]);
  await symlink(join(root, "w/src"), join(root, "link"));
  expect(await resolved("link")).toEqual(["w/.env"]);
});

it("is not hidden by a folder that has one part of a bare repository", async () => {
  await repository("w");
  await writeFile(join(root, "w/src/HEAD"), "");
  expect(await resolved("w/src/deep")).toEqual(["w/.env"]);
  await rm(join(root, "w/src/HEAD"));
  await mkdir(join(root, "w/src/objects"));
  expect(await resolved("w/src/deep")).toEqual(["w/.env"]);
});

it("is not known without a repository, and in a bare one", async () => {
  expect(await resolved("w/src")).toBeUndefined();
  await repository("w");
  await mkdir(join(root, "w/src/objects"));
  await writeFile(join(root, "w/src/HEAD"), "");
  expect(await resolved("w/src/deep")).toBeUndefined();
  expect(await resolved("w", { from: ["", "src"] })).toBeUndefined();
});
