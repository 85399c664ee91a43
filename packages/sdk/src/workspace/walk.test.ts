import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryFiles, nodePlatform } from "../platform/index.ts";
import { isCastellanError } from "../protocol/index.ts";
import { createWalk, type WalkOptions } from "./index.ts";

const walk = createWalk(nodePlatform());
let root: string;
let repo: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "castellan-walk-")));
  repo = join(root, "repo");
  await lay({
    ".gitignore":
      "*.log\n/dist/\nnode_modules\n!keep.log\nsecret?.txt\nbuild\n# comment\n\\#odd\ndeep/**/x.txt\n",
    "a.log": "",
    "keep.log": "",
    "dist/out.js": "",
    "src/dist/kept.js": "",
    "src/node_modules/p/index.js": "",
    "src/main.ts": "",
    "src/.hidden/file": "",
    "src/.gitignore": "*.gen.ts\n!build\n!special.log\n/only-here\n",
    "src/x.gen.ts": "",
    "src/special.log": "",
    "src/only-here": "",
    "src/lib/only-here": "",
    "src/build/out.js": "",
    "build/out.js": "",
    secret1: "",
    "secret1.txt": "",
    "#odd": "",
    "deep/1/2/x.txt": "",
    "deep/1/y.txt": "",
    "excluded.txt": "",
    "größe/日本.txt": "",
    "other/x.gen.ts": "",
  });
  await symlink(root, join(repo, "src/up"));
  await symlink("main.ts", join(repo, "src/link.ts"));
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: repo,
      env: { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
    });
  git("init", "-q");
  await mkdir(join(repo, ".git/info"), { recursive: true });
  await writeFile(join(repo, ".git/info/exclude"), "excluded.txt\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function lay(tree: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    await mkdir(dirname(join(repo, name)), { recursive: true });
    await writeFile(join(repo, name), content);
  }
}

async function seen(
  directory: string,
  options: Partial<WalkOptions> = {},
  kinds = ["file"],
): Promise<string[]> {
  const found: string[] = [];
  for await (const each of walk({ root: { given: directory, real: directory }, ...options })) {
    if (kinds.includes(each.kind)) found.push(each.relative);
  }
  return found;
}

describe("a walk", () => {
  it("shows what git would, with hidden files", async () => {
    const listed = execFileSync(
      "git",
      ["-c", "core.quotePath=false", "ls-files", "-co", "--exclude-standard", "-z"],
      {
        cwd: repo,
        encoding: "utf8",
      },
    );
    const wanted = listed.split("\0").filter(Boolean).sort();
    expect(wanted).toContain("src/build/out.js");
    expect((await seen(repo, { hidden: true }, ["file", "link"])).sort()).toEqual(wanted);
  });

  it("leaves out what is hidden, unless asked, and .git always", async () => {
    expect((await seen(repo)).filter((path) => /(^|\/)\./.test(path))).toEqual([]);
    const all = await seen(repo, { hidden: true, ignored: false });
    expect(all).toContain("src/.hidden/file");
    expect(all).toContain("src/node_modules/p/index.js");
    expect(all.filter((path) => path.startsWith(".git/"))).toEqual([]);
  });

  it("obeys what the repository says above its root", async () => {
    expect(await seen(join(repo, "src"))).toEqual([
      "build/out.js",
      "dist/kept.js",
      "lib/only-here",
      "main.ts",
      "special.log",
    ]);
    expect(await seen(join(repo, "other"))).toEqual(["x.gen.ts"]);
  });

  it("shows a root that is ignored but named", async () => {
    expect(await seen(join(repo, "src/node_modules"))).toEqual(["p/index.js"]);
    expect(await seen(join(repo, "src/node_modules/p"))).toEqual(["index.js"]);
    expect(await seen(join(repo, "dist"))).toEqual(["out.js"]);
  });

  it("names links and never follows them", async () => {
    const links = await seen(join(repo, "src"), {}, ["link"]);
    expect(links).toEqual(["link.ts", "up"]);
    expect((await seen(join(repo, "src"))).filter((path) => path.startsWith("up/"))).toEqual([]);
  });

  it("asks for each entry whether it may be shown, and enters no folder that may not", async () => {
    const asked: string[] = [];
    const mayRead = (path: string) => {
      asked.push(path);
      return !path.endsWith("/lib") && !path.endsWith("main.ts");
    };
    expect(await seen(join(repo, "src"), { mayRead })).toEqual([
      "build/out.js",
      "dist/kept.js",
      "special.log",
    ]);
    expect(asked.some((path) => path.includes("/lib/"))).toBe(false);
  });

  it("asks about the given and the real path of an entry", async () => {
    const given = join(root, "elsewhere");
    const found: string[] = [];
    const forms = { given, real: join(repo, "src") };
    const hidden = [join(given, "main.ts"), join(repo, "src/special.log")];
    for await (const each of walk({ root: forms, mayRead: (path) => !hidden.includes(path) })) {
      if (each.kind === "file") found.push(each.path);
    }
    expect(found).toEqual(["build/out.js", "dist/kept.js", "lib/only-here"].map((name) => join(given, name)));
  });

  it("comes in order, a folder before its content, no deeper than asked", async () => {
    expect(await seen(join(repo, "src"), { depth: 1 }, ["file", "directory"])).toEqual([
      "build",
      "dist",
      "lib",
      "main.ts",
      "special.log",
    ]);
    const order = await seen(join(repo, "deep"), {}, ["file", "directory"]);
    expect(order).toEqual(["1", "1/2", "1/y.txt"]);
  });

  it("sees ignore files that changed since the last walk", async () => {
    await lay({ "fresh/.gitignore": "a\n", "fresh/a": "", "fresh/b": "" });
    expect(await seen(join(repo, "fresh"))).toEqual(["b"]);
    await writeFile(join(repo, "fresh/.gitignore"), "b # longer\nb\n");
    expect(await seen(join(repo, "fresh"))).toEqual(["a"]);
  });

  it("tells of what it cannot read, and goes on", async () => {
    const told: string[] = [];
    const missing = join(repo, "no-such-folder");
    expect(await seen(missing, { onUnreadable: (path, code) => told.push(`${code} ${path}`) })).toEqual([]);
    expect(told).toEqual([`ENOENT ${missing}`]);
    const platform = nodePlatform();
    const readdir = ((path: string, options: object) =>
      path.endsWith("/lib")
        ? Promise.reject(Object.assign(new Error("closed"), { code: "EACCES" }))
        : (platform.fs.readdir as (path: string, options: object) => unknown)(
            path,
            options,
          )) as typeof platform.fs.readdir;
    const closed = createWalk({ os: platform.os, fs: { ...platform.fs, readdir } });
    const found: string[] = [];
    const directory = join(repo, "src");
    for await (const each of closed({
      root: { given: directory, real: directory },
      onUnreadable: (path, code) => told.push(`${code} ${path}`),
    })) {
      found.push(each.relative);
    }
    expect(told[1]).toBe(`EACCES ${join(repo, "src/lib")}`);
    expect(found).toContain("main.ts");
  });

  it("stops when its signal fires", async () => {
    const controller = new AbortController();
    const failing = async () => {
      for await (const each of walk({ root: { given: repo, real: repo }, signal: controller.signal })) {
        expect(each.relative).toBe("build-first-entry-never");
      }
    };
    controller.abort();
    await expect(failing()).rejects.toSatisfy((error) => isCastellanError(error, "aborted"));
  });
});

