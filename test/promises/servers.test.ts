import {
  BUILTIN_TOOL_NAMES,
  createSdkMcpServer,
  isCastellanError,
  type Options,
  query,
  tool,
} from "@castellan/sdk";
import { type ScriptedModel, scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, run, scratch } from "../kit/session.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const probe = (name = "probe", extras: object = {}) =>
  tool(name, `Is ${name}.`, { n: "integer?" }, ({ n }) => text(`${name} ${n ?? ""}`.trim()), {
    riskLevel: "low",
    ...extras,
  });
const server = (name = "srv", names: readonly string[] = ["one", "two"], extras: object = {}) =>
  createSdkMcpServer({ name, tools: names.map((each) => probe(each)), ...extras });
const shown = (model: ScriptedModel): string[] => (model.requests[0]?.tools ?? []).map((each) => each.name);
const visible = async (options: Options): Promise<string[]> => shown((await run(["done"], options)).model);

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function statusOf(options: Options) {
  const session = query({
    prompt: "go",
    options: { model: scriptedModel(["done"]), cwd: scratch(), persistSession: false, ...options },
  });
  const [status, same] = await Promise.all([session.mcpServerStatus(), session.getMcpStatus()]);
  for await (const _ of session);
  expect(same).toEqual(status);
  return status;
}

