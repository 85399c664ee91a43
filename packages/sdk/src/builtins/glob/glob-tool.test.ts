import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtinKit, type Kit } from "../test-kit.ts";

let kit: Kit;
const denied = new Set<string>();
beforeEach(async () => {
  denied.clear();
  kit = await builtinKit({ mayRead: (path) => ![...denied].some((end) => path.endsWith(end)) });
});
afterEach(() => kit.remove());

/** Makes files, each a second older than the one before it. */
async function tree(...files: string[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    const path = await kit.put(file, "x\n");
    await utimes(path, 2_000_000 - index, 2_000_000 - index);
  }
}

const glob = async (pattern: string, path?: string) =>
  (await kit.call("Glob", { pattern, ...(path === undefined ? {} : { path }) })).text.split("\n");

describe("Glob", () => {
  it("finds files newest first, below the working directory or a path", async () => {
    await tree("src/c.ts", "src/deep/a.ts", "b.ts", "src/x.js");
    expect(await glob("**/*.ts")).toEqual(["src/c.ts", "src/deep/a.ts", "b.ts"]);
    expect(await glob("*.ts")).toEqual(["b.ts"]);
    expect(await glob("src/*.{ts,js}")).toEqual(["src/c.ts", "src/x.js"]);
    expect(await glob("**/*.ts", "src")).toEqual(["src/c.ts", "src/deep/a.ts"]);
    expect(await glob(join(kit.cwd, "src/**/a.*"))).toEqual(["src/deep/a.ts"]);
    expect(await glob("b.ts")).toEqual(["b.ts"]);
    expect(await glob("[ab].ts")).toEqual(["b.ts"]);
    expect(await glob("*.rs")).toEqual(["No files match."]);
  });

  it("shows 100 and tells how many there are", async () => {
    await tree(...Array.from({ length: 130 }, (_, index) => `f${index}.txt`));
    const lines = await glob("*.txt");
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe("f0.txt");
    expect(lines[100]).toContain("newest 100 of 130");
  });

  it("finds hidden names only where the pattern names them", async () => {
    await tree(".github/workflows/ci.yml", ".env", "a.yml", "sub/.hidden.yml");
    expect(await glob("**/*.yml")).toEqual(["a.yml"]);
    expect(await glob(".github/**/*.yml")).toEqual([".github/workflows/ci.yml"]);
    expect(await glob(".e*")).toEqual([".env"]);
    expect(await glob("**/.*.yml")).toEqual(["sub/.hidden.yml"]);
    expect(await glob("{.github/**/*,a}.yml")).toEqual([".github/workflows/ci.yml", "a.yml"]);
  });

  it("obeys .gitignore unless the path names what it hides", async () => {
    await tree("keep.js", "build/out.js", "node_modules/p/index.js", "src/tmp.js", ".git/hooks.js");
    await kit.put(".gitignore", "build/\nnode_modules\n");
    await kit.put("src/.gitignore", "tmp.js\n");
    expect(await glob("**/*.js")).toEqual(["keep.js"]);
    expect(await glob("**/*.js", "build")).toEqual(["build/out.js"]);
    expect(await glob("node_modules/**/*.js")).toEqual(["node_modules/p/index.js"]);
  });

  it("follows no link out, and lists a link to a file inside", async () => {
    await tree("real/a.ts");
    const outside = await builtinKit();
    await outside.put("secret.ts", "x");
    await symlink(outside.cwd, join(kit.cwd, "out"));
    await symlink(join(outside.cwd, "secret.ts"), join(kit.cwd, "leak.ts"));
    await symlink("real/a.ts", join(kit.cwd, "alias.ts"));
    expect((await glob("**/*.ts")).sort()).toEqual(["alias.ts", "real/a.ts"]);
    await outside.remove();
  });

  it("leaves out what may not be read, also in the count", async () => {
    await tree("a.txt", "secret/b.txt", "c.txt");
    denied.add("secret").add("secret/b.txt").add("c.txt");
    expect(await glob("**/*.txt")).toEqual(["a.txt"]);
  });

  it("is judged by where its wildcards begin", async () => {
    const tool = kit.tools.find((each) => each.name === "Glob");
    const check = {
      cwd: kit.cwd,
      sessionId: "s",
      signal: new AbortController().signal,
      services: kit.services,
    };
    const root = (pattern: string, path?: string) =>
      tool?.targets({ pattern, ...(path === undefined ? {} : { path }) }, check);
    const walk = (path: string) => [{ kind: "path", access: "walk", path, filtered: true }];
    expect(root("**/*.ts")).toEqual(walk("."));
    expect(root("src/lib/*.ts")).toEqual(walk("src/lib"));
    expect(root("/etc/ssl/*.pem", "src")).toEqual(walk("/etc/ssl"));
    expect(root("../x/*", "a/b")).toEqual(walk("a/b/../x"));
    expect(root("~/.ssh/id_*")).toEqual(walk("~/.ssh"));
    expect(root("/*")).toEqual(walk("/"));
  });

  it.each(["*/../../etc/*", "{..,a}/*", "*/..", "a/*/../b"])(
    "refuses %s, which leaves its root",
    async (pattern) => {
      expect(await kit.call("Glob", { pattern })).toMatchObject({
        isError: true,
        text: expect.stringContaining(".."),
      });
    },
  );

  it("shows odd names on one line", async () => {
    await tree("new\nline.txt", "-dash.txt", "sp ace.txt");
    expect((await glob("*.txt")).sort()).toEqual(['"new\\nline.txt"', "-dash.txt", "sp ace.txt"]);
  });

  it("says what is wrong with a root", async () => {
    await tree("file.txt");
    expect(await kit.call("Glob", { pattern: "*", path: "nowhere" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("does not exist"),
    });
    expect((await kit.call("Glob", { pattern: "*", path: "file.txt" })).text).toContain("is a file");
    expect((await kit.call("Glob", { pattern: "src/" })).text).toContain("ends in a slash");
  });
});
