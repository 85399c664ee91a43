import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { PathTarget, ShellLink, Target } from "../protocol/index.ts";
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

  it.each([
    "ln -s .git d; touch p*/x; touch */x",
    "ln -s ../.git plain/d; touch pl*/d/x",
    "ln -s ../.git plain/d; rm pl*",
  ])("is marked where a pattern may come to it: %s", async (line) => {
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
    // A folder above the link is not behind it.
    "ln -s ../.git plain/d; touch plain",
    "ln -s ../.git plain/d; touch tree/*",
  ])("is not, where no link can be on the way: %s", async (line) => {
    expect(await linked(line)).toBe(false);
  });
});

describe("what a link is told by", () => {
  type Of = Partial<PathTarget> & { readonly path: string };
  const resolve = async (...of: (Of | Target)[]) => {
    const workspace = await createWorkspace({
      ...{ platform: nodePlatform(), startDirectory: cwd, home: join(cwd, "home") },
      additionalDirectories: () => [],
    });
    const targets = of.map(
      (each): Target => ("kind" in each ? each : { kind: "path", access: "read", ...each }) as Target,
    );
    return workspace.resolveTargets(targets, cwd, new AbortController().signal);
  };
  const marked = async (...of: (Of | Target)[]) => {
    const last = (await resolve(...of)).at(-1);
    return last?.kind === "path" && last.linked === true;
  };
  const shell = { command: 0, by: "operand" } as const;
  const behind = (link: Partial<ShellLink>): Of => ({
    path: "d/x",
    links: [{ command: 0, ...link } as ShellLink],
  });
  const copied = behind({ path: "d", copied: true });

  it("is its path, from wherever it may start", async () => {
    expect(await marked(behind({ path: "d" }))).toBe(true);
    expect(await marked(behind({ path: "d", from: [""] }))).toBe(true);
    expect(await marked(behind({ path: "d", from: ["plain"] }))).toBe(false);
    expect(await marked(behind({ path: "d", from: ["plain", ""] }))).toBe(true);
    expect(await marked(behind({ path: "../d", from: ["plain"] }))).toBe(true);
    expect(await marked(behind({}))).toBe(false);
    await symlink("round", join(cwd, "round"));
    expect(await marked({ ...behind({ path: "d" }), path: "round/x" })).toBe(false);
    expect(await marked({ ...behind({ path: "round" }), path: "round/x" })).toBe(true);
    expect(await marked({ path: "d/x", links: [] })).toBe(false);
  });

  it("is what the same command copies: a link, or anything that may be one", async () => {
    const source = (of: Of): Of => ({ shell, ...of });
    expect(await marked(copied)).toBe(true);
    expect(await marked(source({ path: "file" }), copied)).toBe(false);
    expect(await marked(source({ path: "plain" }), copied)).toBe(false);
    expect(await marked(source({ path: "tree" }), copied)).toBe(true);
    expect(await marked(source({ path: "link" }), copied)).toBe(true);
    expect(await marked(source({ path: "none" }), copied)).toBe(false);
    expect(await marked(source({ path: "fi*", glob: true }), copied)).toBe(true);
    // What a pattern matches then is not known now.
    expect(await marked(source({ path: "plain/*", glob: true }), copied)).toBe(true);
    expect(await marked(source({ path: "$X", unknown: true }), copied)).toBe(true);
    await symlink("circle", join(cwd, "circle"));
    expect(await marked(source({ path: "circle/x" }), copied)).toBe(true);
    expect(await marked(source({ path: "file" }), source({ path: "tree" }), copied)).toBe(true);
  });

  it("is not what another command reads, or this one writes", async () => {
    const file: Of = { path: "file", shell };
    expect(await marked(file, { path: "tree", shell: { ...shell, command: 1 } }, copied)).toBe(false);
    expect(await marked(file, { path: "tree", access: "write", shell }, copied)).toBe(false);
    expect(await marked(file, { path: "tree" }, copied)).toBe(false);
    expect(await marked(file, { kind: "name", value: "x" }, copied)).toBe(false);
    // Nothing is known of what is copied.
    expect(await marked({ path: "file", shell: { ...shell, command: 1 } }, copied)).toBe(true);
    expect(await marked({ path: "file", access: "write", shell }, copied)).toBe(true);
  });
});
