import { describe, expect, it } from "vitest";
import { foldHost, matchesHost, parseHostPattern } from "./host-pattern.ts";
import {
  foldedMcpNames,
  foldMcpName,
  mcpAllowFault,
  mcpAllows,
  mcpBinder,
  mcpBinds,
  mcpNames,
} from "./mcp-name.ts";

describe("MCP rules", () => {
  it.each([
    ["mcp__srv", "srv", "get_x", true],
    ["mcp__srv__*", "srv", "get_x", true],
    ["mcp__srv__get_*", "srv", "get_x", true],
    ["mcp__srv__get_*", "srv", "set_x", false],
    ["mcp__srv__get_x", "srv", "get_x", true],
    ["mcp__srv", "srv2", "get_x", false],
    ["mcp__s*", "srv", "get_x", false],
    ["mcp__*", "srv", "get_x", false],
    ["mcp__SRV", "srv", "get_x", false],
    ["mcp__a__b", "a", "b", true],
    ["mcp__a__b", "a__b", "c", true],
    ["mcp__a__b__c", "a", "b__c", true],
    ["mcp__my_server", "my server", "x", true],
    ["mcp__srv__a_b", "srv", "a b", true],
  ])("allow: %s on %s/%s is %s", (rule, server, tool, want) => {
    expect(mcpAllows(rule, { server, tool })).toBe(want);
  });

  it.each([
    ["mcp__srv", "mcp__srv__x", true],
    ["mcp__srv", "mcp__srv2__x", false],
    ["mcp__*", "mcp__srv2__x", true],
    ["mcp__s*__x", "mcp__srv__x", true],
    ["MCP__SRV", "mcp__srv__x", true],
    ["mcp__srv ", "mcp__srv__x", true],
    ["mcp__a__b", "mcp__a__b__c", true],
    ["mcp__a", "mcp__a__b__c", true],
    ["mcp__srv__get_*", "mcp__srv__get_x", true],
    ["mcp__srv__get_*", "mcp__srv__set_x", false],
    ["mcp__srv", "Bash", false],
  ])("deny: %s on %s is %s", (rule, name, want) => {
    expect(mcpBinds(mcpBinder(rule), [foldMcpName(name)])).toBe(want);
  });

  it("binds by whatever it would allow by", () => {
    for (const server of ["srv", "my server", "a__b"]) {
      for (const rule of [`mcp__${server}`, `mcp__${server.replace(/ /g, "_")}__*`, `mcp__${server}__x`]) {
        if (mcpAllows(rule, { server, tool: "x" })) {
          expect(mcpBinds(mcpBinder(rule), mcpNames({ server, tool: "x" }).map(foldMcpName)), rule).toBe(
            true,
          );
        }
      }
    }
  });

  it("tells which allow rules name nothing", () => {
    expect(mcpAllowFault("mcp__*")).toMatch(/in full/);
    expect(mcpAllowFault("mcp__")).toMatch(/no server/);
    expect(mcpAllowFault("mcp__srv__*")).toBeUndefined();
  });
});

describe("domain rules", () => {
  it.each([
    ["domain:example.com", "example.com", true, true],
    ["domain:example.com", "EXAMPLE.com.", true, true],
    ["domain:example.com", "a.example.com", false, false],
    ["domain:example.com", "notexample.com", false, false],
    ["domain:*.example.com", "a.b.example.com", true, true],
    ["domain:*.example.com", "example.com", false, true],
    ["domain:*.example.com", "badexample.com", false, false],
    ["domain:*", "anything", true, true],
    ["domain:b\u00fccher.de", "xn--bcher-kva.de", true, true],
    ["domain:xn--bcher-kva.de", "B\u00dcCHER.de", true, true],
    ["domain:127.0.0.1", "127.0.0.1", true, true],
    ["domain:127.0.0.1", "2130706433", true, true],
    ["domain:::1", "[::1]", true, true],
  ])("%s on %s: allow %s, deny %s", (specifier, host, allow, deny) => {
    const pattern = parseHostPattern(specifier);
    if ("error" in pattern) throw new Error(pattern.error);
    expect(matchesHost(pattern, foldHost(host), false)).toBe(allow);
    expect(matchesHost(pattern, foldHost(host), true)).toBe(deny);
  });

  it("keeps a host that is none as it is", () => {
    expect(foldHost("a b")).toBe("a b");
    expect(foldHost("")).toBe("");
  });
});

