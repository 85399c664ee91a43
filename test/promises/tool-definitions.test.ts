import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  BUILTIN_TOOL_NAMES,
  buildTool,
  isCastellanError,
  type JsonObject,
  query,
  tool,
} from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run, scratch } from "../kit/session.ts";

const ok = () => ({ content: [{ type: "text" as const, text: "ok" }] });
const spec = { name: "probe", version: "1.2.0", description: "Looks.", inputSchema: {}, execute: ok };
const make = tool as unknown as (...args: unknown[]) => unknown;

function fault(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (isCastellanError(error, "invalid_tool") || isCastellanError(error, "invalid_option"))
      return error.message;
    throw error;
  }
  return "nothing was wrong";
}

describe("what a tool is", () => {
  it("N01 has name, version, risk level (high unless said), description and schema; what is missing is an error", () => {
    expect(tool(spec)).toMatchObject({
      name: "probe",
      version: "1.2.0",
      riskLevel: "high",
      description: "Looks.",
      inputSchema: { type: "object" },
    });
    expect(tool("probe", "Looks.", {}, ok)).toMatchObject({ version: "1.0.0", riskLevel: "high" });
    for (const field of ["name", "version", "inputSchema"] as const)
      expect(fault(() => make({ ...spec, [field]: undefined }))).toContain(`"${field}"`);
    for (const description of ["", "  ", undefined])
      expect(fault(() => make({ ...spec, description }))).toContain('"description"');
    expect(fault(() => make({ ...spec, riskLevel: "severe" }))).toContain('"low", "medium", "high"');
  });

  it("N02 carries .ref with name, version and risk level, from the same source as the tool", () => {
    for (const made of [
      tool({ ...spec, riskLevel: "medium" }),
      tool("probe", "Looks.", {}, ok, { riskLevel: "medium", version: "1.2.0" }),
    ]) {
      expect(made.ref).toEqual({ name: "probe", version: "1.2.0", riskLevel: "medium" });
      expect(made.ref).toEqual({ name: made.name, version: made.version, riskLevel: made.riskLevel });
      expect(Object.isFrozen(made.ref)).toBe(true);
    }
  });

  it("Q03 takes name, description, schema and annotations; all of them reach the model's or the host's side", async () => {
    const probe = tool("probe", "Looks at one order.", { id: "string" }, ok, {
      annotations: { title: "Order", readOnlyHint: true, destructiveHint: true, openWorldHint: true },
    });
    let told: unknown;
    const { model } = await run(once("probe", { id: "1" }), {
      tools: [probe],
      canUseTool: (_name, _input, context) => {
        told = context;
        return { behavior: "allow" };
      },
    });
    expect(model.requests[0]?.tools).toEqual([
      expect.objectContaining({
        name: "probe",
        description: "Looks at one order.",
        inputSchema: expect.objectContaining({ properties: { id: { type: "string" } }, required: ["id"] }),
      }),
    ]);
    expect(probe.annotations).toEqual({
      title: "Order",
      readOnlyHint: true,
      destructiveHint: true,
      openWorldHint: true,
    });
    expect(told).toMatchObject({ displayName: "Order", destructive: true, openWorld: true });
  });

  it("Q10 the five hints are carried; maxResultSizeChars travels as _meta and lifts the limit, among the annotations or beside them", async () => {
    const hints = {
      title: "T",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const long = "x".repeat(80_000);
    const execute = () => ({ content: [{ type: "text" as const, text: long }] });
    const size = { maxResultSizeChars: 100_000 };
    const beside = tool("beside", "d", {}, execute, { annotations: hints, ...size, riskLevel: "low" });
    const among = tool("among", "d", {}, execute, { annotations: { ...hints, ...size }, riskLevel: "low" });
    const plain = tool("plain", "d", {}, execute, { annotations: hints, riskLevel: "low" });
    for (const made of [beside, among]) {
      expect(made.annotations).toEqual(hints);
      expect(made._meta).toEqual({ "anthropic/maxResultSizeChars": 100_000 });
    }
    expect(plain._meta).toBeUndefined();
    const { texts } = await run(
      [{ toolCalls: [{ name: "beside" }, { name: "among" }, { name: "plain" }] }, "done"],
      { tools: [beside, among, plain] },
    );
    const lengths = texts.map((text) => text.length).sort((a, b) => a - b);
    expect(lengths.slice(1)).toEqual([80_000, 80_000]);
    expect(lengths[0]).toBeLessThanOrEqual(50_000);
  });

  it("Q11 annotations never grant permission", async () => {
    for (const readOnlyHint of [true, false]) {
      const probe = tool("probe", "d", {}, ok, {
        annotations: { readOnlyHint, idempotentHint: true, destructiveHint: false, openWorldHint: false },
      });
      const { texts, result } = await run(once("probe"), { tools: [probe] });
      expect(texts[0]).toContain("Nobody could be asked");
      expect(result.permission_denials).toHaveLength(1);
    }
  });

  it("Q38 hints reach the contract: read-only and so concurrent, destructive, open world, idempotent; absent ones are false", async () => {
    const facts = (annotations: object): unknown => {
      const made = buildTool({ name: "t", description: "d", inputSchema: {}, annotations, call: ok });
      return [
        made.isReadOnly({}),
        made.isConcurrencySafe({}),
        made.isDestructive({}),
        made.isOpenWorld({}),
        made.idempotent,
      ];
    };
    expect(facts({})).toEqual([false, false, false, false, false]);
    expect(facts({ readOnlyHint: true })).toEqual([true, true, false, false, false]);
    expect(facts({ destructiveHint: true })).toEqual([false, false, true, false, false]);
    expect(facts({ openWorldHint: true })).toEqual([false, false, false, true, false]);
    expect(facts({ idempotentHint: true })).toEqual([false, false, false, false, true]);
  });

  it("c20 in part: old names are aliases, the search hint and where a tool comes from are carried", async () => {
    const made = buildTool({
      name: "mcp__shop__find",
      description: "d",
      inputSchema: {},
      aliases: ["old_find"],
      searchHint: "order shop find",
      source: "mcp",
      mcpInfo: { serverName: "shop", toolName: "find" },
      riskLevel: "low",
      call: ok,
    });
    expect(made).toMatchObject({
      aliases: ["old_find"],
      searchHint: "order shop find",
      source: "mcp",
      mcpInfo: { serverName: "shop", toolName: "find" },
    });
    let server: unknown;
    const { texts } = await run(once("old_find"), {
      tools: [made],
      settings: { permissions: { ask: ["mcp__shop__find"] } },
      canUseTool: (_name, _input, context) => {
        server = context.mcpServer;
        return { behavior: "allow" };
      },
    });
    expect([server, texts[0]]).toEqual(["shop", "ok"]);
  });

  it("C23 validateInput, then checkPermissions, then call; the other questions of the contract are asked about the very input", async () => {
    const order: string[] = [];
    const note = <T>(what: string, value: T) => {
      return (...args: unknown[]): T => {
        order.push(`${what} ${JSON.stringify(args[0] ?? null)}`);
        return value;
      };
    };
    const probe = tool({
      ...spec,
      inputSchema: { n: "integer" },
      validateInput: note("validateInput", { ok: true as const }),
      checkPermissions: note("checkPermissions", { behavior: "allow" as const }),
      isReadOnly: note("isReadOnly", true),
      isDestructive: note("isDestructive", false),
      requiresUserInteraction: note("requiresUserInteraction", false),
      execute: note("call", { content: [] }),
    });
    await run(once("probe", { n: 1 }), { tools: [probe] });
    const phases = order.filter((each) => /^(validateInput|checkPermissions|call)/.test(each));
    expect(phases).toEqual(['validateInput {"n":1}', 'checkPermissions {"n":1}', 'call {"n":1}']);
    expect(order).toEqual(expect.arrayContaining(['isReadOnly {"n":1}', 'isDestructive {"n":1}']));
    expect(order.some((each) => each.startsWith("requiresUserInteraction"))).toBe(true);

    // validateInput stops a call before the check sees it.
    const seen: string[] = [];
    const picky = tool({
      ...spec,
      validateInput: () => ({ ok: false as const, message: "not on Mondays" }),
      checkPermissions: () => {
        seen.push("check");
        return { behavior: "allow" as const };
      },
    });
    const refused = await run(once("probe"), { tools: [picky] });
    expect([refused.texts[0]?.includes("not on Mondays"), seen]).toEqual([true, []]);

    // getPath is one path target: rules for paths hold.
    const cwd = scratch();
    const writer = tool({
      ...spec,
      inputSchema: { file: "string" },
      getPath: ({ file }) => file,
      execute: ok,
    });
    const denied = await run(once("probe", { file: "secret.txt" }), {
      cwd,
      tools: [writer],
      allowedTools: ["probe"],
      disallowedTools: ["Edit(secret.txt)"],
    });
    expect(denied.texts[0]).toContain("Edit(secret.txt)");
    expect(existsSync(join(cwd, "secret.txt"))).toBe(false);
  });

  it("C23 preparePermissionMatcher decides what a rule's specifier means; a matcher that throws binds denies and grants nothing", async () => {
    const mail = (matcher: (input: JsonObject) => (specifier: string) => boolean) =>
      tool({
        ...spec,
        inputSchema: { to: "string" },
        preparePermissionMatcher: matcher as never,
        execute: ok,
      });
    const byDomain = mail(
      ({ to }) =>
        (specifier) =>
          String(to).endsWith(`@${specifier}`),
    );
    const outcome = async (made: ReturnType<typeof mail>, options: object) =>
      (await run(once("probe", { to: "a@x.test" }), { tools: [made], ...options })).texts[0] ?? "";
    expect(await outcome(byDomain, { allowedTools: ["probe(x.test)"] })).toBe("ok");
    expect(await outcome(byDomain, { allowedTools: ["probe(y.test)"] })).toContain("Nobody could be asked");
    expect(
      await outcome(byDomain, { allowedTools: ["probe"], disallowedTools: ["probe(x.test)"] }),
    ).toContain("probe(x.test)");
    const broken = mail(() => () => {
      throw new Error("broken");
    });
    expect(await outcome(broken, { allowedTools: ["probe(x.test)"] })).toContain("Nobody could be asked");
    expect(await outcome(broken, { allowedTools: ["probe"], disallowedTools: ["probe(y.test)"] })).toContain(
      "probe(y.test)",
    );
  });

  it("C29 the prompt is for the model and may depend on the session; the description is for people; the text is computed once", async () => {
    let made = 0;
    const probe = tool({
      ...spec,
      prompt: ({ cwd, toolNames }) => {
        made += 1;
        return `Looks from ${cwd} beside ${[...toolNames].join(", ")}.`;
      },
      describe: () => "Looks once",
      riskLevel: "medium",
    });
    const cwd = scratch();
    const turn = { toolCalls: [{ name: "probe" }] };
    let description: unknown;
    const { model } = await run([turn, turn, "done"], {
      cwd,
      tools: [probe, "Read"],
      canUseTool: (_name, _input, context) => {
        description = context.description;
        return { behavior: "allow" };
      },
    });
    const texts = model.requests.map(
      (request) => request.tools.find((each) => each.name === "probe")?.description,
    );
    expect(new Set(texts)).toEqual(new Set([`Looks from ${cwd} beside Read, probe.`]));
    expect([made, model.requests.length, description]).toEqual([1, 3, "Looks once"]);
  });
});

describe("what stands in tools", () => {
  it("N07 names and tool objects mix; omitted is the default set; [] is none; a tool in allowedTools says: put it in tools", async () => {
    const probe = tool(spec);
    const names = async (options: object): Promise<string[]> =>
      (await run(["done"], options)).model.requests[0]?.tools.map((each) => each.name) ?? [];
    expect(await names({ tools: ["Read", probe, "Grep"] })).toEqual(["Grep", "Read", "probe"]);
    expect(await names({ tools: [] })).toEqual([]);
    const all = await names({});
    expect(all).toEqual(expect.arrayContaining(["AskUserQuestion", "Bash", "Edit", "Read", "Write"]));
    expect(all).not.toContain("probe");
    expect(fault(() => query({ prompt: "go", options: { allowedTools: [probe as never] } }))).toMatch(
      /allowedTools\[0\] is a tool.*into `tools`/,
    );
  });

  it("Q02 the built-ins have the names that people know, and rules use them too", async () => {
    const known = ["Read", "Edit", "Write", "Bash", "Glob", "Grep"];
    expect(BUILTIN_TOOL_NAMES).toEqual(expect.arrayContaining(known));
    const { model } = await run(["done"], { tools: known });
    expect(model.requests[0]?.tools.map((each) => each.name)).toEqual([...known].sort());
    const cwd = scratch();
    const inputs: Record<string, JsonObject> = {
      Read: { file_path: join(cwd, "a") },
      Edit: { file_path: join(cwd, "a"), old_string: "a", new_string: "b" },
      Write: { file_path: join(cwd, "a"), content: "" },
      Bash: { command: "ls" },
      Glob: { pattern: "*" },
      Grep: { pattern: "x" },
    };
    for (const name of known) {
      const asked: string[] = [];
      const { users } = await run(once(name, inputs[name]), {
        cwd,
        settings: { permissions: { ask: [name] } },
        canUseTool: (called) => {
          asked.push(called);
          return { behavior: "deny", message: "no" };
        },
      });
      expect([asked, resultBlock(users[0]).is_error], name).toEqual([[name], true]);
    }
  });
});
