import { describe, expect, it } from "vitest";
import { contextOf } from "../test-kit.ts";
import { compilePolicy } from "./compile.ts";
import { misnamedServers } from "./misnamed-servers.ts";

const SERVERS = [
  { key: "shop", name: "orders" },
  { key: "mail", name: "mail" },
  { key: "my files", name: "disk one" },
];

function told(rules: Parameters<typeof contextOf>[0], servers: typeof SERVERS = SERVERS): string[] {
  return misnamedServers(compilePolicy(contextOf(rules)), servers).map(
    ({ severity, text, fix }) => `${severity} ${text}: ${fix}`,
  );
}

describe("rules that mean a server by its own name", () => {
  it.each<[Parameters<typeof contextOf>[0], string[]]>([
    [{ allow: ["mcp__orders"] }, ["warning mcp__orders: Write mcp__shop."]],
    [{ deny: ["mcp__orders__*"] }, ["error mcp__orders__*: Write mcp__shop__*."]],
    [{ ask: ["mcp__orders__get_*"] }, ["error mcp__orders__get_*: Write mcp__shop__get_*."]],
    [{ deny: ["mcp__disk_one__read"] }, ["error mcp__disk_one__read: Write mcp__my_files__read."]],
    [{ deny: ["mcp__disk one"] }, ["error mcp__disk one: Write mcp__my_files."]],
    [{ deny: ["mcp__shop", "mcp__shop__x", "mcp__mail", "mcp__my_files", "mcp__my files__x"] }, []],
    [{ deny: ["mcp__order", "mcp__orders2", "mcp__later__x", "mcp__*", "orders", "Bash"] }, []],
  ])("%o", (rules, findings) => {
    expect(told(rules)).toEqual(findings);
  });

  it("are right where another server has that name as its key", () => {
    expect(told({ deny: ["mcp__orders"] }, [...SERVERS, { key: "orders", name: "other" }])).toEqual([]);
    expect(told({ deny: ["mcp__orders"] }, [])).toEqual([]);
  });
});
