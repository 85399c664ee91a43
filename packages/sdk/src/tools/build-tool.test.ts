import { expect, describe as group, it } from "vitest";
import type { CheckContext, ToolDefinition } from "../protocol/index.ts";
import { definitionOf } from "./brand.ts";
import { buildTool } from "./build-tool.ts";
import { tool } from "./tool.ts";
import type { ToolDraft } from "./types.ts";

const draft = {
  name: "send",
  description: "Sends.",
  inputSchema: { to: "string?" },
  call: () => "raw",
} as const;
const context: CheckContext = {
  cwd: "/w",
  sessionId: "s",
  signal: new AbortController().signal,
  services: {},
};
const made = (fields: Partial<ToolDraft>): ToolDefinition => buildTool({ ...draft, ...fields } as never);
const boom = (): never => {
  throw new Error("boom");
};

/** Everything that a definition says about one input. */
function answers(definition: ToolDefinition): object {
  const input = { to: "anna" };
  return {
    readOnly: definition.isReadOnly(input),
    destructive: definition.isDestructive(input),
    openWorld: definition.isOpenWorld(input),
    concurrencySafe: definition.isConcurrencySafe(input),
    requiresUser: definition.requiresUserInteraction(),
    risk: definition.riskLevel(input),
    interrupt: definition.interruptBehavior(),
    enabled: definition.isEnabled(),
    targets: definition.targets(input, context),
    hasCheck: definition.hasCheck,
    check: definition.checkPermissions(input, context),
    valid: definition.validateInput(input, context),
    idempotent: definition.idempotent,
  };
}

const CAREFUL = {
  readOnly: false,
  destructive: false,
  openWorld: false,
  concurrencySafe: false,
  requiresUser: false,
  risk: "high",
  interrupt: "block",
  enabled: true,
  targets: [{ kind: "name", value: "send" }],
  hasCheck: false,
  check: { behavior: "passthrough" },
  valid: { ok: true },
  idempotent: false,
};

group("what is left out", () => {
  it("gets the careful default", () => {
    const definition = buildTool(draft);
    expect(answers(definition)).toEqual(CAREFUL);
    expect(definition).toMatchObject({
      aliases: [],
      version: "1.0.0",
      source: "custom",
      annotations: {},
      allowedInPlan: false,
      allowedByItself: false,
      shouldDefer: false,
      alwaysLoad: false,
      maxResultSizeChars: 50_000,
      description: "Sends.",
    });
    for (const key of ["timeoutMs", "permissionPolicy", "mcpInfo", "outputSchema"])
      expect(definition).not.toHaveProperty(key);
  });

  it("may be given as undefined, field by field, and nothing changes", () => {
    const fields = [
      "aliases",
      "allowedInPlan",
      "annotations",
      "checkPermissions",
      "idempotent",
      "interruptBehavior",
      "isConcurrencySafe",
      "isDestructive",
      "isEnabled",
      "isOpenWorld",
      "isReadOnly",
      "maxResultSizeChars",
      "permissionPolicy",
      "requiresUserInteraction",
      "riskLevel",
      "source",
      "targets",
      "timeoutMs",
      "validateInput",
      "version",
    ];
    const wiped = made(Object.fromEntries(fields.map((field) => [field, undefined])));
    expect(answers(wiped)).toEqual(CAREFUL);
    expect(Object.keys(wiped).sort()).toEqual(Object.keys(buildTool(draft)).sort());
    const hints = { readOnlyHint: undefined, destructiveHint: undefined };
    expect(answers(made({ annotations: hints }))).toEqual(CAREFUL);
  });
});

group("hints", () => {
  it.each([
    ["readOnlyHint", { readOnly: true, concurrencySafe: true }],
    ["destructiveHint", { destructive: true }],
    ["idempotentHint", { idempotent: true }],
    ["openWorldHint", { openWorld: true }],
  ])("%s reaches the contract, and nothing else does", (hint, change) => {
    expect(answers(made({ annotations: { [hint]: true } }))).toEqual({ ...CAREFUL, ...change });
    expect(answers(made({ annotations: { [hint]: false } }))).toEqual(CAREFUL);
  });

  it("give way to what the author says in a function", () => {
    const definition = made({
      annotations: { readOnlyHint: true },
      isReadOnly: () => false,
      isConcurrencySafe: () => false,
    });
    expect(answers(definition)).toEqual(CAREFUL);
  });

  it("never permit: policy and check stay the general system's", () => {
    const definition = made({ annotations: { readOnlyHint: true, idempotentHint: true } });
    expect(definition.permissionPolicy).toBeUndefined();
    expect(definition.checkPermissions({}, context)).toEqual({ behavior: "passthrough" });
  });

  it("carry the size limit, wherever it stands, up to the cap", () => {
    expect(made({ annotations: { maxResultSizeChars: 9 } })).toMatchObject({
      maxResultSizeChars: 9,
      annotations: {},
    });
    expect(made({ maxResultSizeChars: 9 }).maxResultSizeChars).toBe(9);
    expect(made({ maxResultSizeChars: 9e9 }).maxResultSizeChars).toBe(500_000);
  });
});

