import { createSdkMcpServer, type Options, query, tool } from "@castellan/sdk";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { hurriedClock } from "../kit/hurried-clock.ts";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const echo = (name = "echo", extras: object = {}) =>
  tool(name, `Is ${name}.`, { n: "integer" }, ({ n }) => text(`${name} ${n}`), {
    riskLevel: "low",
    annotations: { readOnlyHint: true },
    ...extras,
  });
const warningsOf = (messages: readonly { type: string; subtype?: string; message?: unknown }[]) =>
  messages.flatMap((each) => (each.subtype === "notification" ? [String(each.message)] : []));

describe("what befell others", () => {
  it("C080: a call that takes minutes gives its result; nothing counts the time", async () => {
    const hurried = hurriedClock();
    const slow = tool(
      "slow",
      "Takes its time.",
      {},
      () =>
        new Promise<ReturnType<typeof text>>((resolve) => {
          hurried.clock.timer(600_000, () => resolve(text("there at last")));
        }),
      { riskLevel: "low" },
    );
    async function* prompts() {
      yield { type: "user" as const, message: { role: "user" as const, content: "go" } };
    }
    const session = query({
      prompt: prompts(),
      options: {
        model: scriptedModel(once("mcp__srv__slow")),
        cwd: scratch(),
        persistSession: false,
        platform: { clock: hurried.clock },
        mcpServers: { srv: createSdkMcpServer({ name: "srv", tools: [slow] }) },
      },
    });
    const seen = [];
    for await (const message of session) if (message.type === "user") seen.push(resultBlock(message));
    expect(seen).toMatchObject([{ content: "there at last" }]);
    expect(seen[0]?.is_error).not.toBe(true);
    expect(hurried.waits).toContain(600_000);
  });

  it("C081: two calls of one server at once both get their results, under their own ids, whichever ends first", async () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const gates = new Map<string, () => void>();
      const wait = tool(
        "wait",
        "Waits.",
        { name: "string" },
        async ({ name }) => {
          const opened = new Promise<void>((resolve) => gates.set(name, resolve));
          if (gates.size === 2) for (const next of order) setImmediate(() => gates.get(next)?.());
          await opened;
          return text(`this is ${name}`);
        },
        { riskLevel: "low", annotations: { readOnlyHint: true } },
      );
      const calls = ["a", "b"].map((name) => ({
        id: `call-${name}`,
        name: "mcp__srv__wait",
        input: { name },
      }));
      const { users, result } = await run([{ toolCalls: calls }, "done"], {
        mcpServers: [createSdkMcpServer({ name: "srv", tools: [wait] })],
      });
      const results = users.map(resultBlock).map((block) => [block.tool_use_id, block.content]);
      expect(results.sort()).toEqual([
        ["call-a", "this is a"],
        ["call-b", "this is b"],
      ]);
      expect(result.subtype).toBe("success");
    }
  });

  it("C153: a server made again of the same tools gives the same bytes, and so does the next query", async () => {
    const bytes = [];
    for (let i = 0; i < 3; i++) {
      const tools = [
        echo("b"),
        tool("a", "Is a.", { z: "string", a: ["integer"], m: { y: "number?" } }, () => text("")),
      ];
      const srv = createSdkMcpServer({ name: "srv", instructions: "Be brief.", tools });
      for (const mcpServers of [{ srv }, { srv }, [srv]]) {
        const { model } = await run(["done"], { cwd: "/tmp", mcpServers });
        bytes.push(JSON.stringify([model.requests[0]?.tools, model.requests[0]?.system]));
      }
    }
    expect(bytes[0]).toContain('"mcp__srv__a"');
    expect(new Set(bytes).size).toBe(1);
  });

  it("C307: a handler that throws, however, is one error result; its server and the run go on", async () => {
    const late: unknown[] = [];
    const handlers: Readonly<Record<string, () => unknown>> = {
      throws: () => {
        throw new Error("out of order");
      },
      throws_text: () => {
        throw "a bare text";
      },
      rejects: () => Promise.reject(new Error("rejected it")),
      nothing: () => undefined,
      content_text: () => ({ content: "x" }),
      later: () => {
        const rejected = new Promise((_, reject) => setImmediate(() => reject(new Error("too late"))));
        rejected.catch((error: unknown) => late.push(error));
        return text("gone on");
      },
      fine: () => text("fine"),
    };
    const tools = Object.entries(handlers).map(([name, give]) =>
      tool(name, `Does ${name}.`, {}, give as never, { riskLevel: "low" }),
    );
    const names = Object.keys(handlers);
    const { users, texts, result } = await run(
      [{ toolCalls: names.map((name) => ({ name: `mcp__srv__${name}` })) }, ...once("mcp__srv__fine")],
      { mcpServers: { srv: createSdkMcpServer({ name: "srv", tools }) } },
    );
    const wanted = [
      /^out of order$/,
      /a bare text/,
      /^rejected it$/,
      /returned nothing/,
      /content must be a list/,
      /^gone on$/,
      /^fine$/,
      /^fine$/,
    ];
    expect(texts).toHaveLength(wanted.length);
    for (const [i, pattern] of wanted.entries()) {
      expect(texts[i]).toMatch(pattern);
      expect(texts[i]).not.toMatch(/\bat .*:\d+:\d+/);
      expect(resultBlock(users[i]).is_error === true).toBe(i < 5);
    }
    expect(result).toMatchObject({ subtype: "success", result: "done" });
    await expect.poll(() => late).toHaveLength(1);
  });
});

