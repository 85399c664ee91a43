import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../protocol/index.ts";
import { buildTool } from "./build-tool.ts";
import { createCatalogue } from "./catalogue.ts";
import type { ToolDraft } from "./types.ts";

const runs = Number(process.env.CASTELLAN_RUNS ?? 200);
const make = (name: string, fields: Partial<ToolDraft> = {}): ToolDefinition =>
  buildTool({ name, description: `Does ${name}.`, inputSchema: {}, call: () => null, ...fields } as never);
const builtin = (name: string, fields: Partial<ToolDraft> = {}): ToolDefinition =>
  make(name, { source: "builtin", ...fields });
const mcp = (serverName: string, toolName: string): ToolDefinition =>
  make(`mcp__${serverName}__${toolName}`, { source: "mcp", mcpInfo: { serverName, toolName } });
const names = (tools: readonly ToolDefinition[]): string[] => tools.map((tool) => tool.name);
const context = { cwd: "/", toolNames: new Set<string>() };

const BUILTINS = ["Write", "Read", "Bash", "LS", "Edit"].map((name) => builtin(name));
const OTHERS = [make("zeta"), make("Alpha"), mcp("files", "read"), mcp("mail", "send"), make("alpha")];
const all = [...OTHERS, ...BUILTINS];

describe("order", () => {
  it("has built-ins first, each part by code units", () => {
    expect(names(createCatalogue(all).visible)).toEqual([
      ...["Bash", "Edit", "Read", "Write"],
      ...["Alpha", "alpha", "mcp__files__read", "mcp__mail__send", "zeta"],
    ]);
  });

  it("does not depend on the order in which tools come", () => {
    const wanted = names(createCatalogue(all).visible);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(names(createCatalogue(shuffled).visible)).toEqual(wanted);
      }),
      { numRuns: runs },
    );
  });

  it("keeps every byte of the built-ins whatever is added behind them", () => {
    const talkative = builtin("Grep", {
      prompt: ({ toolNames }) => `Beside ${[...toolNames].sort().join(", ")}.`,
    });
    const base = [...BUILTINS, talkative];
    const extra = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), { maxLength: 6 });
    const textOf = (tools: readonly ToolDefinition[]): { prefix: string; count: number; total: number } => {
      const { visible, modelTools } = createCatalogue(tools);
      const text = modelTools({ cwd: "/", toolNames: new Set(names(visible)) });
      return {
        prefix: JSON.stringify(text.tools.slice(0, text.builtins)),
        count: text.builtins,
        total: text.tools.length,
      };
    };
    const alone = textOf(base);
    expect(alone.prefix).toContain("Beside Bash, Edit, Grep, Read, Write.");
    fc.assert(
      fc.property(extra, (added) => {
        const taken = new Set(names(base));
        const strangers = added.filter((name) => !taken.has(name)).map((name) => make(name));
        const together = textOf([...strangers, ...base]);
        expect(together).toEqual({ ...alone, total: alone.total + strangers.length });
      }),
      { numRuns: runs },
    );
  });
});

describe("visibility", () => {
  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    [
      "left out: the default set and all others",
      undefined,
      ["Bash", "Edit", "Read", "Write", "Alpha", "alpha", "mcp__files__read", "mcp__mail__send", "zeta"],
    ],
    ["empty: none", [], []],
    [
      "names: those and MCP",
      ["Read", "LS", "zeta"],
      ["LS", "Read", "mcp__files__read", "mcp__mail__send", "zeta"],
    ],
    [
      "an MCP name: only the MCP tools that are named",
      ["Read", "mcp__mail__send"],
      ["Read", "mcp__mail__send"],
    ],
    ["a whole server", ["mcp__files"], ["mcp__files__read"]],
    ["a whole server with a star", ["mcp__files__*"], ["mcp__files__read"]],
    ["a server that may come later", ["Read", "mcp__later__x"], ["Read"]],
  ])("%s", (_name, tools, visible) => {
    expect(names(createCatalogue(all, { tools }).visible)).toEqual(visible);
  });

  it("loses what is disallowed, by name or alias, and what is not enabled", () => {
    const tools = [
      builtin("KillShell"),
      builtin("Read"),
      make("off", { isEnabled: () => false }),
      make("on"),
    ];
    expect(names(createCatalogue(tools, { disallowedTools: ["KillBash", "on", "nobody"] }).visible)).toEqual([
      "Read",
    ]);
  });

  it("takes known aliases among the names", () => {
    expect(
      names(createCatalogue([builtin("KillShell"), builtin("Read")], { tools: ["TaskStop"] }).visible),
    ).toEqual(["KillShell"]);
  });

  it("refuses a name that no tool has, with the nearest", () => {
    expect(() => createCatalogue(all, { tools: ["Raed"] })).toThrow(
      /no tool called "Raed".*Did you mean Read/,
    );
    expect(() => createCatalogue(all, { tools: ["constructor"] })).toThrow("no tool called");
  });
});