describe("a walk of a disk in memory", () => {
  const walked = async (
    files: Record<string, string>,
    options: Partial<WalkOptions> = {},
    fs = memoryFiles([], files),
  ) => {
    const found: string[] = [];
    const walkIt = createWalk({ fs, os: "linux" });
    for await (const each of walkIt({ root: { given: "/w", real: "/w" }, ...options })) {
      found.push(`${each.kind} ${each.relative}`);
    }
    return found;
  };

  it("goes by name, folders before what is in them, as deep as it may", async () => {
    const files = { "/w/c": "", "/w/a": "", "/w/b/d/e/f": "", "/w/b/a": "" };
    const all = [
      "file a",
      "directory b",
      "file b/a",
      "directory b/d",
      "directory b/d/e",
      "file b/d/e/f",
      "file c",
    ];
    expect(await walked(files)).toEqual(all);
    expect(await walked(files, { depth: 1 })).toEqual(["file a", "directory b", "file c"]);
    expect(await walked(files, { depth: 2 })).toEqual([
      "file a",
      "directory b",
      "file b/a",
      "directory b/d",
      "file c",
    ]);
    expect(await walked(files, { depth: 3 })).toEqual(all.filter((each) => each !== "file b/d/e/f"));
  });

  it("tells a folder that only folders' patterns hide", async () => {
    const files = { "/w/.git/HEAD": "", "/w/.gitignore": "x/", "/w/x": "", "/w/y/x/z": "" };
    expect(await walked(files)).toEqual(["file x", "directory y"]);
  });

  it("asks for leave by the real form too, where that is another", async () => {
    const asked: string[] = [];
    const mayRead = (path: string) => asked.push(path) > 0;
    await walked({ "/w/a": "" }, { mayRead });
    expect(asked).toEqual(["/w/a"]);
    asked.length = 0;
    await walked({ "/w/a": "" }, { mayRead, root: { given: "/v", real: "/w" } });
    expect(asked).toEqual(["/v/a", "/w/a"]);
  });

  it("passes over a folder that cannot be listed, and says so where somebody listens", async () => {
    const files = { "/w/a/x": "", "/w/b": "" };
    const closed = (fault: object) =>
      new Proxy(memoryFiles([], files), {
        get: (disk, name) =>
          name === "readdir"
            ? (path: string, options: { withFileTypes: true }) =>
                path === "/w/a"
                  ? Promise.reject(Object.assign(new Error("no"), fault))
                  : disk.readdir(path, options)
            : Reflect.get(disk, name),
      });
    const told: string[] = [];
    const onUnreadable = (path: string, code: string) => void told.push(`${path} ${code}`);
    expect(await walked(files, {}, closed({}))).toEqual(["directory a", "file b"]);
    await walked(files, { onUnreadable }, closed({ code: "EACCES" }));
    await walked(files, { onUnreadable }, closed({}));
    expect(told).toEqual(["/w/a EACCES", "/w/a UNKNOWN"]);
  });
});

it.runIf(process.platform !== "win32")("a walk names what is neither file nor folder", async () => {
  const folder = await mkdtemp(join(root, "kinds-"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const found: string[] = [];
  for await (const each of walk({ root: { given: folder, real: folder } }))
    found.push(`${each.kind} ${each.relative}`);
  expect(found).toEqual(["other pipe"]);
});
