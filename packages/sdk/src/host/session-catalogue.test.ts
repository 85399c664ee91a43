import { describe, expect, it } from "vitest";
import { definitionOf, tool } from "../tools/index.ts";
import type { Options } from "./options/types.ts";
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

async function names(option: Options["tools"], recorded?: readonly string[], denied: readonly string[] = []) {
  const warnings: string[] = [];
  const asked: string[] = [];
  const catalogue = await sessionCatalogue({
    builtins,
    async make(wanted) {
      asked.push(...wanted);
      return [...wanted].map((name) => ({ ...made(name).definition, source: "builtin" as const }));
    },
    option,
    servers: [],
    toolAliases: undefined,
    recorded: recorded && { tools: recorded, servers: [] },
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
