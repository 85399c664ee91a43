import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/index.ts";
import { builtinKit, type Kit } from "../test-kit.ts";

// One tree, two searches: whatever is asked, ripgrep and the built-in search give the same words.
let withRipgrep: Kit;
let builtIn: Kit;

const FILES: Record<string, string | Buffer> = {
  "src/app.ts": "import { run } from './run';\n\nexport function main() {\n  return run(1);\n}\n",
  "src/run.ts": "export const run = (n: number) => n;\nrun(2); run(3);\n",
  "src/run.test.ts": "run(4);\n",
  "src/win.js": "first\r\nrun(5)\r\nlast\r\n",
  "src/deep/er/x.py": "def run():\n    pass\n# ÉTÉ été\n",
  "docs/guide.md": "# Run\n\nTo run it, call `run()`.\n\n\nrun again\n",
  "-dash.txt": "run from a dash\n",
  "odd [name].txt": "run odd\n",
  "new\nline.txt": "run newline\n",
  "no-end.txt": "the last line runs",
  "empty.txt": "",
  "blank.txt": "\n\n\n",
  "long.txt": `${"x".repeat(3000)} run ${"y".repeat(3000)}\nrun\n`,
  "binary.bin": Buffer.from("run\0run\n"),
  "utf16.txt": Buffer.from("\ufeffrun sixteen\r\nnext\r\n", "utf16le"),
  "latin.txt": Buffer.from("run \xe9t\xe9\n", "latin1"),
  "emoji.txt": "😀 run 😀 run\n",
  ".hidden/h.txt": "run hidden\n",
  ".git/config": "run git\n",
  ".hg/store": "run hg\n",
  "ignored/a.txt": "run ignored\n",
  "ignored/deep/b.txt": "run ignored deep\n",
  "src/skip.log": "run log\n",
  "src/keep.log": "run kept\n",
  ".gitignore": "ignored/\n*.log\n!keep.log\n",
  "secret.env": "run SECRET\n",
  "private/key.txt": "run PRIVATE\n",
  "multi.txt": "begin\n  middle one\nend\nbegin\nend\nbegin middle\n",
};

beforeAll(async () => {
  const mayRead = (path: string) => !path.endsWith("/secret.env") && !/\/private(\/|$)/.test(path);
  withRipgrep = await builtinKit({ mayRead });
  builtIn = await builtinKit({ mayRead, ripgrep: false });
  for (const kit of [withRipgrep, builtIn]) {
    for (const [file, content] of Object.entries(FILES)) await kit.put(file, content);
    await symlink("src", join(kit.cwd, "linked"));
    await symlink("../elsewhere", join(kit.cwd, "broken"));
  }
});
afterAll(() => Promise.all([withRipgrep.remove(), builtIn.remove()]));

const QUERIES: readonly JsonObject[] = [
  { pattern: "run" },
  { pattern: "run", output_mode: "content" },
  { pattern: "run", output_mode: "count" },
  { pattern: "RUN", "-i": true, output_mode: "content" },
  { pattern: "RUN" },
  { pattern: "été", "-i": true, output_mode: "content" },
  { pattern: "run", output_mode: "content", "-n": false },
  { pattern: "run\\(\\d\\)", output_mode: "content", "-o": true },
  { pattern: "run", output_mode: "content", "-o": true, "-C": 2 },
  { pattern: "main", output_mode: "content", "-A": 1 },
  { pattern: "return", output_mode: "content", "-B": 2 },
  { pattern: "run", output_mode: "content", "-C": 1, path: "docs" },
  { pattern: "run", output_mode: "content", context: 1, path: "src" },
  { pattern: "^run", output_mode: "content" },
  { pattern: "\\)$", output_mode: "content" },
  { pattern: "^$", output_mode: "count" },
  { pattern: "x*", output_mode: "count" },
  { pattern: "\\bit\\b", output_mode: "content" },
  { pattern: "\\w+ \\w+ \\w+", output_mode: "content", "-o": true },
  { pattern: "[[:upper:]]\\S+", output_mode: "content", "-o": true },
  { pattern: "😀", output_mode: "content", "-o": true },
  { pattern: "run", glob: "*.ts" },
  { pattern: "run", glob: "*.{ts,js}" },
  { pattern: "run", glob: "!*.test.ts" },
  { pattern: "run", glob: "*.ts, !*.test.ts" },
  { pattern: "run", glob: "src/**/*.py" },
  { pattern: "run", glob: "*.log" },
  { pattern: "run", glob: "**/*.md" },
  { pattern: "run", glob: "run.*", path: "src" },
  { pattern: "run", type: "ts" },
  { pattern: "run", type: "py", output_mode: "content" },
  { pattern: "run", type: "js", glob: "w*" },
  { pattern: "run", path: "ignored", output_mode: "content" },
  { pattern: "run", path: "ignored/deep" },
  { pattern: "run", path: ".git" },
  { pattern: "run", path: ".hidden" },
  { pattern: "run", path: "src/run.ts", output_mode: "content" },
  { pattern: "run", path: "src/run.ts", output_mode: "count" },
  { pattern: "run", path: "src/skip.log", output_mode: "content" },
  { pattern: "run", path: "-dash.txt", output_mode: "content" },
  { pattern: "run", path: "binary.bin", output_mode: "content" },
  { pattern: "run", path: "linked", output_mode: "content" },
  { pattern: "run", path: "src", head_limit: 2 },
  { pattern: "run", head_limit: 3, offset: 2 },
  { pattern: "run", head_limit: 4, offset: 3, output_mode: "content" },
  { pattern: "run", head_limit: 0, output_mode: "count" },
  { pattern: "run", offset: 900 },
  { pattern: "-dash" },
  { pattern: "--help" },
  { pattern: "begin\\n.*middle", multiline: true, output_mode: "content" },
  { pattern: "begin.*?end", multiline: true, output_mode: "content", "-o": true },
  { pattern: "begin\\s+end", multiline: true, output_mode: "count" },
  { pattern: "middle", multiline: true, output_mode: "content", "-A": 1, glob: "multi.txt" },
  { pattern: "no such text anywhere" },
  { pattern: "\\{ run \\}", output_mode: "content" },
];

