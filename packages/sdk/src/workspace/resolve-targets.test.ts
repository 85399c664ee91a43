import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform, type Platform } from "../platform/index.ts";
import type { PathTarget, Target } from "../protocol/index.ts";
import { createWorkspace } from "./index.ts";

const platform = nodePlatform();
const quiet = new AbortController().signal;
let root: string;
let start: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-targets-")));
  start = join(root, "p/w");
  await lay({
    file: "",
    "sub/inner": "",
    "held/.git/config": "",
    "link-sub": "-> sub",
    out: `-> ${root}/p`,
    "held-link": "-> held",
    ".github/workflows/ci.yml": "",
    "in/a": "-> ../sub",
  });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function lay(tree: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    await mkdir(dirname(join(start, name)), { recursive: true });
    if (content.startsWith("-> ")) await symlink(content.slice(3), join(start, name));
    else await writeFile(join(start, name), content);
  }
}

async function resolved(targets: readonly Target[], cwd = start, own: Platform = platform) {
  const workspace = await createWorkspace({
    platform: own,
    startDirectory: start,
    home: join(root, "home"),
    additionalDirectories: () => [],
  });
  const found = await workspace.resolveTargets(targets, cwd, quiet);
  return found.map((target) => (target.kind === "path" ? target : undefined));
}
const path = (of: Omit<PathTarget, "kind">): PathTarget => ({ kind: "path", ...of });
async function one(of: Omit<PathTarget, "kind">, cwd = start) {
  const [found] = await resolved([path(of)], cwd);
  return found?.resolutions[0];
}
const keys = (value: object | undefined) => Object.keys(value ?? {}).sort();
const shell = (command: number, by: "operand" | "redirect" = "operand") => ({ command, by });

describe("the facts of a target", () => {
  const plain = ["directory", "exists", "given", "hops", "identity", "inside", "real"];

  it("are those of its path, and what a removal would take", async () => {
    expect(keys(await one({ access: "read", path: "sub" }))).toEqual(plain);
    expect(keys(await one({ access: "remove", path: "sub" }))).toEqual(plain);
    expect(keys(await one({ access: "remove", path: "held" }))).toEqual([...plain, "holds"].sort());
    // A root holds anything; it is not looked through.
    expect(keys(await one({ access: "remove", path: "." }))).toEqual([...plain, "removesRoot"].sort());
    expect(keys(await one({ access: "read", path: "s*", glob: true }))).toEqual(plain);
    expect(keys(await one({ access: "remove", path: "s*", glob: true }))).toEqual(plain);
    expect(keys(await one({ access: "remove", path: "he*", glob: true }))).toEqual(
      [...plain, "holds"].sort(),
    );
    expect(keys(await one({ access: "remove", path: "*", glob: true }))).toEqual(
      [...plain, "protected", "removesRoot"].sort().filter((key) => key !== "protected"),
    );
  });

  it("tell which protected name goes with a folder above it", async () => {
    const workflows = { name: ".github/workflows", loaded: false };
    expect((await one({ access: "remove", path: ".github" }))?.protected).toEqual(workflows);
    expect((await one({ access: "write", path: ".github" }))?.protected).toBeUndefined();
    expect((await one({ access: "read", path: ".github" }))?.protected).toBeUndefined();
    // Its own name comes first.
    await mkdir(join(start, ".vscode/.github"), { recursive: true });
    expect((await one({ access: "remove", path: ".vscode/.github" }))?.protected?.name).toBe(".vscode");
  });

  it("are the same through a link to a folder", async () => {
    expect((await one({ access: "remove", path: "held-link/" }))?.holds).toEqual({
      name: ".git",
      loaded: false,
    });
  });

  it("take two looks for a plain path; its shell's directory is not followed for it", async () => {
    const looks: string[] = [];
    const fs = new Proxy(platform.fs, {
      get: (real, name) => {
        looks.push(String(name));
        return Reflect.get(real, name);
      },
    });
    const own = { ...platform, fs };
    const workspace = await createWorkspace({
      platform: own,
      startDirectory: start,
      home: root,
      additionalDirectories: () => [],
    });
    const cost = async (...targets: PathTarget[]) => {
      await workspace.resolveTargets(targets, start, quiet);
      looks.length = 0;
      await workspace.resolveTargets(targets, start, quiet);
      return looks.filter((name) => name !== "realpathSync");
    };
    expect(await cost(path({ access: "read", path: "file" }))).toEqual(["realpath", "lstat"]);
    expect((await cost(path({ access: "remove", path: "file" }))).includes("readdir")).toBe(false);
    expect((await cost(path({ access: "remove", path: "." }))).includes("readdir")).toBe(false);
    expect((await cost(path({ access: "remove", path: "sub" }))).includes("readdir")).toBe(true);
  });
});

