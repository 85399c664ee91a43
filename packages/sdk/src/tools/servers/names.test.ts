import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcpToolNames } from "./names.ts";

const numRuns = Number(process.env.CASTELLAN_RUNS ?? 200);
const nameOf = (key: string, tool: string): string => mcpToolNames(key, [tool]).get(tool) ?? "";

describe("the names of a server's tools", () => {
  it.each([
    ["shop", "look_up", "mcp__shop__look_up"],
    ["my shop", "look.up", "mcp__my_shop__look_up"],
    ["größe/ß", "tool", "mcp__gr__e____tool"],
    ["😀", "x", "mcp_____x"],
    ["a", "constructor", "mcp__a__constructor"],
    ["__proto__", "x", "mcp____proto____x"],
  ])("%s and %s give %s", (key, tool, name) => {
    expect(nameOf(key, tool)).toBe(name);
  });

  it("keeps 64 characters, and shortens one more with a hash that tells tools and servers apart", () => {
    const fits = "x".repeat(64 - "mcp__s__".length);
    expect(nameOf("s", fits)).toBe(`mcp__s__${fits}`);
    const [a, b] = ["a", "b"].map((last) => nameOf("s", "x".repeat(99) + last));
    expect(a).toMatch(/^mcp__s__x{45}_[0-9a-f]{10}$/);
    expect(a).toHaveLength(64);
    expect(b).not.toBe(a);
    expect(nameOf("t", `${"x".repeat(99)}a`)).not.toBe(a?.replace("mcp__s", "mcp__t"));
  });

  it("is pinned: a stored rule must mean the same tool in the next release", () => {
    expect(nameOf("k".repeat(70), "t")).toBe(`mcp__${"k".repeat(48)}_5ddfb8e6d1`);
  });

  it("never gives one name to two tools of a server, whatever they are called, and does not mind the order", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "_", ".", " ", "/", "é"),
      minLength: 1,
      maxLength: 70,
    });
    fc.assert(
      fc.property(text, fc.uniqueArray(text, { maxLength: 8 }), (key, tools) => {
        const names = mcpToolNames(key, tools);
        expect(new Set(names.values()).size).toBe(tools.length);
        for (const name of names.values()) expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
        const turned = mcpToolNames(key, [...tools].reverse());
        for (const tool of tools) expect(turned.get(tool)).toBe(names.get(tool));
      }),
      { numRuns },
    );
  });

  it("leaves the tool its name that needed no change", () => {
    const names = mcpToolNames("s", ["x.y", "x_y", "x y"]);
    expect(names.get("x_y")).toBe("mcp__s__x_y");
    expect(names.get("x.y")).toMatch(/^mcp__s__x_y_[0-9a-f]{10}$/);
    expect(names.get("x y")).not.toBe(names.get("x.y"));
  });
});