group("answers that are none", () => {
  it("count as the one that lets less happen when they are thrown", () => {
    const broken = made({
      isReadOnly: boom,
      isDestructive: boom,
      isOpenWorld: boom,
      isConcurrencySafe: boom,
      requiresUserInteraction: boom,
      riskLevel: boom,
      interruptBehavior: boom,
      isEnabled: boom,
    });
    expect(answers(broken)).toEqual({
      ...CAREFUL,
      destructive: true,
      openWorld: true,
      requiresUser: true,
      enabled: false,
    });
  });

  it("count so too when they are promises or nonsense", () => {
    const later = async (): Promise<boolean> => true;
    const odd = made({
      isReadOnly: later,
      isConcurrencySafe: () => "yes",
      isDestructive: () => undefined,
      riskLevel: () => "none",
      interruptBehavior: () => "stop",
    } as never);
    expect(answers(odd)).toEqual({ ...CAREFUL, destructive: true });
  });

  it("are replaced where they are words for people", () => {
    const input = { to: "anna" };
    const broken = made({
      title: "Send a letter",
      userFacingName: boom,
      summary: boom,
      activity: () => "",
      describe: boom,
      prompt: boom,
    });
    expect(broken.userFacingName(input)).toBe("Send a letter");
    expect(broken.summary(input)).toBe('{"to":"anna"}');
    expect(broken.activity(input)).toBe("Send a letter");
    expect(broken.describe(input)).toBe('Send a letter {"to":"anna"}');
    expect(broken.prompt({ cwd: "/", toolNames: new Set() })).toBe("Sends.");
  });
});

group("what the author says", () => {
  it("depends on the input where it is a function", () => {
    const definition = made({ riskLevel: ({ to }) => (to === "anna" ? "low" : "medium") });
    expect([definition.riskLevel({ to: "anna" }), definition.riskLevel({})]).toEqual(["low", "medium"]);
  });

  it("reaches the call with the parsed input, and comes back as it is", async () => {
    const definition = buildTool({ ...draft, call: (input) => ["raw", input] });
    const parsed = await definition.parseInput({ to: "anna" });
    if (!parsed.ok) throw new Error("not valid");
    expect(definition.call(parsed.input, {} as never, () => undefined)).toEqual(["raw", { to: "anna" }]);
    expect(await definition.parseInput({ to: 5 })).toMatchObject({ ok: false, issues: [{ path: "to" }] });
  });

  it("gives a path target, read or written", () => {
    const path = { getPath: () => "a.txt" };
    expect(made(path).targets({}, context)).toEqual([{ kind: "path", access: "write", path: "a.txt" }]);
    expect(made({ ...path, isReadOnly: () => true }).targets({}, context)).toEqual([
      { kind: "path", access: "read", path: "a.txt" },
    ]);
  });

  it("is the only one that has a check", async () => {
    const definition = made({ checkPermissions: () => ({ behavior: "deny", message: "no" }) });
    expect([definition.hasCheck, definition.checkPermissions({}, context)]).toEqual([
      true,
      { behavior: "deny", message: "no" },
    ]);
  });

  it("keeps its prompt apart from its description", () => {
    const definition = made({ prompt: ({ cwd }) => `Sends from ${cwd}.` });
    expect(definition.prompt({ cwd: "/w", toolNames: new Set() })).toBe("Sends from /w.");
    expect(made({ prompt: "Long text." }).prompt({ cwd: "/w", toolNames: new Set() })).toBe("Long text.");
  });

  it("tells equal inputs apart by value", () => {
    expect(made({}).inputsEquivalent({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(made({}).inputsEquivalent({ a: 1 }, { a: 2 })).toBe(false);
    expect(made({ inputsEquivalent: boom }).inputsEquivalent({}, {})).toBe(false);
  });

  it("turns an output schema of any form into JSON Schema", () => {
    expect(made({ outputSchema: { n: "integer" } }).outputSchema).toEqual({
      type: "object",
      properties: { n: { type: "integer" } },
      required: ["n"],
    });
  });

  it("gives a built-in its known other names", () => {
    expect(made({ name: "KillShell", source: "builtin", aliases: ["Stop"] }).aliases).toEqual([
      "Stop",
      "KillBash",
      "TaskStop",
    ]);
    expect(made({ name: "KillShell" }).aliases).toEqual([]);
  });

  it("is the same through tool()", () => {
    const definition = definitionOf(
      tool("send", "Sends.", { to: "string?" }, () => ({ content: [] }), {
        annotations: { readOnlyHint: true },
      }),
    );
    expect(definition?.isReadOnly({})).toBe(true);
    expect(definition?.isConcurrencySafe({})).toBe(true);
    expect(definition?.targets({}, context)).toEqual([{ kind: "name", value: "send" }]);
  });
});

group("the input of a handler", () => {
  it("is its own: what it changes reaches neither history nor log", async () => {
    const definition = buildTool({
      ...draft,
      inputSchema: { list: ["string"] },
      call(input: object) {
        const { list } = input as { list: string[] };
        list.push("mine");
        (input as { more?: number }).more = 1;
        return list.join();
      },
    } as never);
    const input = { list: ["a"] };
    expect(await definition.call(input, context as never, () => {})).toBe("a,mine");
    expect(input).toEqual({ list: ["a"] });
  });
});
