import { createSdkMcpServer, isCastellanError, type Options, query, tool } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { describe, expect, it } from "vitest";
import { once, run } from "../kit/session.ts";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const echo = (name: string, extras: object = {}) =>
  tool(name, `Is ${name}.`, {}, () => text(`this is ${name}`), { riskLevel: "low", ...extras });
const server = (names: readonly string[], extras: object = {}) =>
  createSdkMcpServer({ name: "srv", tools: names.map((name) => echo(name)), ...extras });

async function namesOf(options: Options): Promise<readonly string[]> {
  const tools = (await run(["done"], { cwd: "/tmp", ...options })).model.requests[0]?.tools ?? [];
  return tools.map(({ name }) => name);
}

function refused(options: unknown): { code: string; message: string; fix: string } {
  try {
    query({
      prompt: "go",
      options: { model: scriptedModel(["done"]), persistSession: false, ...(options as Options) },
    });
  } catch (error) {
    if (isCastellanError(error)) return error as never;
  }
  throw new Error("not refused");
}

describe("names of tools of servers", () => {
  it.each(["my shop", "Größe", "a/b:c", "😀", "__proto__", "constructor", "x".repeat(100), "a__b", "a*"])(
    "under the key %s the tool is called by its name, and rules find it by key and by name",
    async (key) => {
      const mcpServers = JSON.parse(`{${JSON.stringify(key)}: 0}`) as Record<
        string,
        ReturnType<typeof server>
      >;
      Object.defineProperty(mcpServers, key, { value: server(["look"]), enumerable: true });
      const options: Options = { tools: ["Read"], mcpServers };
      const [, name = ""] = await namesOf(options);
      expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
      expect((await run(once(name), options)).texts).toEqual(["this is look"]);
      for (const rule of [name, `mcp__${key.replaceAll("*", "_")}__look`]) {
        expect(await namesOf({ ...options, disallowedTools: [rule] }), rule).toEqual(["Read"]);
      }
      expect(await namesOf({ ...options, tools: [`mcp__${key}`] })).toEqual([name]);
      expect(await namesOf({ ...options, tools: [`mcp__${key}__look`] })).toEqual([name]);
    },
  );

  it("a rule by the shortened name and one by the whole name both allow", async () => {
    const key = "k".repeat(80);
    const mcpServers = {
      [key]: createSdkMcpServer({ name: key, tools: [echo("look", { riskLevel: "high" })] }),
    };
    const name = (await namesOf({ tools: ["Read"], mcpServers }))[1] ?? "";
    expect(name).toHaveLength(64);
    const call = once(name);
    expect((await run(call, { mcpServers })).texts[0]).not.toBe("this is look");
    for (const rule of [name, `mcp__${key}__look`, `mcp__${key}`, `mcp__${key}__*`]) {
      expect((await run(call, { mcpServers, allowedTools: [rule] })).texts, rule.slice(-20)).toEqual([
        "this is look",
      ]);
      const denied = await run(call, {
        mcpServers,
        allowedTools: [name],
        settings: { permissions: { deny: [rule] } },
      });
      expect(denied.texts[0], rule.slice(-20)).not.toBe("this is look");
    }
  });

  it("a bare tool is found by its bare name and by the full one", async () => {
    const mcpServers = { k: server(["look", "list"], { prefix: false }) };
    const all = ["Read", "list", "look"];
    expect(await namesOf({ tools: ["Read"], mcpServers })).toEqual(all);
    for (const rule of ["look", "mcp__k__look"]) {
      expect(await namesOf({ tools: ["Read"], mcpServers, disallowedTools: [rule] })).toEqual([
        "Read",
        "list",
      ]);
    }
    expect(await namesOf({ tools: ["mcp__k__look"], mcpServers })).toEqual(["look"]);
    expect(await namesOf({ tools: ["Read", "look"], mcpServers })).toEqual(all);
    expect(await namesOf({ tools: ["Read"], mcpServers, disallowedTools: ["mcp__k"] })).toEqual(["Read"]);
  });

  it.each<readonly [string, Options, string, RegExp]>([
    [
      "a built-in",
      { mcpServers: { k: server(["Read"], { prefix: false }) } },
      "duplicate_tool",
      /built-in tool Read.*tool Read of the server k/,
    ],
    [
      "a tool of the options",
      { tools: [echo("look")], mcpServers: { k: server(["look"], { prefix: false }) } },
      "duplicate_tool",
      /tool look of options\.tools.*server k/,
    ],
    [
      "a bare tool of another server",
      { mcpServers: { a: server(["look"], { prefix: false }), b: server(["look"], { prefix: false }) } },
      "duplicate_tool",
      /server a.*server b/,
    ],
    [
      "a tool of another server, by the way the keys end",
      { mcpServers: { a: server(["b__c"]), a__b: server(["c"]) } },
      "duplicate_tool",
      /b__c of the server a.*c of the server a__b/,
    ],
    [
      "a key that reads like another",
      { mcpServers: { "a b": server(["x"]), a_b: server(["y"]) } },
      "invalid_option",
      /reads like "a b"/,
    ],
    [
      "two servers of one name in a list",
      { mcpServers: [server(["x"]), server(["y"])] },
      "invalid_option",
      /\[1\].*"srv"/,
    ],
  ])("a clash with %s is an error at once that names both", (_, options, code, message) => {
    const error = refused(options);
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(error.fix).toMatch(/Rename|key/);
  });

  it.each<readonly [unknown, RegExp, RegExp]>([
    ["./.mcp.json", /mcpServers is ".\/.mcp.json"/, /This release/],
    [7, /mcpServers is 7/, /record or a list/],
    [server(["x"]), /mcpServers is an object/, /into a list/],
    [
      { files: { command: "npx", args: [] } },
      /mcpServers\.files is a server of the kind "stdio"/,
      /createSdkMcpServer.*This release/,
    ],
    [
      { web: { type: "http", url: "https://x" } },
      /mcpServers\.web is a server of the kind "http"/,
      /This release/,
    ],
    [{ web: { url: "https://x" } }, /mcpServers\.web is a server of the kind "http"/, /This release/],
    [{ s: { type: "sse", url: "https://x" } }, /kind "sse"/, /This release/],
    [{ "a key": null }, /mcpServers\["a key"\] is null/, /createSdkMcpServer/],
    [{ a: echo("x") }, /mcpServers\.a is an object/, /Put the tool into createSdkMcpServer/],
    [{ a: { connect: () => undefined } }, /mcpServers\.a/, /Write \{ type: "sdk"/],
    [
      { a: { type: "sdk", name: "", instance: server([]).instance } },
      /mcpServers\.a\.name is ""/,
      /not blank/,
    ],
    [{ a: { type: "sdk", name: "a", instance: {} } }, /mcpServers\.a\.instance/, /connect\(\)/],
    [{ " ": server(["x"]) }, /key is blank/, /name/],
    [[null], /mcpServers\[0\] is null/, /createSdkMcpServer/],
  ])("%o is refused", (mcpServers, message, fix) => {
    const error = refused({ mcpServers });
    expect(error).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });
});

describe("toolAliases", () => {
  const mcpServers = { ws: createSdkMcpServer({ name: "ws", tools: [echo("bash", { riskLevel: "high" })] }) };
  const toolAliases = { Bash: "mcp__ws__bash", read_file: "Read" };
  const options: Options = { tools: ["Read", "mcp__ws__bash"], mcpServers, toolAliases };

  it("let a model call a tool by another name; hooks, callbacks, rules and results have the real one", async () => {
    const seen: string[] = [];
    const { texts, messages, model } = await run(once("Bash"), {
      ...options,
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async (input) => {
                seen.push((input as { tool_name: string }).tool_name);
                return {};
              },
            ],
          },
        ],
      },
      canUseTool: (name) => {
        seen.push(name);
        return { behavior: "allow" };
      },
    });
    expect(texts).toEqual(["this is bash"]);
    expect(seen).toEqual(["mcp__ws__bash", "mcp__ws__bash"]);
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["Read", "mcp__ws__bash"]);
    expect(messages.some(({ type }) => type === "user")).toBe(true);
    expect((await run(once("Bash"), { ...options, allowedTools: ["Bash"] })).texts[0]).not.toBe(
      "this is bash",
    );
    expect((await run(once("Bash"), { ...options, allowedTools: ["mcp__ws__bash"] })).texts).toEqual([
      "this is bash",
    ]);
    expect((await run(once("toString"), options)).texts[0]).toContain("No such tool");
  });

  it.each<readonly [unknown, RegExp, RegExp]>([
    [["Bash"], /toolAliases is a list/, /names/],
    [{ sh: "Bsh" }, /toolAliases\.sh is "Bsh"/, /Did you mean Bash\?/],
    [{ sh: "mcp__ws__bsh" }, /toolAliases\.sh/, /Did you mean mcp__ws__bash\?/],
    [{ sh: "toString" }, /toolAliases\.sh/, /tool/],
    [{ "a shell": "Bash" }, /"a shell"/, /64/],
    [{ sh: 7 }, /toolAliases\.sh is 7/, /string/],
  ])("%o is refused", (wrong, message, fix) => {
    const error = refused({ ...options, toolAliases: wrong });
    expect(error).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });
});

describe("on a resume", () => {
  it("a server has the tools that it had, and a new one all of its own", async () => {
    const sessionStore = memoryStore();
    const a = server(["one", "two"]);
    const first = await run(["done"], { sessionStore, tools: ["Read", "mcp__a__one"], mcpServers: { a } });
    const resume = first.result.session_id;
    const cwd = (first.messages[0] as { cwd: string }).cwd;
    const again = await run(["done"], { cwd, sessionStore, resume, mcpServers: { a, b: server(["x"]) } });
    expect(again.model.requests[0]?.tools.map(({ name }) => name)).toEqual([
      "Read",
      "mcp__a__one",
      "mcp__b__x",
    ]);
    const without = await run(["done"], { cwd, sessionStore, resume });
    expect(without.model.requests[0]?.tools.map(({ name }) => name)).toEqual(["Read"]);
    const notes = without.messages.flatMap((m) =>
      m.type === "system" && m.subtype === "notification" ? [m.message] : [],
    );
    expect(notes.join()).toContain("mcp__a__one");
  });
});
