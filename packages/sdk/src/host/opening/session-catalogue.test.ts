import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../protocol/index.ts";
import { createServer, definitionOf, mountServer, tool } from "../../tools/index.ts";
import type { Options } from "../options/types.ts";
import { sessionCatalogue } from "./session-catalogue.ts";

function made(name: string) {
  const made = tool(name, `Is ${name}.`, {}, () => ({ content: [] }));
  const definition = definitionOf(made);
  if (definition === undefined) throw new Error("no definition");
  return { tool: made, definition };
}

const builtins = ["Read", "Edit", "LS"].map((name) => ({
  name,
  aliases: [],
  source: "builtin" as const,
  isEnabled: () => true,
}));
const probe = made("probe").tool;

/** The tools of a server as a session has them. */
function served(key: string, server: object = {}) {
  const tools = [made("find").tool, made("drop").tool];
  return mountServer(createServer({ name: key, tools, ...server }, async () => undefined).instance, key);
}

interface More {
  readonly servers?: readonly ToolDefinition[];
  /** The servers that the log names. */
  readonly before?: readonly string[];
}

async function names(
  option: Options["tools"],
  recorded?: readonly string[],
  denied: readonly string[] = [],
  { servers = [], before = [] }: More = {},
) {
  const warnings: string[] = [];
  const asked: string[] = [];
  const catalogue = await sessionCatalogue({
    builtins,
    async make(wanted) {
      asked.push(...wanted);
      return [...wanted].map((name) => ({ ...made(name).definition, source: "builtin" as const }));
    },
    option,
    servers,
    toolAliases: undefined,
    recorded: recorded && { tools: recorded, servers: before },
    denied: (all) => new Set(all.filter((name) => denied.includes(name))),
    notify: (_, message) => warnings.push(message),
  });
  return { visible: catalogue.visible.map((each) => each.name), made: asked.sort(), warnings };
}

describe("the tools of a session", () => {
  it.each<readonly [string, Options["tools"], readonly string[] | undefined, readonly string[]]>([
    ["nothing said: the default set", undefined, undefined, ["Edit", "Read"]],
    ["the preset", { type: "preset", preset: "default" }, undefined, ["Edit", "Read"]],
    ["the preset on a resume", { type: "preset", preset: "default" }, ["LS"], ["Edit", "Read"]],
    ["names and tools mixed", ["LS", probe], undefined, ["LS", "probe"]],
    ["none at all", [], undefined, []],
    ["nothing said on a resume: what was recorded", undefined, ["LS"], ["LS"]],
    ["nothing said on a resume of a session without tools", undefined, [], []],
    ["said again on a resume", ["Read"], ["LS"], ["Read"]],
    ["a tool of the program alone", [probe], undefined, ["probe"]],
  ])("%s; no built-in is made that is not seen", async (_, option, recorded, visible) => {
    const made = visible.filter((name) => name !== "probe");
    expect(await names(option, recorded)).toEqual({ visible, made, warnings: [] });
  });

  it("takes away what a bare deny names, tools of the program too", async () => {
    expect(await names(["Read", "LS", probe], undefined, ["LS", "probe"])).toMatchObject({
      visible: ["Read"],
      made: ["Read"],
    });
    expect((await names(undefined, ["Read", "LS"], ["LS"])).visible).toEqual(["Read"]);
  });

  it("tells of a recorded tool that this program does not bring", async () => {
    const { visible, warnings } = await names(undefined, ["Read", "probe"]);
    expect(visible).toEqual(["Read"]);
    expect(warnings).toEqual([expect.stringContaining("probe")]);
  });

  it("refuses names that no tool has, and two tools of one name", async () => {
    await expect(names(["Reed"])).rejects.toMatchObject({ code: "invalid_option" });
    await expect(names([probe, made("probe").tool])).rejects.toMatchObject({ code: "duplicate_tool" });
  });

  it("refuses the name of a built-in for a tool of the program, also where that is not asked for", async () => {
    await expect(names([made("LS").tool])).rejects.toMatchObject({ code: "duplicate_tool", subject: "LS" });
  });
});

describe("the tools of servers", () => {
  const both = { servers: [...served("old"), ...served("new")] };
  const all = ["mcp__new__drop", "mcp__new__find", "mcp__old__drop", "mcp__old__find"];

  it.each<readonly [string, Options["tools"], readonly string[] | undefined, readonly string[]]>([
    ["nothing said: all", undefined, undefined, ["Edit", "Read", ...all]],
    ["a list that names none of them: all", ["LS"], undefined, ["LS", ...all]],
    ["a list that names one", ["LS", "mcp__old__find"], undefined, ["LS", "mcp__old__find"]],
    ["a list that names a server", ["mcp__old"], undefined, ["mcp__old__drop", "mcp__old__find"]],
    ["an empty list", [], undefined, []],
    [
      "on a resume: what was recorded of a server that the session had, all of one that it had not",
      undefined,
      ["LS", "mcp__old__find"],
      ["LS", "mcp__new__drop", "mcp__new__find", "mcp__old__find"],
    ],
  ])("%s", async (_, option, recorded, visible) => {
    const found = await names(option, recorded, [], { ...both, before: ["old"] });
    expect(found).toMatchObject({ visible, warnings: [] });
  });

  it("come back on a resume only where the log names them", async () => {
    const { visible } = await names(undefined, ["LS"], [], { ...both, before: ["old", "new"] });
    expect(visible).toEqual(["LS"]);
  });

  it("are taken away by a bare deny, which may write a bare name in full", async () => {
    const servers = served("old", { prefix: false });
    const left = async (denied: string) => (await names(["LS"], undefined, [denied], { servers })).visible;
    expect(await left("other")).toEqual(["LS", "drop", "find"]);
    expect(await left("drop")).toEqual(["LS", "find"]);
    expect(await left("mcp__old__drop")).toEqual(["LS", "find"]);
  });

  it("are told of where the list names one that no server has", async () => {
    const list = ["mcp__old__find", "mcp__old", "mcp__old__fnid", "mcp__none"];
    const { visible, warnings } = await names(list, undefined, [], both);
    expect(visible).toEqual(["mcp__old__drop", "mcp__old__find"]);
    expect(warnings).toEqual([
      expect.stringContaining("mcp__old__fnid"),
      expect.stringContaining("mcp__none"),
    ]);
  });

  it("are told of where the log names one that has gone", async () => {
    const { visible, warnings } = await names(undefined, ["mcp__gone__find", "mcp__old__find"], [], {
      servers: served("old"),
      before: ["old", "gone"],
    });
    expect(visible).toEqual(["mcp__old__find"]);
    expect(warnings).toEqual([expect.stringContaining("mcp__gone__find")]);
  });
});
