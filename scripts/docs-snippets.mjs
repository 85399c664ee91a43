// Type-checks the ```ts blocks of README.md and docs/**/*.md against the sources: `npm run snippets`.
// Each block is a module of its own, placed beside its document. A block that opens with ```ts no-check is left
// out and counted.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * The ts blocks of one Markdown text.
 * @returns {{line: number, code: string, checked: boolean}[]} `line` is the first line of code, from 1
 */
export function blocksIn(markdown) {
  const blocks = [];
  let open;
  markdown.split("\n").forEach((text, index) => {
    const fence = /^\s*```(.*)$/.exec(text);
    if (fence === null) open?.code.push(text);
    else if (open !== undefined) {
      if (open.checked !== undefined) blocks.push({ ...open, code: open.code.join("\n") });
      open = undefined;
    } else {
      const words = (fence[1] ?? "").trim().split(/\s+/);
      const checked = words[0] === "ts" ? !words.includes("no-check") : undefined;
      open = { line: index + 2, code: [], checked };
    }
  });
  return blocks;
}

/**
 * Type errors in the given blocks.
 * @param {{path: string, line: number, code: string}[]} blocks `path` is the document's
 * @returns {string[]} one line an error: `<document>:<line> <message>`
 */
export function errorsIn(blocks) {
  const files = new Map(
    blocks.map((block) => [
      join(dirname(block.path), `snippet-at-${block.line}-of-${slug(block.path)}.mts`),
      block,
    ]),
  );
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const settings = { ...options, noEmit: true, declaration: false, allowJs: true, moduleDetection: 3 };
  const host = ts.createCompilerHost(settings);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(resolve(name)) || fileExists(name);
  host.readFile = (name) => files.get(resolve(name))?.code ?? readFile(name);
  host.getSourceFile = (name, ...rest) => {
    const block = files.get(resolve(name));
    return block === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, block.code, { languageVersion: 99, impliedNodeFormat: 99 }, true);
  };
  const program = ts.createProgram([...files.keys()], settings, host);
  return [...files].flatMap(([name, block]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map((diagnostic) => describe(diagnostic, block)),
  );
}

function describe(diagnostic, block) {
  const inside = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  return `${relative(root, block.path)}:${block.line + inside} ${message}`;
}

const slug = (path) => relative(root, path).replaceAll(/[^A-Za-z0-9]+/g, "-");

function documents() {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(root, "docs", name));
  return [join(root, "README.md"), ...docs.sort()];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = documents().flatMap((path) =>
    blocksIn(readFileSync(path, "utf8")).map((block) => ({ ...block, path })),
  );
  const checked = all.filter((block) => block.checked);
  const errors = checked.length > 0 ? errorsIn(checked) : [];
  for (const error of errors) console.error(error);
  console.log(
    `${checked.length} blocks checked, ${all.length - checked.length} left out, ${errors.length} errors`,
  );
  if (errors.length > 0) process.exitCode = 1;
}
