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
  ...made(name).definition,
  source: "builtin" as const,
}));
const probe = made("probe").tool;

function names(option: Options["tools"], recorded?: readonly string[], denied: readonly string[] = []) {
  const warnings: string[] = [];
  const catalogue = sessionCatalogue({
    builtins,
    option,
    recorded,
    denied: (all) => new Set(all.filter((name) => denied.includes(name))),
    notify: (_, message) => warnings.push(message),
  });
  return { visible: catalogue.visible.map((each) => each.name), warnings };
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
  ])("%s", (_, option, recorded, visible) => {
    expect(names(option, recorded)).toEqual({ visible, warnings: [] });
  });

  it("takes away what a bare deny names, tools of the program too", () => {
    expect(names(["Read", "LS", probe], undefined, ["LS", "probe"]).visible).toEqual(["Read"]);
    expect(names(undefined, ["Read", "LS"], ["LS"]).visible).toEqual(["Read"]);
  });

  it("tells of a recorded tool that this program does not bring", () => {
    const { visible, warnings } = names(undefined, ["Read", "probe"]);
    expect(visible).toEqual(["Read"]);
    expect(warnings).toEqual([expect.stringContaining("probe")]);
  });

  it("refuses names that no tool has, and two tools of one name", () => {
    expect(() => names(["Reed"])).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => names([probe, made("probe").tool])).toThrow(
      expect.objectContaining({ code: "duplicate_tool" }),
    );
  });
});
