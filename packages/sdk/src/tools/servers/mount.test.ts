import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../protocol/index.ts";
import { buildTool } from "../build-tool.ts";
import { createCatalogue } from "../catalogue.ts";
import { tool } from "../tool.ts";
import type { AnyTool } from "../types.ts";
import { createServer } from "./create-server.ts";
import { mountServer } from "./mount.ts";

const make = (name = "probe", extras: object = {}) =>
  tool(name, `Is ${name}.`, { n: "integer" }, () => ({ content: [] }), extras);

function mount(item: AnyTool, server: object = {}, key = "k"): ToolDefinition {
  const { instance } = createServer({ name: "own", tools: [item], ...server }, async () => undefined);
  const [definition] = mountServer(instance, key);
  if (definition === undefined) throw new Error("no tool");
  return definition;
}

const context = { cwd: "/", sessionId: "s", signal: new AbortController().signal, services: {} };

describe("a tool of a server", () => {
  it("has its full name, its origin, and its server as its target", () => {
    const definition = mount(make("probe", { aliases: ["old"] }));
    expect(definition).toMatchObject({
      name: "mcp__k__probe",
      aliases: ["mcp__k__old"],
      source: "mcp",
      mcpInfo: { serverName: "k", toolName: "probe" },
    });
    expect(definition.targets({}, context)).toEqual([{ kind: "mcp", server: "k", tool: "probe" }]);
    expect(definition.userFacingName({})).toBe("probe");
  });

  it("keeps its bare name without a prefix, and its origin", () => {
    expect(mount(make(), { prefix: false })).toMatchObject({
      name: "probe",
      mcpInfo: { serverName: "k", toolName: "probe" },
    });
  });

  it.each<readonly [object, readonly [boolean, boolean, boolean]]>([
    [{}, [false, true, true]],
    [{ readOnlyHint: true }, [true, false, true]],
    [{ destructiveHint: false, openWorldHint: false }, [false, false, false]],
    [{ readOnlyHint: true, destructiveHint: true }, [true, true, true]],
  ])("with the hints %o is read-only, destructive, open to the world: %o", (annotations, flags) => {
    const inServer = mount(make("probe", { annotations }));
    expect([inServer.isReadOnly({}), inServer.isDestructive({}), inServer.isOpenWorld({})]).toEqual(flags);
  });

  it("says no where its author said no, with a function as with a hint", () => {
    const definition = mount(make("probe", { isDestructive: () => false, isOpenWorld: () => false }));
    expect([definition.isDestructive({}), definition.isOpenWorld({})]).toEqual([false, false]);
    const lone = createCatalogue([mount(make())]).visible[0];
    expect(lone?.isDestructive({})).toBe(true);
  });

  it("keeps targets, risk, policy and limits of its own", () => {
    const definition = mount(
      make("probe", {
        riskLevel: "medium",
        permissionPolicy: "always_ask",
        targets: () => [{ kind: "name", value: "x" }],
        timeoutMs: 9,
      }),
      { timeout: 100 },
    );
    expect(definition).toMatchObject({ permissionPolicy: "always_ask", timeoutMs: 9 });
    expect(definition.riskLevel({})).toBe("medium");
    expect(definition.targets({}, context)).toEqual([{ kind: "name", value: "x" }]);
  });

  it("gets time-out and alwaysLoad of its server", () => {
    expect(mount(make(), { timeout: 100, alwaysLoad: true })).toMatchObject({
      timeoutMs: 100,
      alwaysLoad: true,
    });
    expect(mount(make("probe", { alwaysLoad: true }))).toMatchObject({ alwaysLoad: true });
    expect(mount(make("probe", { alwaysLoad: true }), { alwaysLoad: false })).toMatchObject({
      alwaysLoad: false,
    });
    expect(mount(make())).not.toHaveProperty("timeoutMs");
  });

  it("may be of the full contract too", () => {
    const built = buildTool({
      name: "b",
      description: "Is b.",
      inputSchema: {},
      call: () => ({ content: [] }),
    });
    expect(mount(built).name).toBe("mcp__k__b");
  });

  it("is made once for a server and key, also where many keys come and go", () => {
    const { instance } = createServer({ name: "own", tools: [make()] }, async () => undefined);
    const first = mountServer(instance, "a");
    expect(mountServer(instance, "a")).toBe(first);
    for (let i = 0; i < 100; i++) {
      expect(mountServer(instance, `k${i}`)[0]?.name).toBe(`mcp__k${i}__probe`);
    }
    const later = mountServer(instance, "a");
    expect(later[0]?.mcpInfo?.serverName).toBe("a");
    // It is not kept for ever: whoever takes keys from outside does not fill the memory.
    expect(later).not.toBe(first);
  });

  it("leaves the tool as it was: alone and in two servers it is three things", () => {
    const probe = make();
    const names = [mount(probe, {}, "a"), mount(probe, {}, "b")].map((definition) => definition.name);
    expect(names).toEqual(["mcp__a__probe", "mcp__b__probe"]);
    expect(probe.name).toBe("probe");
  });
});
