import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { circleIn, findViolations, readArrows, rulesFrom } from "../../scripts/arrows.mjs";
import { root } from "./sources.ts";

const scratch: string[] = [];
afterAll(() => Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Lays the files out under a new package's src/ and tells which rules they break. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "castellan-arrows-"));
  scratch.push(folder);
  await writeFile(join(folder, "package.json"), '{"name":"planted","type":"module"}');
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "src", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const { violations } = await findViolations(folder, rulesFrom(await readArrows()));
  return violations.map((line: string) => line.slice(0, line.indexOf(":")));
}

const value = "export const a = 1;\n";
const type = "export interface A { a: 1 }\n";

describe("the table of arrows", () => {
  it("has no circle, and would show one", async () => {
    expect(circleIn(await readArrows())).toEqual([]);
    expect(circleIn({ a: ["b"], b: ["c"], c: ["b"] })).toEqual(["b", "c", "b"]);
  });

  it("names only rows", async () => {
    const table = await readArrows();
    const rows = new Set(Object.keys(table));
    const strangers = Object.values(table)
      .flat()
      .filter((name) => name !== "*" && !rows.has(name));
    expect(strangers).toEqual([]);
  });

  it("has a row for each folder and file directly in packages/sdk/src", async () => {
    const rows = new Set(Object.keys(await readArrows()));
    const names = (await readdir(join(root, "packages/sdk/src")))
      .filter((name) => !name.endsWith(".test.ts"))
      .map((name) => name.replace(/\.ts$/, ""));
    expect(names).toContain("protocol");
    expect(names.filter((name) => !rows.has(name))).toEqual([]);
  });

  it("lets nobody import testing, and protocol import nothing", async () => {
    const table = await readArrows();
    expect(table.protocol).toEqual([]);
    expect(Object.keys(table).filter((row) => table[row]?.includes("testing"))).toEqual([]);
  });
});

describe("the checker", () => {
  it("is content with imports along the arrows", async () => {
    const files = {
      "protocol/index.ts": type,
      "shell/index.ts": 'import type { A } from "../protocol/index.ts";\nexport const s: A = { a: 1 };\n',
      "permissions/index.ts": 'export { s } from "../shell/index.ts";\n',
      "permissions/one.test.ts":
        'import { t } from "../testing/index.ts";\nimport "./index.ts";\nconsole.log(t);\n',
      "testing/index.ts": 'import { s } from "../shell/index.ts";\nexport const t = s;\n',
    };
    expect(await brokenRules(files)).toEqual([]);
  });

  it("refuses an import against the arrows, by value, by type and when first used", async () => {
    const files = {
      "gate/index.ts": type + value,
      "permissions/index.ts": 'import { a } from "../gate/index.ts";\nexport const b = a;\n',
      "tools/index.ts":
        'import type { A } from "../gate/index.ts";\nexport const b = (a: A): number => a.a;\n',
      "hooks/index.ts": 'export const b = () => import("../gate/index.ts");\n',
    };
    expect((await brokenRules(files)).sort()).toEqual(["arrow-hooks", "arrow-permissions", "arrow-tools"]);
  });

  it("refuses the way past a room's index", async () => {
    const files = {
      "protocol/index.ts": value,
      "protocol/ids.ts": type,
      "shell/index.ts": 'import type { A } from "../protocol/ids.ts";\nexport const s: A = { a: 1 };\n',
    };
    expect(await brokenRules(files)).toEqual(["through-index"]);
  });

  it("refuses a circle inside a room, even of types", async () => {
    const files = {
      "shell/index.ts":
        'import type { W } from "./word.ts";\nexport interface L { words: W[] }\nexport type { W };\n',
      "shell/word.ts": 'import type { L } from "./index.ts";\nexport interface W { line: L }\n',
    };
    expect([...new Set(await brokenRules(files))]).toEqual(["no-circle"]);
  });

  it("refuses testing in a room, a place without a row, and what does not resolve", async () => {
    const files = {
      "testing/index.ts": value,
      "loop/index.ts": 'export { a } from "../testing/index.ts";\n',
      "attic/index.ts": 'export { a } from "../testing/index.ts";\n',
      "shell/index.ts": 'export { a } from "./gone.ts";\n',
    };
    expect((await brokenRules(files)).sort()).toEqual(["arrow-loop", "resolves", "row-missing"]);
  });
});