describe("one server in many queries", () => {
  it("50 at once with 1,000 calls in parallel: each its own result, the server as it was, nothing left over", async () => {
    const calls: number[] = [];
    const seen = new Map<string, Set<string>>();
    const add = tool(
      "add",
      "Adds.",
      { a: "integer", b: "integer" },
      async ({ a, b }, { sessionId, toolUseId }) => {
        calls.push(a);
        seen.set(sessionId, (seen.get(sessionId) ?? new Set()).add(toolUseId));
        for (let i = 0; i < (a * 7 + b) % 5; i++) await new Promise(setImmediate);
        return { ...text(`${a}+${b}=${a + b}`), structuredContent: { a, b } };
      },
      { riskLevel: "low", annotations: { readOnlyHint: true } },
    );
    const srv = createSdkMcpServer({ name: "srv", tools: [add] });
    const before = process.getActiveResourcesInfo().length;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, a) =>
        run(
          [
            {
              toolCalls: Array.from({ length: 20 }, (_, b) => ({
                id: `s${a}c${b}`,
                name: "mcp__srv__add",
                input: { a, b },
              })),
            },
            "done",
          ],
          { mcpServers: { srv } },
        ),
      ),
    );
    for (const [a, { users, result }] of outcomes.entries()) {
      expect(result.subtype).toBe("success");
      const got = new Map(users.map((message) => [resultBlock(message).tool_use_id, message]));
      expect(got.size).toBe(20);
      for (let b = 0; b < 20; b++) {
        const message = got.get(`s${a}c${b}`);
        expect(resultBlock(message).content).toBe(`${a}+${b}=${a + b}`);
        expect(message?.tool_use_result).toEqual({ a, b });
      }
    }
    expect(calls).toHaveLength(1_000);
    expect([...seen.values()].map((ids) => ids.size)).toEqual(Array(50).fill(20));
    expect(Object.keys(srv.instance)).toEqual(["name", "version", "tools", "prefix", "connect"]);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 1);
  });

  it("of the end of one query the others feel nothing", async () => {
    let begun = 0;
    const reasons: unknown[] = [];
    const release: (() => void)[] = [];
    const wait = tool(
      "wait",
      "Waits.",
      {},
      async (_, { signal }) => {
        begun += 1;
        await new Promise<void>((resolve) => {
          release.push(resolve);
          signal.addEventListener("abort", () => {
            reasons.push((signal.reason as { code: string }).code);
            resolve();
          });
        });
        return text("waited");
      },
      { riskLevel: "low" },
    );
    const srv = createSdkMcpServer({ name: "srv", tools: [wait] });
    const sessions = [0, 1, 2].map(() =>
      query({
        prompt: "go",
        options: {
          model: scriptedModel(once("mcp__srv__wait")),
          cwd: scratch(),
          persistSession: false,
          mcpServers: { srv },
        },
      }),
    );
    while (begun < 3) await new Promise(setImmediate);
    await sessions[0]?.close();
    expect(reasons).toEqual(["close"]);
    for (const go of release) go();
    for (const session of sessions.slice(1)) {
      let last: unknown;
      for await (const message of session) last = message;
      expect(last).toMatchObject({ type: "result", subtype: "success" });
    }
    expect(reasons).toEqual(["close"]);
  });
});

