import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileHooks } from "../hooks/index.ts";
import type { PathAccess, PermissionContext, SourcedRule, Target } from "../protocol/index.ts";
import { createCatalogue } from "../tools/index.ts";
import { asksForSafety, freshAsks } from "./fresh-asks.ts";
import { createGate, createPolicyHolder } from "./index.ts";
import type { GateKit } from "./test-kit.ts";
import { gateKit, makeTool } from "./test-kit.ts";
import type { Judged } from "./types.ts";

let kit: GateKit;
beforeAll(async () => {
  kit = await gateKit();
  await mkdir(join(kit.cwd, ".git"));
  await writeFile(join(kit.cwd, ".git/config"), "");
  await symlink(".git", join(kit.cwd, "alias"));
});
afterAll(() => kit.remove());

/** What raises a question, in any mixture. */
interface Raised {
  readonly to?: string;
  readonly paths?: readonly (readonly [PathAccess, string])[];
  readonly check?: "kept" | "fails" | "asks" | "allows";
  readonly hook?: boolean;
  readonly user?: boolean;
  readonly policy?: boolean;
  readonly broken?: boolean;
  readonly ask?: readonly string[];
  readonly rules?: readonly SourcedRule[];
}

const CHECKS = {
  kept: { behavior: "ask", kept: true },
  asks: { behavior: "ask" },
  allows: { behavior: "allow" },
} as const;

/** A real call that raises these, as the gate judges it. All stand in one folder. */
async function judged(raised: Raised, over: Partial<PermissionContext> = {}): Promise<Judged> {
  const { to = "anna", paths = [], check, ask = ["act(carla)", "act(carla*)"] } = raised;
  const tool = makeTool("act", {
    targets: () => [
      { kind: "name", value: to },
      ...paths.map(([access, path]): Target => ({ kind: "path", access, path })),
    ],
    ...(check !== undefined && {
      hasCheck: true,
      checkPermissions: () => {
        if (check === "fails") throw new Error("broken");
        return CHECKS[check];
      },
    }),
    requiresUserInteraction: () => raised.user === true,
    ...(raised.policy === true && { permissionPolicy: "always_ask" }),
  });
  const asks = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } } as const;
  const context: PermissionContext = {
    ...kit.holder.current().context,
    rules: raised.rules ?? ask.map((text) => ({ text, behavior: "ask", source: "session" })),
    ...(raised.broken === true && { brokenSettings: "settings.json" }),
    ...over,
  };
  const gate = createGate({
    ...kit.deps,
    catalogue: createCatalogue([tool], {}),
    hooks: compileHooks(raised.hook === true ? { PreToolUse: [{ hooks: [() => asks] }] } : undefined),
    policy: createPolicyHolder({ context, recorder: kit.recorder, platform: kit.deps.platform }),
  });
  const call = { id: "call_1", name: "act", input: {}, assistantMessageId: "msg_1" };
  const found = await gate.consider(call, { signal: new AbortController().signal });
  if (found.kind !== "decided") throw new Error(JSON.stringify(found));
  return found.judged;
}

const NOW = 1_700_000_000_000;
const BYPASS = { mode: "bypassPermissions", isBypassAvailable: true } as const;
const fresh = async (asked: Raised, edited: Raised, over?: Partial<PermissionContext>): Promise<string[]> => {
  const told = freshAsks(await judged(asked, over), await judged(edited, over), NOW);
  return told.map((message) => message.replaceAll(kit.cwd, "<start>"));
};