it("the folded names of a tool are those of this server and tool, also where others end alike", () => {
  const pairs = [
    ["a", "b__c"],
    ["a__b", "c"],
    ["a\nb", "c"],
    ["a", "\nbc"],
    ["1 a", "b"],
    ["1", " ab"],
    ["A b", "C"],
  ] as const;
  for (let again = 0; again < 2; again++) {
    for (const [server, tool] of pairs) {
      expect(foldedMcpNames(server, tool)).toEqual(mcpNames({ server, tool }).map(foldMcpName));
    }
  }
});

describe("the exact forms", () => {
  it.each([
    [" Example.COM. ", "example.com"],
    ["example.com...", "example.com"],
    ["b\u00fccher.example", "xn--bcher-kva.example"],
    ["::1", "[::1]"],
    ["[::1]", "[::1]"],
    ["127.1", "127.0.0.1"],
    ["a/b", "a/b"],
    ["user@host", "user@host"],
    ["a b", "a b"],
    ["a?b", "a?b"],
    ["", ""],
  ])("of the host %j is %j", (host, folded) => {
    expect(foldHost(host)).toBe(folded);
  });

  it("of a domain rule are these", () => {
    expect(parseHostPattern("domain:*")).toEqual({ every: true, below: false, host: "" });
    expect(parseHostPattern("domain: *.Example.com ")).toEqual({
      every: false,
      below: true,
      host: "example.com",
    });
    expect(parseHostPattern("domain:a.com")).toEqual({ every: false, below: false, host: "a.com" });
    const star = { error: "`*` may stand only as `*` or at the start as `*.`" };
    for (const text of ["*.", "*.*", "a.*", "a*b"]) expect(parseHostPattern(`domain:${text}`)).toEqual(star);
    const held = { error: "a domain holds no path, blank or user" };
    for (const text of ["a/b", "a b", "u@a"]) expect(parseHostPattern(`domain:${text}`)).toEqual(held);
    expect(parseHostPattern("domain: ")).toEqual({ error: "`domain:` names no host" });
    expect(parseHostPattern("a.com")).toEqual({ error: "a WebFetch specifier reads `domain:<host>`" });
  });

  it("of an MCP name are these", () => {
    expect(mcpAllows("mcp__srv", { server: "srv" })).toBe(true);
    expect(mcpAllows("mcp__srv__*", { server: "srv" })).toBe(true);
    expect(mcpAllows("mcp__srv__x", { server: "srv" })).toBe(false);
    expect(mcpAllows("abc__srv__x", { server: "srv", tool: "x" })).toBe(false);
    expect(mcpAllows("mcp__", { server: "", tool: "x" })).toBe(false);
    expect(mcpAllows("mcp____*", { server: "", tool: "x" })).toBe(false);
    expect(foldMcpName("MCP __ a  b")).toBe("mcp__ab");
    expect(mcpNames({ server: "s" })).toEqual(["mcp__s"]);
    expect(mcpNames({ server: "my s", tool: "x" })).toEqual(["mcp__my s__x", "mcp__my_s__x"]);
    expect(foldedMcpNames("My s", "X")).toEqual(["mcp__mys__x", "mcp__my_s__x"]);
    expect(foldedMcpNames("My s", "X")).toBe(foldedMcpNames("My s", "X"));
    expect(foldedMcpNames("a", "bc")).not.toEqual(foldedMcpNames("ab", "c"));
    expect(mcpAllowFault("mcp__a*__x")).toBe("an allow rule must name its server in full");
    expect(mcpAllowFault("mcp__a__x*")).toBeUndefined();
    expect(mcpAllowFault("mcp____x")).toBe("it names no server");
  });
});
