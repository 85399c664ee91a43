import { expect, describe as group, it } from "vitest";
import { z } from "zod";
import { isCastellanError } from "../protocol/index.ts";
import { definitionOf, isTool } from "./brand.ts";
import { buildTool } from "./build-tool.ts";
import { invokeTool } from "./invoke-tool.ts";
import { tool } from "./tool.ts";
import type { HandlerContext } from "./types.ts";

const ok = () => ({ content: [] });
const make = tool as (...args: unknown[]) => unknown;
const build = buildTool as (draft: unknown) => unknown;
const spec = {
  name: "weather",
  version: "2.0.0",
  description: "Tells the weather.",
  inputSchema: {},
  execute: ok,
};
const draft = { name: "weather", description: "Tells the weather.", inputSchema: {}, call: ok };

/** What cannot be a tool, and words that its error must hold: tool, field, fix. */
const BAD: readonly (readonly [name: string, build: () => unknown, ...words: string[]])[] = [
  ["no arguments", () => make(), '"name"', "missing"],
  ["an empty name", () => make("", "d", {}, ok), '"name"'],
  ["a blank name", () => make("  ", "d", {}, ok), '"name"'],
  ["a name with a dot", () => make("a.b", "d", {}, ok), '"a.b"', "letters, digits, _ or -"],
  ["a name of 65 characters", () => make("x".repeat(65), "d", {}, ok), "64"],
  ["a name that is a number", () => make(5, "d", {}, ok), '"name"', "5 cannot stand here"],
  ["an empty description", () => make("t", "", {}, ok), '"t"', '"description"', "not blank"],
  ["a blank description", () => make("t", " \n", {}, ok), '"description"'],
  ["no description", () => make("t", undefined, {}, ok), '"description"', "missing"],
  ["no schema", () => make("t", "d", undefined, ok), '"inputSchema"'],
  ["no handler", () => make("t", "d", {}), '"handler"', "missing"],
  ["a handler that is none", () => make("t", "d", {}, "x"), '"handler"', "no function"],
  ["extras that are none", () => make("t", "d", {}, ok, "low"), '"extras"'],
  [
    "an unknown extra",
    () => make("t", "d", {}, ok, { riskLvel: "low" }),
    '"riskLvel"',
    "Did you mean riskLevel?",
  ],
  ["an extra that is far from all", () => make("t", "d", {}, ok, { zzzzzz: 1 }), "The fields are"],
  ["a name among the extras", () => make("t", "d", {}, ok, { name: "u" }), '"name"'],
  [
    "a risk level outside the three",
    () => make("t", "d", {}, ok, { riskLevel: "severe" }),
    '"riskLevel"',
    "severe",
    '"low", "medium", "high"',
  ],
  ["a policy outside the three", () => make("t", "d", {}, ok, { permissionPolicy: "allow" }), "always_allow"],
  [
    "a hint that is no flag",
    () => make("t", "d", {}, ok, { annotations: { readOnlyHint: "yes" } }),
    "annotations.readOnlyHint",
    "true or false",
  ],
  [
    "an unknown hint",
    () => make("t", "d", {}, ok, { annotations: { readonlyHint: true } }),
    "Did you mean readOnlyHint?",
  ],
  ["annotations that are a list", () => make("t", "d", {}, ok, { annotations: [] }), '"annotations"'],
  ["a time-out of nothing", () => make("t", "d", {}, ok, { timeoutMs: 0 }), '"timeoutMs"', "from 1 on"],
  ["a time-out that is a text", () => make("t", "d", {}, ok, { timeoutMs: "5s" }), '"timeoutMs"'],
  [
    "a size that is no whole number",
    () => make("t", "d", {}, ok, { maxResultSizeChars: 1.5 }),
    '"maxResultSizeChars"',
  ],
  [
    "two sizes",
    () => make("t", "d", {}, ok, { maxResultSizeChars: 5, annotations: { maxResultSizeChars: 6 } }),
    "5 beside",
    "6 among",
  ],
  ["an alias that is no name", () => make("t", "d", {}, ok, { aliases: ["a b"] }), '"aliases"'],
  ["aliases that are a text", () => make("t", "d", {}, ok, { aliases: "a" }), '"aliases"'],
  ["targets that are a list", () => make("t", "d", {}, ok, { targets: [] }), '"targets"', "a function"],
  ["a version that is a number", () => make("t", "d", {}, ok, { version: 1 }), '"version"'],
  [
    "object form: no version",
    () => make({ ...spec, version: undefined }),
    '"weather"',
    '"version"',
    '"1.0.0"',
  ],
  ["object form: no name", () => make({ ...spec, name: undefined }), '"name"'],
  ["object form: no description", () => make({ ...spec, description: "" }), '"description"'],
  ["object form: no schema", () => make({ ...spec, inputSchema: undefined }), '"inputSchema"'],
  ["object form: no handler", () => make({ ...spec, execute: undefined }), '"execute"', "missing"],
  ["object form: two handlers", () => make({ ...spec, handler: ok }), "execute and handler"],
  ["object form: a grant of its own", () => make({ ...spec, allowedByItself: true }), '"allowedByItself"'],
  ["buildTool: nothing", () => build(undefined), "one object"],
  ["buildTool: no call", () => build({ ...draft, call: undefined }), '"call"', "missing"],
  ["buildTool: execute", () => build({ ...draft, execute: ok }), '"execute"'],
  ["buildTool: an unknown source", () => build({ ...draft, source: "builtn" }), '"source"', "builtin"],
  [
    "buildTool: half an origin",
    () => build({ ...draft, mcpInfo: { serverName: "s" } }),
    '"mcpInfo"',
    "toolName",
  ],
];