describe("look-up", () => {
  const catalogue = createCatalogue(
    [builtin("KillShell"), builtin("Read"), make("post", { aliases: ["send"] })],
    {
      toolAliases: { mail: "post" },
    },
  );

  it("finds names, aliases, known other names and the option's", () => {
    const found = ["KillShell", "KillBash", "TaskStop", "send", "mail", "post"].map(
      (name) => catalogue.resolve(name)?.name,
    );
    expect(found).toEqual(["KillShell", "KillShell", "KillShell", "post", "post", "post"]);
  });

  it("finds nothing under names of a prototype, in another case, or out of sight", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "read", "Task"]) {
      expect(catalogue.resolve(name)).toBeUndefined();
    }
    expect(createCatalogue(all, { tools: [] }).resolve("Read")).toBeUndefined();
  });

  it("tells the nearest name", () => {
    expect(catalogue.nearest("Raed")).toBe("Read");
    expect(catalogue.nearest("read")).toBe("Read");
    expect(catalogue.nearest("something-else-entirely")).toBeUndefined();
  });

  it("lets a tool's own name win over an alias that ships with a built-in", () => {
    const own = createCatalogue([builtin("KillShell"), make("KillBash")]);
    expect(own.resolve("KillBash")?.source).toBe("custom");
  });

  it("refuses an option that leads nowhere or hides a tool", () => {
    const tools = [builtin("Read"), make("post")];
    expect(() => createCatalogue(tools, { toolAliases: { mail: "pots" } })).toThrow(
      /"mail" leads to "pots".*Did you mean post/,
    );
    expect(() => createCatalogue(tools, { toolAliases: { Read: "post" } })).toThrow(
      '"Read" is the name of a tool itself',
    );
  });
});

describe("duplicates", () => {
  it.each([
    ["two customs", [make("a"), make("a")], 'the custom tool "a" and the custom tool "a"'],
    [
      "a custom and a built-in",
      [builtin("Read"), make("Read")],
      'the built-in tool "Read" and the custom tool "Read"',
    ],
    ["two servers", [mcp("s", "x"), make("mcp__s__x")], 'tool "x" of the MCP server "s" and the custom tool'],
    [
      "an alias and a name",
      [make("a"), make("b", { aliases: ["a"] })],
      'answer to "a": the custom tool "a" and the custom tool "b"',
    ],
    ["two aliases", [make("a", { aliases: ["c"] }), make("b", { aliases: ["c"] })], 'answer to "c"'],
  ])("%s: the error names both", (_name, tools, words) => {
    expect(() => createCatalogue(tools)).toThrow(words);
    expect(() => createCatalogue(tools)).toThrow(expect.objectContaining({ code: "duplicate_tool" }));
  });
});

describe("what catalogues of the same tools hold", () => {
  it("is held once, and aliases of an option are of theirs alone", () => {
    const tools = [make("a"), make("b")];
    const [one, other] = [createCatalogue(tools), createCatalogue([...tools])];
    expect(other.visible).toBe(one.visible);
    const [text, same] = [one.modelTools(context), other.modelTools(context)];
    expect(same.tools.map((each, at) => each === text.tools[at])).toEqual([true, true]);
    const named = createCatalogue(tools, { toolAliases: { c: "a" } });
    expect([named.resolve("c")?.name, one.resolve("c")]).toEqual(["a", undefined]);
    expect(names(createCatalogue([...tools, make("d")]).visible)).toEqual(["a", "b", "d"]);
    expect(names(createCatalogue(tools).visible)).toEqual(["a", "b"]);
  });

  it("is another text where a tool says something else", () => {
    let words = "one";
    const tool = make("a", { prompt: () => words });
    const said = () => createCatalogue([tool]).modelTools(context).tools[0]?.description;
    const before = said();
    words = "two";
    expect([before, said()]).toEqual(["one", "two"]);
  });
});

describe("what the model reads", () => {
  it("is computed once", () => {
    let asked = 0;
    const tool = make("a", { prompt: () => `asked ${++asked}` });
    const catalogue = createCatalogue([tool]);
    const first = catalogue.modelTools(context);
    expect(catalogue.modelTools({ cwd: "/other", toolNames: new Set() })).toBe(first);
    expect(first).toEqual({
      builtins: 0,
      tools: [{ name: "a", description: "asked 1", inputSchema: { type: "object", properties: {} } }],
    });
  });
});
