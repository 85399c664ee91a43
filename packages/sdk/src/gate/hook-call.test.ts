import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { hookCall, hookRunDeps, subjectOf } from "./hook-call.ts";
import { makeTool } from "./test-kit.ts";

const base = { session_id: "s", transcript_path: "/t", cwd: "/w", permission_mode: "default" } as const;
const deps = { hookInput: () => base };

describe("a call as hooks are told of it", () => {
  it("says what is called, with which input, and on whose behalf", () => {
    const tool = makeTool("send");
    const call = hookCall(tool, { a: 1 }, "call_1", deps, {});
    expect(call).toMatchObject({ input: { a: 1 }, toolUseId: "call_1", subject: { name: "send" } });
    expect(call.base()).toStrictEqual(base);
    expect(hookCall(tool, {}, "call_1", deps, { agentId: "agent_1" }).base()).toStrictEqual({
      ...base,
      agent_id: "agent_1",
    });
  });

  it("names the tool with its aliases, the known ones too, and its server", () => {
    const plain = subjectOf(makeTool("send", { aliases: ["post"] }));
    expect({ ...plain }).toStrictEqual({ name: "send", aliases: ["post"] });
    const known = subjectOf(makeTool("Agent"));
    expect(known.aliases).toContain("Task");
    expect(known.aliases).not.toContain("Agent");
    expect(subjectOf(makeTool("Read")).aliases).not.toContain("Task");
    const mcpInfo = { serverName: "server", toolName: "send" };
    expect(subjectOf(makeTool("mcp__server__send", { mcpInfo }))).toMatchObject({ server: "server" });
  });

  it("is run with the clock, and told of where it begins", () => {
    const platform = nodePlatform();
    const started = () => "run_1";
    expect(hookRunDeps({ platform, hookStarted: started })).toEqual({ clock: platform.clock, started });
    expect(hookRunDeps({ platform }).started).toBeUndefined();
  });
});