group("what cannot be a tool", () => {
  it.each(BAD.map(([name, attempt, ...words]) => ({ name, attempt, words })))(
    "$name",
    ({ attempt, words }) => {
      let thrown: unknown;
      try {
        attempt();
      } catch (error) {
        thrown = error;
      }
      if (!isCastellanError(thrown, "invalid_tool")) throw new Error(`not refused: ${String(thrown)}`);
      for (const word of words) expect(thrown.message).toContain(word);
      expect(thrown.fix).toBeTruthy();
    },
  );

  it("a schema that cannot be one names the tool", () => {
    expect(() => tool("when", "d", { at: z.date() }, ok)).toThrow(/Tool "when".*JSON Schema/);
  });
});

group("what tool() gives back", () => {
  const weather = tool(
    "get_weather",
    "Tells the weather.",
    { city: "string" },
    ({ city }) => ({ content: [{ type: "text", text: `Sunny in ${city}` }] }),
    {
      annotations: { readOnlyHint: true, title: "Weather" },
      riskLevel: "low",
      version: "1.2.0",
      maxResultSizeChars: 9_000,
    },
  );

  it("has the public shape, and its handler is the author's", () => {
    expect(weather).toEqual({
      name: "get_weather",
      version: "1.2.0",
      riskLevel: "low",
      description: "Tells the weather.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      annotations: { readOnlyHint: true, title: "Weather" },
      ref: { name: "get_weather", version: "1.2.0", riskLevel: "low" },
      _meta: { "anthropic/maxResultSizeChars": 9_000 },
      handler: expect.any(Function),
    });
  });

  it("is the same for the positional and the object form", () => {
    const other = tool({ ...spec, riskLevel: "medium" });
    expect(other.ref).toEqual({ name: "weather", version: "2.0.0", riskLevel: "medium" });
    expect(other).not.toHaveProperty("_meta");
    expect(
      tool("weather", "Tells the weather.", {}, ok, { version: "2.0.0", riskLevel: "medium" }).ref,
    ).toEqual(other.ref);
  });

  it("is of version 1.0.0 and high risk unless said", () => {
    expect(tool("t", "d", {}, ok).ref).toEqual({ name: "t", version: "1.0.0", riskLevel: "high" });
    expect(tool("t", "d", {}, ok, { riskLevel: () => "low" }).ref.riskLevel).toBe("high");
  });

  it("carries a full definition that a spread copy does not have", () => {
    expect(isTool(weather)).toBe(true);
    expect(definitionOf(weather)).toMatchObject({
      name: "get_weather",
      source: "custom",
      maxResultSizeChars: 9_000,
    });
    expect(isTool({ ...weather })).toBe(false);
    for (const other of [undefined, null, 1, "Read", {}, () => 1, Object.create(weather)])
      expect(isTool(other)).toBe(false);
    const full = buildTool(draft as never);
    expect(definitionOf(full)).toBe(full);
  });

  it("is known by the brand that other copies of the package set", () => {
    const stranger = Object.defineProperty({}, Symbol.for("castellan.tool"), {
      value: definitionOf(weather),
    });
    expect(definitionOf(stranger)?.name).toBe("get_weather");
  });
});

