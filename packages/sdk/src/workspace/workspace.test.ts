import { closeSync, openSync } from "node:fs";
import { link, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import type { PathTarget } from "../protocol/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { createWorkspace, type Workspace } from "./index.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const platform = nodePlatform();
const quiet = new AbortController().signal;
let root: string;
let start: string;
let workspace: Workspace;
const added: string[] = [];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-workspace-")));
  start = join(root, "w");
  await lay("w", {
    "file.txt": "x",
    "sub/inner.txt": "x",
    "way-out": `-> ${root}/outside`,
    "way-in": "-> sub/inner.txt",
    loop: "-> loop",
    "pattern/plain/a": "x",
    "pattern/out": `-> ${root}/outside`,
    "tree/deep/.git/config": "x",
    "tree2/a/b": "x",
    "cafe\u0301": "x",
  });
  await lay("outside", { secret: "s", "more/x": "x" });
  await lay("added", { ".git/config": "x", file: "x" });
  await mkdir(join(root, "home"));
  await symlink(start, join(root, "link-to-w"));
  workspace = await make(start);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const make = (startDirectory: string) =>
  createWorkspace({ platform, startDirectory, home: join(root, "home"), additionalDirectories: () => added });

async function lay(folder: string, tree: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const path = join(root, folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (content.startsWith("-> ")) await symlink(content.slice(3), path);
    else await writeFile(path, content);
  }
}

async function resolveAll(target: Omit<PathTarget, "kind" | "access"> & Partial<PathTarget>, cwd = start) {
  const [found] = await workspace.resolveTargets([{ kind: "path", access: "read", ...target }], cwd, quiet);
  if (found?.kind !== "path") throw new Error("no path target");
  return found.resolutions;
}
async function resolve(path: string, more: Partial<PathTarget> = {}, cwd = start) {
  const [first] = await resolveAll({ path, ...more }, cwd);
  if (first === undefined) throw new Error("no resolution");
  return first;
}

describe("a path", () => {
  it("has its identity, and costs few looks where it has no links", async () => {
    let looks = 0;
    const fs = new Proxy(platform.fs, {
      get: (real, name) => {
        looks++;
        return Reflect.get(real, name);
      },
    });
    const own = await createWorkspace({
      platform: { ...platform, fs },
      startDirectory: join(root, "link-to-w"),
      home: root,
      additionalDirectories: () => [],
    });
    looks = 0;
    const found = await own.resolvePath("sub/inner.txt");
    expect(looks).toBe(2);
    const { dev, ino } = await stat(join(start, "sub/inner.txt"));
    expect(found).toEqual({
      given: join(root, "link-to-w/sub/inner.txt"),
      real: join(start, "sub/inner.txt"),
      hops: [],
      exists: true,
      inside: true,
      identity: { dev, ino },
      directory: false,
    });
  });

  it("that leads out is not inside, and neither is one that leads in from outside", async () => {
    expect(await resolve("way-out/secret")).toMatchObject({
      real: join(root, "outside/secret"),
      inside: false,
    });
    expect(await resolve("../w/way-in")).toMatchObject({ real: join(start, "sub/inner.txt"), inside: true });
    await symlink(join(start, "file.txt"), join(root, "outside/to-w"));
    expect(await resolve("../outside/to-w")).toMatchObject({ real: join(start, "file.txt"), inside: false });
    expect(await workspace.isInside(`${start}x`)).toBe(false);
    expect(await workspace.isInside(start)).toBe(true);
  });

  it("takes `..` lexically for its given form and after links for its real one", async () => {
    expect(await resolve("way-out/more/../secret")).toMatchObject({
      given: join(start, "way-out/secret"),
      real: join(root, "outside/secret"),
    });
    expect(await resolve("way-out/../w/file.txt")).toMatchObject({
      given: join(start, "w/file.txt"),
      real: join(start, "file.txt"),
    });
  });

  it("that circles has no real form and is not inside", async () => {
    const found = await resolve("loop/x");
    expect(found).toMatchObject({ exists: false, inside: false });
    expect(found.real).toBeUndefined();
  });

  it("may start at the home", async () => {
    expect((await resolve("~")).given).toBe(join(root, "home"));
    expect((await resolve("~/.bashrc")).given).toBe(join(root, "home/.bashrc"));
    expect((await resolve("./~/x")).given).toBe(join(start, "~/x"));
    expect((await resolve("~user/x")).given).toBe(join(start, "~user/x"));
  });

  it("is named in its composed form too", async () => {
    expect((await resolve("cafe\u0301")).hops).toEqual([join(start, "caf\u00e9")]);
  });

  it("with several names is the same file under each", async () => {
    await link(join(start, "file.txt"), join(start, "second-name"));
    expect((await resolve("second-name")).identity).toEqual((await resolve("file.txt")).identity);
  });

  it("is suspicious as a pattern too, in front of `..` as behind it", async () => {
    const why = async (path: string) => (await resolve(path, { glob: true })).suspicious;
    expect(await why("*/\0/..")).toMatch(/control/);
    expect(await why("/proc/*/../self/environ")).toMatch(/environment/);
    expect(await why("*/../sub")).toBeUndefined();
  });

  it("never throws, whatever its text", async () => {
    const piece = fc.oneof(
      fc.constantFrom("..", ".", "way-out", "loop", "/", "~", "\0", "sub", "*"),
      fc.string({ unit: "binary" }),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join("/"));
    const access = fc.constantFrom("read", "write", "remove", "walk", "list");
    await fc.assert(
      fc.asyncProperty(text, access, fc.boolean(), async (path, how, glob) => {
        const found = await resolve(path, { access: how as PathTarget["access"], ...(glob && { glob }) });
        expect(found.given.startsWith("/")).toBe(true);
        if (path.includes("\0")) expect(found.suspicious).toMatch(/control/);
      }),
      { numRuns: runs },
    );
  });
});

describe("start directories of a target", () => {
  it("give one resolution each, from where `cd` really leads", async () => {
    const found = await resolveAll({ path: "secret", from: ["", "way-out", "way-out/.."] });
    expect(found.map((each) => each.given)).toEqual([
      join(start, "secret"),
      join(root, "outside/secret"),
      join(root, "secret"),
    ]);
    expect(found[1]?.hops).toEqual([join(start, "way-out/secret")]);
  });

  it("are the shell's, not the session's", async () => {
    expect((await resolve("inner.txt", {}, join(start, "sub"))).real).toBe(join(start, "sub/inner.txt"));
  });

  it("do not matter where the value is unknown", async () => {
    expect(await resolveAll({ path: "$X", unknown: true, from: ["", "sub"] })).toEqual([]);
  });
});

describe("added directories", () => {
  it("count from the call on for which they are there", async () => {
    expect(await workspace.isInside(join(root, "added/file"))).toBe(false);
    added.push(join(root, "added"));
    expect(await workspace.isInside(join(root, "added/file"))).toBe(true);
    added.length = 0;
    expect(await workspace.isInside(join(root, "added/file"))).toBe(false);
  });

  it("stay where they were when a link is turned elsewhere", async () => {
    await symlink(join(root, "added"), join(root, "turned"));
    added.push(join(root, "turned"));
    expect(await workspace.isInside(join(root, "turned/file"))).toBe(true);
    await rm(join(root, "turned"));
    await symlink(join(root, "outside"), join(root, "turned"));
    expect(await workspace.isInside(join(root, "turned/secret"))).toBe(false);
    added.length = 0;
  });

  it("have no part that is exempt from protection", async () => {
    await mkdir(join(root, ".vscode/w"), { recursive: true });
    const own = await make(join(root, ".vscode/w"));
    expect((await own.resolvePath("x")).protected).toBeUndefined();
    expect((await own.resolvePath(join(root, ".vscode/other"))).protected?.name).toBe(".vscode");
    expect((await own.resolvePath(".idea/x")).protected?.name).toBe(".idea");
  });
});

describe("a pattern", () => {
  it("is resolved at its literal directory", async () => {
    expect(await resolve("sub/*.txt", { glob: true })).toMatchObject({
      given: join(start, "sub"),
      inside: true,
    });
    expect(await resolve("*", { glob: true })).toMatchObject({ given: start });
    expect(await resolve("/etc/pass*", { glob: true })).toMatchObject({ given: "/etc", inside: false });
    expect(await resolve("/*", { glob: true })).toMatchObject({ given: "/" });
    expect(await resolve("way-out/*", { glob: true })).toMatchObject({
      real: join(root, "outside"),
      inside: false,
    });
  });

  it("is not inside when one of its matches leads out", async () => {
    expect((await resolve("pattern/p*", { glob: true })).inside).toBe(true);
    expect((await resolve("pattern/*", { glob: true })).inside).toBe(false);
    expect((await resolve("pattern/*/secret", { glob: true })).inside).toBe(false);
    expect((await resolve("pattern/*/../x", { glob: true })).inside).toBe(false);
  });

  it("is protected by its text, or by what it matches", async () => {
    expect((await resolve(".bash*", { glob: true, access: "write" })).protected?.name).toBe(".bashrc");
    expect((await resolve("tree/deep/.?*", { glob: true, access: "write" })).protected?.name).toBe(".git");
    expect((await resolve("tree2/*", { glob: true, access: "write" })).protected).toBeUndefined();
  });
});

describe("what a call moves or writes together", () => {
  const shell = { command: 0, by: "operand" } as const;

  it("is looked through for protected names", async () => {
    expect((await resolve("tree", { access: "remove", recursive: true })).holds?.name).toBe(".git");
    expect((await resolve("tree2", { access: "remove", recursive: true })).holds).toBeUndefined();
    for (const name of ["HEAD", "objects/x", "refs/x"]) await lay("w/tree3/inner", { [name]: "x" });
    expect((await resolve("tree3", { access: "remove" })).holds?.name).toBe("HEAD");
    const copy = (path: string): PathTarget[] => [
      { kind: "path", access: "walk", path, recursive: true, shell },
      { kind: "path", access: "write", path: "copy", shell },
    ];
    const [source] = await workspace.resolveTargets(copy("tree"), start, quiet);
    expect(source?.kind === "path" && source.resolutions[0]?.holds?.name).toBe(".git");
    const [plain] = await workspace.resolveTargets(copy("tree2"), start, quiet);
    expect(plain?.kind === "path" && plain.resolutions[0]?.holds).toBeUndefined();
    expect((await resolve("tree", { access: "walk", recursive: true, shell })).holds).toBeUndefined();
  });

  it("is looked through where a pattern names it", async () => {
    await symlink(join(start, "tree"), join(start, "tree-link"));
    const holds = async (path: string, more: Partial<PathTarget> = {}) => {
      const source = {
        kind: "path",
        access: "walk",
        path,
        recursive: true,
        glob: true,
        shell,
        ...more,
      } as const;
      const copy: PathTarget = { kind: "path", access: "write", path: "copy", shell };
      const [found] = await workspace.resolveTargets([source, copy], start, quiet);
      return found?.kind === "path" ? found.resolutions[0]?.holds?.name : "no path";
    };
    expect(await holds("tre?")).toBe(".git");
    expect(await holds("t*/dee[p]")).toBe(".git");
    expect(await holds("tree-l*")).toBe(".git");
    expect(await holds("tree2*")).toBeUndefined();
    expect(await holds("file*")).toBeUndefined();
    expect(await holds("tre?", { recursive: false as never })).toBeUndefined();
    expect(await holds("tree2/**")).toBe("*");
    expect(await holds("*/../tree")).toBe("*");
    await rm(join(start, "tree-link"));
  });

  it("is too large to tell past the entries that are looked at, all matches together", async () => {
    const wide = join(root, "wide");
    for (const half of ["half-1", "half-2"]) {
      await mkdir(join(wide, half), { recursive: true });
      for (let i = 0; i < 2060; i++) closeSync(openSync(join(wide, half, `f${i}`), "w"));
    }
    const remove = async (path: string) =>
      (await resolve(path, { access: "remove", recursive: true, glob: true }, wide)).holds?.name;
    expect(await remove("half-1*")).toBeUndefined();
    expect(await remove("half-*")).toBe("*");
  });

  it("must not become a bare repository", async () => {
    const suspicious = async (...paths: string[]) => {
      const targets = paths.map((path): PathTarget => ({ kind: "path", access: "write", path }));
      const found = await workspace.resolveTargets(targets, start, quiet);
      return found.map(
        (each) => each.kind === "path" && /bare git/.test(each.resolutions[0]?.suspicious ?? ""),
      );
    };
    expect(await suspicious("sub/HEAD", "sub/config")).toEqual([false, false]);
    expect(await suspicious("sub/HEAD", "sub/objects/x", "sub/refs", "sub/y")).toEqual([
      true,
      true,
      true,
      false,
    ]);
    await mkdir(join(start, "bare/objects"), { recursive: true });
    await mkdir(join(start, "bare/refs"));
    expect(await suspicious("bare/hooks/pre-commit")).toEqual([false]);
    expect(await suspicious("bare/head")).toEqual([true]);
    await writeFile(join(start, "bare/HEAD"), "");
    expect(await suspicious("bare/hooks/pre-commit", "src/hooks/use.ts")).toEqual([true, false]);
  });
});

describe("resolving", () => {
  it("keeps the order and passes other targets as they are", async () => {
    const name = { kind: "name", value: "x" } as const;
    const found = await workspace.resolveTargets(
      [name, { kind: "path", access: "read", path: "a" }, name],
      start,
      quiet,
    );
    expect(found.map((each) => each.kind)).toEqual(["name", "path", "name"]);
    expect(found[0]).toBe(name);
  });

  it("stops when its signal has fired", async () => {
    const gone = AbortSignal.abort();
    const failing = workspace.resolveTargets([{ kind: "path", access: "read", path: "a" }], start, gone);
    await expect(failing).rejects.toSatisfy((error) => isCastellanError(error, "aborted"));
  });
});
