import { describe, expect, it } from "vitest";
import type { ResolvedTarget } from "../../protocol/index.ts";
import type { DecideCall, ToolFacts } from "../call.ts";
import { answer, bashCall, START, toolOf } from "../test-kit.ts";

const BYPASS = { mode: "bypassPermissions", isBypassAvailable: true } as const;

function toolCall(name: string, over: Partial<ToolFacts>, ...targets: ResolvedTarget[]): DecideCall {
  return { tool: toolOf(name, over), input: {}, targets };
}

describe("the names of a tool", () => {
  const own = { source: "custom" as const, aliases: ["Ship"] };

  it("count with its aliases, for every behaviour", () => {
    const call = toolCall("deploy", own);
    expect(answer(call)).toBe("ask");
    expect(answer(call, { allow: ["Ship"] })).toBe("allow");
    expect(answer(call, { allow: ["ship"] })).toBe("ask");
    expect(answer(call, { allow: ["deploy"] })).toBe("allow");
    expect(answer(call, { deny: ["SHIP"] }, BYPASS)).toBe("deny");
    expect(answer(call, { ask: ["Deploy"] }, BYPASS)).toBe("ask");
  });

  it("a server's tool borrows no allow rule by an alias", () => {
    const mcp = { server: "srv", tool: "x" };
    const call = toolCall("mcp__srv__x", { source: "mcp", mcp, aliases: ["Read"] }, { kind: "mcp", ...mcp });
    expect(answer(call, { allow: ["Read"] })).toBe("ask");
    expect(answer(call, { allow: ["mcp__srv__x"] })).toBe("allow");
    expect(answer(call, { deny: ["Read"] }, BYPASS)).toBe("deny");
  });
});

describe("the MCP names of a call", () => {
  const target = (server: string, tool: string): ResolvedTarget => ({ kind: "mcp", server, tool });
  const srv = { source: "mcp" as const, mcp: { server: "srv", tool: "x" } };

  it.each<[string, DecideCall, string, string]>([
    ["the tool itself", toolCall("short", srv), "mcp__srv__x", "deny"],
    ["another tool of the server", toolCall("short", srv), "mcp__srv__y", "allow"],
    ["its name, where nothing else is told", toolCall("mcp__srv__x", {}), "mcp__srv__x", "deny"],
    ["its name, where that differs", toolCall("mcp__srv__long", srv), "mcp__srv__long", "deny"],
    ["no name in the middle", toolCall("x_mcp__srv__x", {}), "mcp__srv__x", "allow"],
    ["a target", toolCall("ReadMcpResource", {}, target("srv", "r")), "mcp__srv__r", "deny"],
    ["a target beside the tool", toolCall("short", srv, target("srv", "y")), "mcp__srv__y", "deny"],
    ["a target of another server", toolCall("short", srv, target("two", "x")), "mcp__two__x", "deny"],
    ["the tool beside its target", toolCall("short", srv, target("two", "x")), "mcp__srv__x", "deny"],
    ["no target of a plain tool", toolCall("deploy", {}), "mcp__srv", "allow"],
  ])("%s", (_, call, text, want) => {
    expect(answer(call, { deny: [text] }, BYPASS)).toBe(want);
  });
});

describe("a shell that nobody looked into", () => {
  it.each([
    ["deploy", ["Bash"], "ask"],
    ["Bash", ["deploy"], "ask"],
    ["REPL", [], "ask"],
    ["deploy", ["Ship"], "allow"],
  ])("%s, also called %j: %s", (name, aliases, want) => {
    expect(answer(toolCall(name, { aliases }), { deny: ["Bash(rm:*)"] }, BYPASS)).toBe(want);
  });

  it("is none with an analysis", () => {
    expect(answer(bashCall("ls"), { deny: ["Bash(rm:*)"] }, BYPASS)).toBe("allow");
  });
});

describe("git that is trusted", () => {
  it("is trusted for each command by its own target", () => {
    const call = bashCall("git status; git log");
    const at = (...repositories: string[]): DecideCall => {
      const commands = call.targets.filter((target) => target.kind === "command");
      return {
        ...call,
        targets: commands.map((target, i) => ({ ...target, repository: repositories[i] ?? START })),
      };
    };
    expect(answer(at(START, START))).toBe("allow");
    expect(answer(at(START, "/w"))).toBe("ask");
    expect(answer(at("/w", START))).toBe("ask");
    expect(answer({ ...call, targets: [{ kind: "name", value: "x" }, ...call.targets] })).toBe("ask");
    const paths = bashCall("git status; cat a");
    expect(paths.targets.some(({ kind }) => kind === "path")).toBe(true);
    expect(answer(paths)).toBe("allow");
  });
});
