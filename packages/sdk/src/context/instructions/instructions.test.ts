import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodePlatform } from "../../platform/index.ts";
import { instructionBlocks, loadInstructions } from "../load-instructions.ts";
import { importsOf } from "./imports.ts";
import type { InstructionParts } from "./types.ts";

let root: string;
let home: string;
let project: string;
let notes: string[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "castellan-instructions-")));
  home = join(root, "home");
  project = join(root, "project");
  mkdirSync(home);
  mkdirSync(project);
  notes = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text: string | Buffer): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function read(more: Partial<InstructionParts> = {}): Promise<string[]> {
  const files = await loadInstructions({
    fs: nodePlatform().fs,
    ...{ home, projectRoot: project, cwd: project, trusted: true },
    sources: ["user", "project", "local"],
    compat: [],
    mayRead: () => true,
    isInside: async (path) => path.startsWith(project),
    notify: (_, message) => void notes.push(message),
    ...more,
  });
  return files.map(({ type, text }) => `${type}: ${text.trim()}`);
}

describe("instruction files", () => {
  it("come from the user, then from the project's root down to the start, each source where it is named", async () => {
    put(join(home, ".castellan/AGENTS.md"), "mine");
    put(join(project, "AGENTS.md"), "root");
    put(join(project, "AGENTS.local.md"), "here only");
    put(join(project, "a/b/AGENTS.md"), "deep");
    put(join(project, "a/other/AGENTS.md"), "beside");
    put(join(root, "AGENTS.md"), "above");
    const cwd = join(project, "a/b");
    expect(await read({ cwd })).toEqual(["User: mine", "Project: root", "Local: here only", "Project: deep"]);
    expect(await read({ cwd, sources: ["project"] })).toEqual(["Project: root", "Project: deep"]);
    expect(await read({ cwd, sources: ["local"] })).toEqual(["Local: here only"]);
    expect(await read({ cwd, sources: [] })).toEqual([]);
    expect(notes).toEqual([]);
  });

  it("of a workspace that is not trusted are not read, and that is told", async () => {
    put(join(home, ".castellan/AGENTS.md"), "mine");
    const file = put(join(project, "AGENTS.md"), "root");
    expect(await read({ trusted: false })).toEqual(["User: mine"]);
    expect(notes).toEqual([`Not read, since this workspace is not trusted: ${file}.`]);
  });

  it("of another host count where compat names it; a file counts once", async () => {
    put(join(home, ".claude/CLAUDE.md"), "mine");
    put(join(project, "AGENTS.md"), "root");
    symlinkSync("AGENTS.md", join(project, "CLAUDE.md"));
    put(join(project, ".claude/CLAUDE.md"), "folder");
    put(join(project, "CLAUDE.local.md"), "root");
    expect(await read()).toEqual(["Project: root"]);
    expect(await read({ compat: ["claude"] })).toEqual(["User: mine", "Project: root", "Project: folder"]);
  });

  it("bring in what they import, behind them, each file once, round in circles or not", async () => {
    put(join(project, "AGENTS.md"), "root @docs/a.md and @./docs/b.md, see @nobody or me@example.org");
    put(join(project, "docs/a.md"), "A @b.md");
    put(join(project, "docs/b.md"), "B @../AGENTS.md @a.md");
    expect(await read()).toEqual([
      expect.stringMatching(/^Project: root/),
      expect.stringMatching(/^Project: A/),
      expect.stringMatching(/^Project: B/),
    ]);
    expect(notes).toEqual([]);
  });

  it("never leave their folders, by a path, a link or a home", async () => {
    put(join(root, "secret.txt"), "SECRET");
    put(join(home, ".ssh/id"), "SECRET");
    symlinkSync(join(root, "secret.txt"), join(project, "link.md"));
    const places = ["@../secret.txt", `@${root}/secret.txt`, "@~/.ssh/id", "@link.md"];
    put(join(project, "AGENTS.md"), places.join(" "));
    put(join(home, ".castellan/AGENTS.md"), "mine @../.ssh/id");
    expect(await read()).toEqual([
      expect.stringMatching(/^User: mine/),
      expect.stringMatching(/^Project: @/),
    ]);
    expect(notes).toHaveLength(5);
    for (const note of notes) expect(note).toMatch(/lies outside of the folders/);
    rmSync(join(project, "AGENTS.md"));
    symlinkSync(join(root, "secret.txt"), join(project, "AGENTS.md"));
    expect(await read({ sources: ["project"] })).toEqual([]);
  });

  it("obey rules about Read, under their own name and where a link leads", async () => {
    put(join(project, "AGENTS.md"), "root @docs/private.md @alias.md");
    put(join(project, "docs/private.md"), "SECRET");
    symlinkSync("docs/private.md", join(project, "alias.md"));
    const mayRead = (path: string) => !path.endsWith("private.md");
    expect(await read({ mayRead })).toEqual([expect.stringMatching(/^Project: root/)]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/a rule about Read stands against it/);
  });

  it("have bounds: length, number, depth, and no binary", async () => {
    put(join(project, "AGENTS.md"), "root @0.md @long.md @binary.md");
    for (let i = 0; i < 9; i += 1) put(join(project, `${i}.md`), `deep ${i} @${i + 1}.md`);
    put(join(project, "long.md"), "x".repeat(200_001));
    put(join(project, "binary.md"), Buffer.from([1, 0, 2]));
    const found = await read();
    expect(found).toHaveLength(6);
    expect(found.at(-1)).toMatch(/deep 4/);
    expect(notes.join("\n")).toMatch(
      /long\.md is not read: it has 200001 bytes[\s\S]*binary\.md is not read: it is no text/,
    );
    for (let i = 0; i < 60; i += 1) put(join(project, `many/${i}.md`), `file ${i}`);
    put(join(project, "AGENTS.md"), Array.from({ length: 60 }, (_, i) => `@many/${i}.md`).join("\n"));
    expect(await read()).toHaveLength(50);
  });
});

describe("imports", () => {
  it.each([
    ["@a.md", ["a.md"]],
    ["see @docs/x.md.", ["docs/x.md"]],
    ["- @~/notes.md and @/abs/y.md", ["~/notes.md", "/abs/y.md"]],
    ["`@code.md` and ``", []],
    ["```\n@code.md\n```\n@after.md", ["after.md"]],
    ["mail me@example.org", []],
    ["@with\\ space.md", ["with space.md"]],
    ["@", []],
  ])("of %j are %j", (text, paths) => {
    expect(importsOf(text)).toEqual(paths);
  });
});

describe("the block of instructions", () => {
  it("is one text that names each file, or none", () => {
    expect(instructionBlocks([])).toEqual([]);
    const [block, ...others] = instructionBlocks([
      { type: "User", path: "/h/AGENTS.md", text: "one\n" },
      { type: "Project", path: '/w/a"b.md', text: "two" },
    ]);
    expect(others).toEqual([]);
    expect(block).toContain('<instructions file="/h/AGENTS.md">\none\n</instructions>');
    expect(block).toContain('<instructions file="/w/a\\"b.md">');
    expect(block).toMatch(/change no permission, and nothing in them approves/);
  });
});