describe("servers in this process", () => {
  it("Q12 the status shows annotations as readOnly, destructive, openWorld", async () => {
    const srv = createSdkMcpServer({
      name: "srv",
      tools: [
        probe("plain"),
        probe("reads", { annotations: { readOnlyHint: true, openWorldHint: false } }),
        probe("mild", { annotations: { destructiveHint: false } }),
        probe("both", { annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true } }),
      ],
    });
    const [status] = await statusOf({ mcpServers: { srv } });
    expect(status?.tools).toEqual([
      {
        name: "plain",
        description: "Is plain.",
        annotations: { readOnly: false, destructive: true, openWorld: true },
      },
      {
        name: "reads",
        description: "Is reads.",
        annotations: { readOnly: true, destructive: false, openWorld: false },
      },
      {
        name: "mild",
        description: "Is mild.",
        annotations: { readOnly: false, destructive: false, openWorld: true },
      },
      {
        name: "both",
        description: "Is both.",
        annotations: { readOnly: false, destructive: true, openWorld: true },
      },
    ]);
  });

  it("Q13 createSdkMcpServer takes a name, a version that is 1.0.0 by default, and tools", async () => {
    const plain = createSdkMcpServer({ name: "plain", tools: [probe()] });
    expect(plain).toMatchObject({ type: "sdk", name: "plain" });
    const status = await statusOf({
      mcpServers: { plain, other: server("other", [], { version: "4.5.6" }) },
    });
    expect(status).toMatchObject([
      {
        name: "plain",
        status: "connected",
        serverInfo: { name: "plain", version: "1.0.0" },
        tools: [{ name: "probe" }],
      },
      { name: "other", status: "connected", serverInfo: { name: "other", version: "4.5.6" }, tools: [] },
    ]);
    expect((await run(once("mcp__plain__probe", { n: 3 }), { mcpServers: { plain } })).texts).toEqual([
      "probe 3",
    ]);
  });

  it("Q14 an empty server name, an empty tool name, an empty description and a duplicate tool name are found at once", () => {
    const handler = () => text("");
    const wrong: readonly (readonly [() => unknown, RegExp])[] = [
      [() => createSdkMcpServer({ name: "" }), /name.*""/],
      [() => createSdkMcpServer({ name: "  " }), /name/],
      [() => createSdkMcpServer({ name: "s", tools: [tool("", "Is it.", {}, handler)] }), /name/],
      [() => createSdkMcpServer({ name: "s", tools: [tool("t", " ", {}, handler)] }), /"t".*description/],
      [
        () => createSdkMcpServer({ name: "s", tools: [probe("t"), probe("u"), probe("t")] }),
        /tools\[0\] and tools\[2\].*"t"/,
      ],
    ];
    for (const [act, message] of wrong) {
      const error = thrown(act);
      expect(isCastellanError(error)).toBe(true);
      expect(error).toMatchObject({
        message: expect.stringMatching(message),
        fix: expect.stringMatching(/\w/),
      });
    }
  });

  it("q15 in part: the model sees mcp__{server}__{tool}, and rules, canUseTool and hooks know it by that name", async () => {
    const risky = createSdkMcpServer({
      name: "own",
      tools: [probe("one", { riskLevel: "high" }), probe("two")],
    });
    const mcpServers = { srv: risky };
    expect(await visible({ tools: ["mcp__srv__one"], mcpServers })).toEqual(["mcp__srv__one"]);
    const asked: unknown[] = [];
    const canUseTool: Options["canUseTool"] = (name, _, { mcpServer }) => {
      asked.push([name, mcpServer]);
      return { behavior: "deny", message: "not today" };
    };
    const call = once("mcp__srv__one");
    expect((await run(call, { mcpServers, canUseTool })).texts[0]).toContain("not today");
    expect(asked).toEqual([["mcp__srv__one", "srv"]]);
    for (const rule of ["mcp__srv__one", "mcp__srv", "mcp__srv__*", "mcp__srv__o*"]) {
      expect((await run(call, { mcpServers, canUseTool, allowedTools: [rule] })).texts, rule).toEqual([
        "one",
      ]);
      expect(await visible({ mcpServers, disallowedTools: [rule] }), rule).not.toContain("mcp__srv__one");
    }
    for (const rule of ["mcp__srv__two", "mcp__other", "mcp__srv__o", "one", "mcp__*"]) {
      expect((await run(call, { mcpServers, canUseTool, allowedTools: [rule] })).texts[0], rule).toContain(
        "not today",
      );
    }
    for (const matcher of ["mcp__srv__one", "mcp__srv", "mcp__srv__.*", "one|mcp__srv__one", "^mcp__"]) {
      const seen: string[] = [];
      const hook = async (input: unknown) => {
        seen.push((input as { tool_name: string }).tool_name);
        return {};
      };
      await run(call, {
        mcpServers,
        allowedTools: ["mcp__srv"],
        hooks: { PreToolUse: [{ matcher, hooks: [hook] }] },
      });
      expect(seen, matcher).toEqual(["mcp__srv__one"]);
    }
  });

  it("Q17 tools narrows what is visible; those of servers stay unless it names an mcp__…, and [] leaves none", async () => {
    const mcpServers = { a: server("a"), b: server("b", ["one"]) };
    const all = ["mcp__a__one", "mcp__a__two", "mcp__b__one"];
    expect(await visible({ tools: ["Read"], mcpServers })).toEqual(["Read", ...all]);
    expect(await visible({ tools: ["Read", "mcp__a__two"], mcpServers })).toEqual(["Read", "mcp__a__two"]);
    expect(await visible({ tools: ["mcp__a"], mcpServers })).toEqual(["mcp__a__one", "mcp__a__two"]);
    expect(await visible({ tools: ["mcp__a__*", "mcp__b__one"], mcpServers })).toEqual(all);
    expect(await visible({ tools: [], mcpServers })).toEqual([]);
    const none = await run(once("mcp__a__one"), { tools: [], mcpServers });
    expect(none.texts[0]).toContain("No such tool");
    expect(await visible({ mcpServers })).toEqual(expect.arrayContaining(["Bash", ...all]));
  });

  it("Q34 the status names each server by its key, and one server serves several queries at once", async () => {
    const shared = server("own-name");
    const outcomes = await Promise.all(
      ["x", "y", "z"].map(async (key, n) => {
        const options: Options = { mcpServers: { [key]: shared } };
        const [status, outcome] = await Promise.all([
          statusOf(options),
          run(once(`mcp__${key}__one`, { n }), options),
        ]);
        const [init] = outcome.messages;
        return { names: status.map(({ name, status: how }) => [name, how]), texts: outcome.texts, init };
      }),
    );
    for (const [n, key] of ["x", "y", "z"].entries()) {
      expect(outcomes[n]).toMatchObject({
        names: [[key, "connected"]],
        texts: [`one ${n}`],
        init: { type: "system", subtype: "init", mcp_servers: [{ name: key, status: "connected" }] },
      });
    }
  });

  it("n11 in part: a bundle is one server; a non-tool is a TypeError; no further listing; bare names are possible", async () => {
    const bundle = server("bundle", ["look", "ask"], { prefix: false });
    expect(await visible({ tools: ["Read"], mcpServers: [bundle] })).toEqual(["Read", "ask", "look"]);
    expect((await run(once("look", { n: 2 }), { mcpServers: [bundle] })).texts).toEqual(["look 2"]);
    const error = thrown(() => createSdkMcpServer({ name: "s", tools: [{ name: "look" } as never] }));
    expect(error).toMatchObject({
      code: "invalid_tool",
      message: expect.stringMatching(/^TypeError: .*tools\[0\].*"look"/),
    });
  });

  it("C18 built-ins are one stable prefix, tools of servers behind them; a new one never changes the prefix", async () => {
    const builtins = BUILTIN_TOOL_NAMES.filter((name) => name !== "StructuredOutput");
    const first = async (mcpServers: NonNullable<Options["mcpServers"]>) =>
      (await run(["done"], { tools: [...builtins].reverse(), mcpServers })).model.requests[0]?.tools ?? [];
    const none = await first({});
    expect(none.map(({ name }) => name)).toEqual([...builtins].sort());
    for (const mcpServers of [{ z: server("z") }, { z: server("z"), A: server("A", ["Bash", "a"]) }]) {
      const tools = await first(mcpServers);
      expect(JSON.stringify(tools.slice(0, none.length))).toBe(JSON.stringify(none));
      const behind = tools.slice(none.length).map(({ name }) => name);
      expect(behind).toEqual([...behind].sort());
      expect(behind.length).toBeGreaterThan(1);
    }
    const bare = await first({ b: server("b", ["aaa", "Zzz"], { prefix: false }), a: server("a", ["x"]) });
    expect(bare.slice(none.length).map(({ name }) => name)).toEqual(["Zzz", "aaa", "mcp__a__x"]);
  });
});