group("invokeTool", () => {
  const add = tool("add", "Adds.", { a: "number", b: "number?" }, ({ a, b = 1 }) => ({
    success: true,
    output: a + b,
  }));

  it("calls plain and async handlers", async () => {
    expect(await invokeTool(add, { a: 1, b: 2 })).toEqual({ success: true, output: 3 });
    expect(await invokeTool(add, { a: 1 })).toEqual({ success: true, output: 2 });
    const later = tool("later", "d", {}, async () => ({ content: [{ type: "text", text: "x" }] }));
    expect(await invokeTool(later, {})).toEqual({ content: [{ type: "text", text: "x" }] });
  });

  it("answers arguments that are not valid as the model would be answered", async () => {
    expect(await invokeTool(add, { a: "one" })).toEqual({
      content: [
        {
          type: "text",
          text: 'The input of add is not valid:\n- a: must be a number (expected number, got string "one")',
        },
      ],
      isError: true,
    });
  });

  it("lets a throw through, and refuses what is no tool", async () => {
    const broken = tool("broken", "d", {}, () => {
      throw new Error("out of paper");
    });
    await expect(invokeTool(broken, {})).rejects.toThrow("out of paper");
    await expect(invokeTool({ ...add } as never, {})).rejects.toMatchObject({ code: "invalid_tool" });
  });

  it("gives the handler a context that also serves handlers of an MCP server", async () => {
    const seen: unknown[] = [];
    const noisy = tool("noisy", "d", {}, async (_args, context) => {
      await context.sendNotification({
        method: "notifications/progress",
        params: { progress: 1, total: 2, progressToken: "t" },
      });
      await context.sendNotification({
        method: "notifications/message",
        params: { level: "warning", data: "careful" },
      });
      await context.sendNotification({ method: "notifications/other" });
      const ref = await context.artifacts.put("body", "text/plain");
      return {
        success: true,
        output: [
          context.requestId,
          context.sessionId,
          ref.size,
          context.signal.aborted,
          "services" in context,
        ],
      };
    });
    const result = await invokeTool(
      noisy,
      {},
      {
        toolUseId: "call_7",
        progress: (update) => seen.push(update),
        log: (...line) => seen.push(line),
      },
    );
    expect(result).toEqual({ success: true, output: ["call_7", "session_1", 4, false, false] });
    expect(seen).toEqual([{ progress: 1, total: 2 }, ["warn", "careful"]]);
  });
});

group("the context that invokeTool gives", () => {
  const probing = (act: (context: HandlerContext) => unknown) =>
    tool("probe", "d", {}, async (_args, context) => ({
      success: true,
      output: (await act(context)) as never,
    }));

  it("names a session, and the task with it", async () => {
    const probe = probing(({ sessionId, metadata, toolUseId, assistantMessageId, cwd }) => [
      ...[sessionId, metadata.taskId, toolUseId, assistantMessageId, cwd],
    ]);
    expect(await invokeTool(probe, {})).toMatchObject({
      output: ["session_1", "session_1", "call_1", "message_1", "/"],
    });
    expect(await invokeTool(probe, {}, { sessionId: "s7", cwd: "/w" })).toMatchObject({
      output: ["s7", "s7", "call_1", "message_1", "/w"],
    });
  });

  it("has the caller's signal, and calls the tools that the caller gives", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    const probe = probing(async ({ signal, callTool }) => [
      (signal.reason as Error).message,
      (await callTool("other", { n: 1 })).content[0],
    ]);
    const callTool = async (name: string, input: object) => ({
      content: [{ type: "text" as const, text: `${name} ${JSON.stringify(input)}` }],
      isError: false,
    });
    expect(await invokeTool(probe, {}, { signal: stop.signal, callTool })).toMatchObject({
      output: ["enough", { text: 'other {"n":1}' }],
    });
    const none = probing(({ callTool: other }) => other("other", {}));
    expect(await invokeTool(none, {})).toMatchObject({
      output: { isError: true, content: [{ text: expect.stringContaining("No such tool: other.") }] },
    });
  });

  it("refuses the artifacts that a session refuses", async () => {
    for (const type of ["", "text", undefined])
      await expect(
        invokeTool(
          probing(({ artifacts }) => artifacts.put("x", type as never)),
          {},
        ),
      ).rejects.toMatchObject({ code: "artifact_invalid" });
    const large = probing(({ artifacts }) => artifacts.put(new Blob([new Uint8Array(100_000_001)]), "a/b"));
    await expect(invokeTool(large, {})).rejects.toMatchObject({ code: "artifact_invalid" });
    const stored = probing(async ({ artifacts }) => (await artifacts.put("four", "text/plain")).size);
    expect(await invokeTool(stored, {})).toMatchObject({ output: 4 });
  });
});

group("a handler that changes its arguments", () => {
  it("changes a copy: the input of the call stays as the model sent it", async () => {
    const seen: unknown[] = [];
    const sort = tool("sort", "Sorts.", { list: ["string"], more: { n: "integer" } }, (args) => {
      args.list.sort();
      args.more.n += 1;
      seen.push(args);
      return { content: [] };
    });
    const input = JSON.parse('{"list":["b","a"],"more":{"n":1,"__proto__":{"x":2}},"__proto__":{"y":3}}');
    const before = JSON.stringify(input);
    await invokeTool(sort, input);
    expect(JSON.stringify(input)).toBe(before);
    expect(JSON.stringify(seen[0])).toBe(
      '{"list":["a","b"],"more":{"n":2,"__proto__":{"x":2}},"__proto__":{"y":3}}',
    );
    expect((seen[0] as { y?: unknown }).y).toBeUndefined();
  });
});
