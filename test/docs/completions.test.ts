import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = join(root, "test/docs/typed-by-a-person.ts");
const MARK = "/*here*/";

/** What an editor offers at the mark, as its language service says. */
function offeredAt(text: string): readonly string[] {
  const position = text.indexOf(MARK);
  version++;
  program = text.replace(MARK, "");
  const found = service.getCompletionsAtPosition(file, position, {});
  return (found?.entries ?? []).map((entry) => entry.name);
}

let program = "";
let version = 0;
let service: ts.LanguageService;

beforeAll(() => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "1"),
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
});

const HEAD = 'import { AgentClient, defineHook, query, tool } from "@castellan/sdk";\n';

describe("an editor", { timeout: 60_000 }, () => {
  it("offers the options of a query and of a client", () => {
    for (const start of ['query({ prompt: "", options: { ', "new AgentClient({ "]) {
      expect(offeredAt(`${HEAD}${start}${MARK}`)).toEqual(
        expect.arrayContaining([
          "allowedTools",
          "canUseTool",
          "hooks",
          "mcpServers",
          "model",
          "permissionMode",
        ]),
      );
    }
  });

  it("offers the values of an option", () => {
    const modes = offeredAt(`${HEAD}query({ prompt: "", options: { permissionMode: "${MARK}" } });`);
    expect(modes).toEqual(expect.arrayContaining(["acceptEdits", "default", "dontAsk", "plan"]));
    const risks = offeredAt(`${HEAD}tool("a", "b", {}, () => ({ content: [] }), { riskLevel: "${MARK}" });`);
    expect([...risks].sort()).toEqual(["high", "low", "medium"]);
  });

  it("offers the arguments that a schema names, and the fields of a hook's input", () => {
    const args = `${HEAD}tool("a", "b", { city: "string" }, (args) => { args.${MARK} });`;
    expect(offeredAt(args)).toEqual(["city"]);
    const input = `${HEAD}defineHook("PreToolUse", (input) => { input.${MARK} });`;
    expect(offeredAt(input)).toEqual(expect.arrayContaining(["tool_name", "tool_input", "tool_use_id"]));
  });
});