/** One of each kind of question that no mode lifts. */
const KINDS = {
  settings: [{ broken: true }, /cannot be read, so every call is asked about: .*settings\.json/],
  rule: [{ to: "carla" }, /act\(carla/],
  "a protected path": [{ paths: [["write", ".git/config"]] }, /\.git/],
  "a suspicious path": [{ paths: [["write", "a\nb"]] }, /control/],
  "a root": [{ paths: [["remove", "."]] }, /start directory/],
  hook: [{ hook: true }, /PreToolUse/],
  user: [{ user: true }, /needs a person/],
  policy: [{ policy: true }, /always_ask|policy/],
  "a kept check": [{ check: "kept" }, /asks about/],
  "a failed check": [{ check: "fails" }, /asks about|failed/],
} as const satisfies Record<string, readonly [Raised, RegExp]>;
const kinds = Object.entries(KINDS) as [string, readonly [Raised, RegExp]][];

const together = (first: Raised, second: Raised): Raised => ({
  ...first,
  ...second,
  paths: [...(first.paths ?? []), ...(second.paths ?? [])],
});

describe("a question that an edit raises", () => {
  it.each(kinds)("is told: %s", async (_, [raised, message]) => {
    const told = await fresh({}, raised);
    expect(told.length).toBeGreaterThan(0);
    expect(told.join("\n")).toMatch(message);
    expect(new Set(told).size).toBe(told.length);
  });

  it.each(kinds)("is not told where it stood before: %s", async (_, [raised]) => {
    expect(await fresh(raised, raised)).toEqual([]);
  });

  const pairs = kinds.flatMap(([a, [first]]) =>
    kinds.flatMap(([b, [second]]) =>
      a === b || (a.includes("check") && b.includes("check")) ? [] : [[a, b, first, second] as const],
    ),
  );

  it.each(pairs)(
    "is told though it stands beside another: %s, then %s",
    async (_kind, _other, first: Raised, second: Raised) => {
      const [alone, beside] = [await fresh({}, second), await fresh(first, together(first, second))];
      // Of two dangerous paths the engine names one; each is told by itself.
      const areBoth = first.paths !== undefined && second.paths !== undefined;
      const named = (messages: string[]) =>
        messages.filter((message) => !areBoth || message.includes("is protected ("));
      expect(named(beside)).toEqual(named(alone));
    },
  );

  it("is none where the edited call is allowed, or a plain question", async () => {
    expect(await fresh({}, { check: "asks" })).toEqual([]);
    expect(await fresh({}, {})).toEqual([]);
    expect(await fresh({}, { paths: [["walk", ".git/config"]] }, BYPASS)).toEqual([]);
    expect(await fresh({}, { paths: [["walk", ".git/config"]] })).toEqual([]);
  });

  it("is not made by a path that is only read", async () => {
    for (const access of ["read", "list"] as const) {
      expect(await fresh({ to: "carla" }, { to: "carla", paths: [[access, ".git/config"]] })).toEqual([]);
    }
  });

  it("names the path, and why it is one", async () => {
    expect(await fresh({}, { paths: [["write", ".git/config"]] })).toContain(
      "<start>/.git/config is protected (.git).",
    );
    expect(await fresh({}, { paths: [["remove", "."]] })).toContain(
      "<start> is protected (it is the start directory <start>).",
    );
  });

  it("is about the place, not the words for it", async () => {
    const alias: Raised = { paths: [["write", "alias/config"]] };
    const plain: Raised = { paths: [["write", ".git/config"]] };
    expect((await fresh(alias, plain)).filter((message) => message.includes("is protected ("))).toEqual([]);
    expect((await fresh(plain, alias)).filter((message) => message.includes("is protected ("))).toEqual([]);
  });

  it("names a check that asks by itself", async () => {
    expect(await fresh({}, { check: "kept" })).toContain("The check of act asks about it.");
    expect(await fresh({ hook: true }, { hook: true, check: "asks" })).toEqual([]);
    expect(await fresh({ hook: true }, { hook: true, check: "allows" })).toEqual([]);
  });
});

describe("a rule that asks", () => {
  const rule = (over: Partial<SourcedRule>): SourcedRule => ({
    text: "act",
    behavior: "ask",
    source: "session",
    ...over,
  });

  it("is another one in another source or file", async () => {
    const one = rule({});
    for (const other of [rule({ source: "cliArg" }), rule({ file: "settings.json" })]) {
      expect((await fresh({ rules: [one] }, { rules: [other] })).length).toBe(1);
    }
    expect((await fresh({ rules: [one] }, { rules: [one, rule({ source: "cliArg" })] })).length).toBe(1);
    expect(
      (await fresh({ rules: [rule({ source: "cliArg" })] }, { rules: [one, rule({ source: "cliArg" })] }))
        .length,
    ).toBe(1);
  });

  it("is told of up to twenty", async () => {
    const many = Array.from({ length: 25 }, (_, i) => `act(carla${"*".repeat(i + 1)})`);
    expect((await fresh({}, { to: "carla", ask: many })).length).toBe(20);
    expect((await fresh({}, { to: "carla", ask: many.slice(0, 7) })).length).toBe(7);
  });
});

describe("a safety check", () => {
  it.each(kinds)("asks, wherever it stands: %s", async (kind, [raised]) => {
    const isSafety = kind.startsWith("a ") && !kind.includes("check");
    expect(asksForSafety(await judged(raised), NOW)).toBe(isSafety);
    expect(asksForSafety(await judged(together(raised, { paths: [["write", ".git/config"]] })), NOW)).toBe(
      true,
    );
  });

  it("does not where nothing is asked", async () => {
    expect(asksForSafety(await judged({ paths: [["walk", ".git/config"]] }, BYPASS), NOW)).toBe(false);
    expect(asksForSafety(await judged({}), NOW)).toBe(false);
  });
});