describe("what a server says of itself", () => {
  it("its instructions stand in the system prompt as long as one of its tools is seen", async () => {
    const mcpServers = {
      a: createSdkMcpServer({ name: "A", instructions: "Ask before you sell.", tools: [echo()] }),
      b: createSdkMcpServer({ name: "B", tools: [echo()] }),
    };
    const systemOf = async (options: Options) =>
      (await run(["done"], { mcpServers, ...options })).model.requests[0]?.system;
    expect(await systemOf({ systemPrompt: "Mine.", appendSystemPrompt: "More." })).toEqual([
      "Mine.",
      "More.",
      expect.stringMatching(/\ba\b[\s\S]*Ask before you sell\./),
    ]);
    expect(await systemOf({ systemPrompt: "Mine.", tools: ["mcp__b"] })).toEqual(["Mine."]);
    expect(await systemOf({ systemPrompt: "Mine.", tools: [] })).toEqual(["Mine."]);
  });

  it("its time-out holds for tools without one, and the call's result says so", async () => {
    const never = tool("never", "Never ends.", {}, () => new Promise<never>(() => undefined), {
      riskLevel: "low",
    });
    const srv = createSdkMcpServer({ name: "srv", timeout: 30, tools: [never] });
    const { texts, users } = await run(once("mcp__srv__never"), { mcpServers: { srv } });
    expect(texts[0]).toContain("30 ms");
    expect(resultBlock(users[0]).is_error).toBe(true);
  });

  it("a rule by the name that it gives itself is told of with the right one, and binds nothing", async () => {
    const mcpServers = { shop: createSdkMcpServer({ name: "orders", tools: [echo()] }) };
    const options = { mcpServers, allowedTools: ["mcp__orders__echo"], disallowedTools: ["mcp__orders"] };
    const { messages, texts } = await run(once("mcp__shop__echo", { n: 1 }), options);
    const notes = messages.filter(
      (message) => message.type === "system" && message.subtype === "notification",
    );
    expect(notes).toMatchObject([
      {
        level: "warning",
        message: expect.stringMatching(/mcp__orders__echo.*key shop.*Write mcp__shop__echo\./),
      },
      { level: "error", message: expect.stringMatching(/mcp__orders .*key shop.*Write mcp__shop\./) },
    ]);
    expect(texts).toEqual(["echo 1"]);
    expect(() => query({ prompt: "go", options: { mcpServers, tools: ["mcp__orders__echo"] } })).toThrow(
      expect.objectContaining({ code: "invalid_option", fix: expect.stringContaining("mcp__shop__echo") }),
    );
  });

  it("a name in tools that no server has is told of", async () => {
    const mcpServers = { shop: createSdkMcpServer({ name: "shop", tools: [echo()] }) };
    const { messages, model } = await run(["done"], { mcpServers, tools: ["mcp__shop__eco"] });
    expect(warningsOf(messages)).toEqual([expect.stringContaining("mcp__shop__eco")]);
    expect(model.requests[0]?.tools).toEqual([]);
  });
});
