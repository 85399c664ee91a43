import { describe, expect, it } from "vitest";
import { tool } from "../tool.ts";
import { isServerInstance } from "./brand.ts";
import { createServer } from "./create-server.ts";

const handler = () => ({ content: [] });
const made = (name: string, extras = {}) => tool(name, `Is ${name}.`, {}, handler, extras);
const create = (options: unknown) => createServer(options as never, async () => undefined);

describe("a server as data", () => {
  it("has its name, version 1.0.0 and its tools, and nothing can be changed", () => {
    const tools = [made("a"), made("b")];
    const server = create({ name: "shop", tools });
    expect(server).toMatchObject({ type: "sdk", name: "shop", instance: { name: "shop", version: "1.0.0" } });
    tools.pop();
    expect(server.instance.tools).toHaveLength(2);
    expect(server.instance.prefix).toBe(true);
    for (const part of [server, server.instance, server.instance.tools])
      expect(Object.isFrozen(part)).toBe(true);
    expect(isServerInstance(server.instance)).toBe(true);
    expect(isServerInstance({ ...server.instance })).toBe(false);
    expect(isServerInstance({ ...server }.instance)).toBe(true);
  });

  it("takes every field, and one given as undefined counts as left out", () => {
    const all = { version: "2.1.0", instructions: "Be kind.", alwaysLoad: true, timeout: 5, prefix: false };
    expect(create({ name: "s", ...all }).instance).toMatchObject({
      version: "2.1.0",
      instructions: "Be kind.",
      alwaysLoad: true,
      timeoutMs: 5,
      prefix: false,
      tools: [],
    });
    const none = Object.fromEntries([...Object.keys(all), "tools"].map((key) => [key, undefined]));
    expect(Object.keys(create({ name: "s", ...none }).instance).sort()).toEqual(
      Object.keys(create({ name: "s" }).instance).sort(),
    );
  });

  it.each<readonly [unknown, string, RegExp, RegExp]>([
    [undefined, "invalid_option", /takes one object/, /name, tools/],
    [[], "invalid_option", /takes one object/, /name, tools/],
    [{}, "invalid_option", /"name": it is missing/, /Give the server a name/],
    [{ name: "" }, "invalid_option", /"name": it is ""/, /not blank/],
    [{ name: " \t" }, "invalid_option", /"name"/, /not blank/],
    [{ name: 7 }, "invalid_option", /"name": it is 7/, /not blank/],
    [{ name: "s", version: "" }, "invalid_option", /"version"/, /not blank/],
    [{ name: "s", tools: {} }, "invalid_option", /"tools": it is an object/, /a list/],
    [{ name: "s", timeout: 0 }, "invalid_option", /"timeout": it is 0/, /milliseconds/],
    [{ name: "s", prefix: "no" }, "invalid_option", /"prefix": it is "no"/, /true or false/],
    [{ name: "s", alwaysLoad: 1 }, "invalid_option", /"alwaysLoad"/, /true or false/],
    [{ name: "s", instruction: "x" }, "invalid_option", /no such field/, /instructions/],
    [
      { name: "s", tools: [made("a"), made("b"), made("a")] },
      "duplicate_tool",
      /tools\[0\] and tools\[2\].*"a"/,
      /Rename/,
    ],
    [{ name: "s", tools: [made("a", { aliases: ["b"] }), made("b")] }, "duplicate_tool", /"b"/, /Rename/],
    [{ name: "s", prefix: false, tools: [made("mcp__x__y")] }, "invalid_option", /reads like/, /Rename/],
    [
      { name: "s", tools: [{ ...made("a") }] },
      "invalid_tool",
      /TypeError: .*tools\[0\] is an object called "a"/,
      /tool\(\)/,
    ],
    [{ name: "s", tools: [made("a"), null] }, "invalid_tool", /TypeError: .*tools\[1\] is null/, /tool\(\)/],
    [{ name: "s", tools: ["Read"] }, "invalid_tool", /tools\[0\] is "Read"/, /tool\(\)/],
    [{ name: "s", tools: [handler] }, "invalid_tool", /tools\[0\] is a function/, /tool\(\)/],
  ])("%o is refused", (options, code, message, fix) => {
    expect(() => create(options)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(message),
        fix: expect.stringMatching(fix),
      }),
    );
  });

  it("hands a transport to whoever serves, with itself", async () => {
    const served: unknown[] = [];
    const server = createServer({ name: "s" }, async (...given) => void served.push(...given));
    const transport = {
      start: async () => undefined,
      send: async () => undefined,
      close: async () => undefined,
    };
    await server.instance.connect(transport);
    expect(served).toEqual([server.instance, transport]);
  });
});