describe("where a path starts", () => {
  it("is the shell's directory as it is spelt, where nothing else is said", async () => {
    const cwd = join(start, "link-sub");
    for (const from of [undefined, [], [""]]) {
      const [found] = await resolved([path({ access: "read", path: "inner", ...(from && { from }) })], cwd);
      expect(found?.resolutions.map(({ given }) => given)).toEqual([join(cwd, "inner")]);
    }
  });

  it("is nowhere outside a repository, where its root is meant", async () => {
    await rm(join(start, "held"), { recursive: true });
    const [found] = await resolved([path({ access: "read", path: "x", base: "repository" })]);
    expect(found).toMatchObject({ unknown: true, resolutions: [] });
    expect(found?.resolutions).toEqual([]);
  });

  it("names each place that an unknown one may be", async () => {
    const maybe = { access: "remove", path: "$X", unknown: true, maybe: [".", "sub", "held"] } as const;
    const [found] = await resolved([path(maybe)]);
    expect(found?.resolutions.map(({ removesRoot, holds }) => [removesRoot, holds?.name])).toEqual([
      [`it is the start directory ${start}`, undefined],
      [undefined, undefined],
      [undefined, ".git"],
    ]);
  });
});

describe("what a removal is told of", () => {
  it("is the shell's directory and the one behind a cd, by name", async () => {
    const cwd = join(start, "sub");
    expect((await one({ access: "remove", path: "." }, cwd))?.removesRoot).toBe(
      `it is the current directory ${cwd}`,
    );
    expect((await one({ access: "remove", path: ".", from: ["../in"] }, cwd))?.removesRoot).toBe(
      `it is the current directory ${join(start, "in")}`,
    );
    expect((await one({ access: "read", path: "." }, cwd))?.removesRoot).toBeUndefined();
  });

  it("is where the shell really stands, also beside a path that is only read", async () => {
    const targets = [
      path({ access: "read", path: "x" }),
      path({ access: "remove", path: join(start, "sub") }),
    ];
    const [, found] = await resolved(targets, join(start, "link-sub"));
    expect(found?.resolutions[0]?.removesRoot).toBe(`it is the current directory ${join(start, "link-sub")}`);
  });
});

describe("a tree that a line moves or copies", () => {
  const copy = { access: "walk", path: "held", recursive: true, shell: shell(0) } as const;
  const target = { access: "write", path: "to", shell: shell(0) } as const;
  const holds = async (
    source: Omit<PathTarget, "kind">,
    ...others: (Omit<PathTarget, "kind"> | Target)[]
  ) => {
    const all = others.map((other) => ("kind" in other ? other : path(other)));
    const [found] = await resolved([path(source), ...all]);
    return found?.resolutions[0]?.holds?.name;
  };

  it("is looked through where the same command writes or removes something", async () => {
    expect(await holds(copy, target)).toBe(".git");
    expect(await holds(copy, { ...target, access: "remove" })).toBe(".git");
    expect(await holds({ ...copy, access: "read" }, target)).toBe(".git");
    expect(await holds({ ...copy, path: "hel?", glob: true }, target)).toBe(".git");
  });

  it("is not where nothing of it goes anywhere", async () => {
    expect(await holds(copy)).toBeUndefined();
    expect(await holds(copy, { ...target, access: "read" })).toBeUndefined();
    expect(await holds(copy, { ...target, shell: shell(1) })).toBeUndefined();
    expect(await holds(copy, { ...target, shell: shell(0, "redirect") })).toBeUndefined();
    expect(await holds(copy, { access: "write", path: "to" })).toBeUndefined();
    expect(await holds(copy, { kind: "name", value: "x" })).toBeUndefined();
    expect(await holds({ ...copy, access: "write" }, target)).toBeUndefined();
    const { recursive: _, ...flat } = copy;
    expect(await holds(flat, target)).toBeUndefined();
    const { shell: __, ...tool } = copy;
    expect(await holds(tool, target)).toBeUndefined();
  });
});

describe("a pattern", () => {
  it("is inside where its links lead inside, by any working directory", async () => {
    expect((await one({ access: "read", path: "in/*", glob: true }))?.inside).toBe(true);
    expect((await one({ access: "read", path: "o*", glob: true }))?.inside).toBe(false);
    expect((await one({ access: "read", path: `${root}/p/*`, glob: true }))?.inside).toBe(false);
  });

  it("is looked at through a link in front of it", async () => {
    expect((await one({ access: "remove", path: "held-link/.g*", glob: true }))?.protected?.name).toBe(
      ".git",
    );
    expect((await one({ access: "remove", path: "held-link/*", glob: true }))?.holds).toBeUndefined();
  });
});

describe("a bare repository", () => {
  const marked = async (...of: [PathTarget["access"], string][]) => {
    const found = await resolved(of.map(([access, name]) => path({ access, path: name })));
    return found.map((target) => /bare git/.test(target?.resolutions[0]?.suspicious ?? ""));
  };

  it("is made by writes alone", async () => {
    expect(await marked(["write", "d/HEAD"], ["write", "d/objects/x"], ["write", "d/refs/x"])).toEqual([
      true,
      true,
      true,
    ]);
    expect(await marked(["write", "d/HEAD"], ["read", "d/objects/x"], ["write", "d/refs/x"])).toEqual([
      false,
      false,
      false,
    ]);
    expect(
      await marked(
        ["write", "d/HEAD"],
        ["write", "d/objects/x"],
        ["write", "d/refs/x"],
        ["read", "d/config"],
      ),
    ).toEqual([true, true, true, false]);
  });

  it("is one place, however its folder is named", async () => {
    await mkdir(join(start, "d"));
    await symlink("d", join(start, "alias"));
    expect(await marked(["write", "d/HEAD"], ["write", "alias/objects/x"], ["write", "d/refs/x"])).toEqual([
      true,
      true,
      true,
    ]);
  });
});