describe("ripgrep and the built-in search", () => {
  it.each(QUERIES.map((query) => [JSON.stringify(query), query] as const))(
    "agree on %s",
    async (_name, query) => {
      const [one, other] = await Promise.all([withRipgrep.call("Grep", query), builtIn.call("Grep", query)]);
      expect(one.text.replaceAll(withRipgrep.cwd, builtIn.cwd)).toBe(other.text);
      expect(one.isError).toBe(other.isError);
      expect(one.result.structuredContent).toEqual(other.result.structuredContent);
    },
  );

  it.each(["(", "a{2,1}", "*", "(?=look)", "\\1"])(
    "both refuse the pattern %s with a reason",
    async (pattern) => {
      for (const kit of [withRipgrep, builtIn]) {
        const answer = await kit.call("Grep", { pattern });
        expect(answer.isError).toBe(true);
        expect(answer.text).toContain("The search failed");
      }
    },
  );

  it("both refuse a file type that does not exist", async () => {
    for (const kit of [withRipgrep, builtIn]) {
      expect(await kit.call("Grep", { pattern: "run", type: "nonsense" })).toMatchObject({
        isError: true,
        text: expect.stringContaining("unrecognized file type: nonsense"),
      });
    }
  });

  it("show nothing of what may not be read, by either way", async () => {
    for (const kit of [withRipgrep, builtIn]) {
      for (const output_mode of ["content", "count", "files_with_matches"]) {
        const { text } = await kit.call("Grep", { pattern: "run", output_mode, head_limit: 0 });
        expect(text).not.toMatch(/secret|private|SECRET|PRIVATE/);
        expect(text).toContain("src/app.ts");
      }
    }
  });

  it("take each line of a wide context once, and no more than is shown", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => (i % 2 === 0 ? "wide match" : "between"));
    const wide = { pattern: "wide", path: "wide.txt", output_mode: "content", "-C": 100_000 };
    for (const kit of [withRipgrep, builtIn]) {
      await kit.put("wide.txt", lines.join("\n"));
      const first = await kit.call("Grep", { ...wide, head_limit: 3 });
      expect(first.text).toMatch(
        /^wide.txt:1:wide match\nwide.txt-2-between\nwide.txt:3:wide match\n\(lines 1/,
      );
      const last = await kit.call("Grep", { ...wide, offset: 59_998 });
      expect(last.text).toMatch(
        /^wide.txt:59999:wide match\nwide.txt-60000-between\n\(lines 59999 to 60000 of 60000/,
      );
    }
  });

  it("refuse numbers beyond what a search gathers, and endless globs", async () => {
    for (const input of [{ offset: 1e9 }, { "-C": 1e9 }, { head_limit: 1e9 }, { glob: "{".repeat(5_000) }]) {
      expect(await withRipgrep.call("Grep", { pattern: "run", ...input })).toMatchObject({ isError: true });
    }
  });
});
