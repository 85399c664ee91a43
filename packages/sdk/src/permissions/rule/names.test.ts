import { describe, expect, it } from "vitest";
import { TOOL_NAME_ALIASES } from "../../protocol/index.ts";
import { canonicalName, familyOf, foldedName, WELL_KNOWN_TOOLS, wellKnownSpelling } from "./names.ts";

describe("names of tools", () => {
  it("mean another by the letter in allow, without case and blanks in deny", () => {
    expect(canonicalName("Task")).toBe("Agent");
    expect(canonicalName("task")).toBe("task");
    expect(canonicalName("Bash")).toBe("Bash");
    expect(foldedName("Task")).toBe("agent");
    expect(foldedName("task")).toBe("agent");
    expect(foldedName("Agent")).toBe("agent");
    expect(foldedName(" t A\tsk ")).toBe("agent");
    expect(foldedName(" B a  sh ")).toBe("bash");
    expect(foldedName("B a\n sh")).toBe("bash");
    expect(foldedName("B a\n sh")).toBe("bash");
    expect(foldedName("Deploy It")).toBe("deployit");
    for (const [alias, name] of Object.entries(TOOL_NAME_ALIASES)) {
      expect(canonicalName(alias)).toBe(name);
      expect(foldedName(alias)).toBe(name.toLowerCase());
      expect(wellKnownSpelling(alias.toLowerCase())).toBe(alias);
    }
  });

  it("are folded anew, however many came in between", () => {
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 1_100; i += 1) expect(foldedName(`Tool ${i}`)).toBe(`tool${i}`);
    }
    expect(foldedName("Tool 3")).toBe("tool3");
    expect(foldedName("TASK")).toBe("agent");
  });

  it.each([
    ["Bash", "bash"],
    ["b ASH", "bash"],
    ["b ash", "bash"],
    ["Read", "read"],
    ["Glob", "read"],
    ["Grep", "read"],
    ["LS", "read"],
    ["Edit", "edit"],
    ["Write", "edit"],
    ["MultiEdit", "edit"],
    ["NotebookEdit", "edit"],
    ["WebFetch", "domain"],
    ["Agent", "agent"],
    ["Task", "agent"],
    ["*", "any"],
    [" * ", "any"],
    ["mcp__srv__x", "mcp"],
    ["MCP__srv", "mcp"],
    ["mcp__x", "mcp"],
    ["MCP__x", "mcp"],
    ["mcp_srv", "name"],
    ["x_mcp__srv", "name"],
    ["Skill", "name"],
    ["deploy", "name"],
    ["constructor", "name"],
    ["__proto__", "name"],
  ])("have a grammar: %j is %s", (name, family) => {
    expect(familyOf(name)).toBe(family);
  });

  it("are spelled in one way", () => {
    for (const name of WELL_KNOWN_TOOLS) expect(wellKnownSpelling(name.toUpperCase())).toBe(name);
    expect(wellKnownSpelling(" web\tFetch ")).toBe("WebFetch");
    expect(wellKnownSpelling("b a  SH")).toBe("Bash");
    expect(wellKnownSpelling("deploy")).toBeUndefined();
    expect(wellKnownSpelling("constructor")).toBeUndefined();
    expect(new Set(WELL_KNOWN_TOOLS).size).toBe(WELL_KNOWN_TOOLS.length);
  });
});
