import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { analyse, targetsOfLine } from "../shell/index.ts";
import { createWorkspace } from "./index.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "castellan-linked-")));
  await mkdir(join(cwd, "tree/deep"), { recursive: true });
  await mkdir(join(cwd, "plain/deep"), { recursive: true });
  await writeFile(join(cwd, "file"), "");
  await symlink("../else", join(cwd, "tree/deep/link"));
  await symlink("file", join(cwd, "link"));
  // Led nowhere by an earlier call.
  await symlink("later", join(cwd, "alias"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

/** Whether the last path of the line may lie behind a link that the line makes. */
async function linked(line: string): Promise<boolean> {
  const workspace = await createWorkspace({
    ...{ platform: nodePlatform(), startDirectory: cwd, home: join(cwd, "home") },
    additionalDirectories: () => [],
  });
  const targets = targetsOfLine(analyse(line));
  const found = (await workspace.resolveTargets(targets, cwd, new AbortController().signal)).at(-1);
  if (found?.kind !== "path") throw new Error("no path");
  expect(found.linked === true && found.unknown !== true).toBe(false);
  return found.linked === true;
}

describe("a path behind a link of the same line", () => {
  it.each([
    "ln -s .git d; touch d/x",
    "ln -s .git d; touch ./d//x",
    "ln -s .git d; touch D/x",
    "ln -s .git d && cd d && touch x",
    "cd plain && ln -s ../.git d && cd .. && touch plain/d/x",
    "ln -s .git plain/; touch plain/.git/x",
    "ln -s .git later; touch alias/x",
    "ln -s file later; cat alias",
    "mv link d; touch d",
    "mv tree d; touch d/deep/link/x",
    "cp -r tree d; touch d/x",
    "cp -P link d; touch d",
    "cp -s file d; touch d",
    "cp -r */. d; touch d/x",
  ])("is marked: %s", async (line) => {
    expect(await linked(line)).toBe(true);
  });

  it("is marked however its directory is spelt", async () => {
    expect(await linked(`ln -s .git d; touch ${cwd}/d/x`)).toBe(true);
  });

  it.each([
    "ln -s .git d; touch e/x",
    "ln -s .git plain/; touch plain/x",
    "ln -s file .; touch x",
    "ln -s .git d; touch /tmp/x",
    "mv file d; touch d",
    "mv plain d; touch d/x",
    "cp -r plain d; touch d/x",
    "cp -r new d; touch d/x",
    "touch d/x",
  ])("is not, where no link can be on the way: %s", async (line) => {
    expect(await linked(line)).toBe(false);
  });
});
