import { describe, expect, it } from "vitest";
import type { PermissionContext, PermissionUpdate } from "../protocol/index.ts";
import { normaliseMode } from "./modes.ts";
import { contextOf, rule } from "./test-kit.ts";
import { applyUpdates, enterMode } from "./updates.ts";

function applied(context: PermissionContext, ...updates: PermissionUpdate[]): PermissionContext {
  const result = applyUpdates(context, updates);
  if ("error" in result) throw new Error(result.error);
  return result.context;
}

function refusal(context: PermissionContext, ...updates: unknown[]): string {
  const result = applyUpdates(context, updates as PermissionUpdate[]);
  return "error" in result ? result.error : "";
}

const texts = (context: PermissionContext): string[] =>
  context.rules.map(({ behavior, source, text }) => `${behavior} ${source} ${text}`);

const add = (toolName: string, ruleContent?: string, over = {}): PermissionUpdate => ({
  type: "addRules",
  rules: [ruleContent === undefined ? { toolName } : { toolName, ruleContent }],
  behavior: "allow",
  destination: "session",
  ...over,
});

describe("applyUpdates", () => {
  it("adds, replaces and removes rules of one source and behaviour", () => {
    const start = contextOf(
      {},
      { rules: [rule("Bash(ls:*)", "allow", "userSettings"), rule("Read", "deny")] },
    );
    const one = applied(start, add("Bash", "npm test:*"), add("Edit"), add("Bash", "npm test:*"));
    expect(texts(one)).toEqual([
      "allow userSettings Bash(ls:*)",
      "deny session Read",
      "allow session Bash(npm test:*)",
      "allow session Edit",
    ]);
    const two = applied(one, add("Write", "*", { type: "replaceRules" }));
    expect(texts(two)).toEqual(["allow userSettings Bash(ls:*)", "deny session Read", "allow session Write"]);
    const three = applied(
      two,
      add("Write", undefined, { type: "removeRules" }),
      add("Bash", "ls:*", { type: "removeRules" }),
    );
    expect(texts(three)).toEqual(["allow userSettings Bash(ls:*)", "deny session Read"]);
    expect(texts(start)).toHaveLength(2);
  });

  it("keeps session and command-line rules apart", () => {
    const context = applied(contextOf(), add("Bash"), add("Bash", undefined, { destination: "cliArg" }));
    expect(texts(context)).toEqual(["allow session Bash", "allow cliArg Bash"]);
  });

  it("counts what is meant for a file as if it had been read from there", () => {
    const file = {
      text: "Edit",
      behavior: "allow",
      source: "localSettings",
      file: "f",
      position: 3,
    } as const;
    const context = { ...contextOf(), rules: [file] };
    const added = applied(context, add("Bash", undefined, { destination: "localSettings" }));
    expect(texts(added)).toEqual(["allow localSettings Edit", "allow localSettings Bash"]);
    const gone = add("Edit", undefined, { type: "removeRules", destination: "localSettings" });
    expect(texts(applied(added, gone))).toEqual(["allow localSettings Bash"]);
    expect(texts(applied(added, { ...gone, destination: "userSettings" } as never))).toHaveLength(2);
  });

  it("takes no allow rule where only the machine's policy may hold them, and refuses a disabled bypass", () => {
    const place = {
      source: "policySettings",
      file: "/etc/castellan/managed-settings.json",
      position: 2,
    } as const;
    const context = contextOf(
      {},
      { managedRulesOnly: place, bypassDisabled: place, isBypassAvailable: true },
    );
    const deny = add("Edit", undefined, { behavior: "deny" });
    expect(texts(applied(context, add("Bash"), deny))).toEqual(["deny session Edit"]);
    expect(refusal(context, { type: "setMode", mode: "yolo", destination: "session" })).toMatch(
      /disabled by disableBypassPermissionsMode \(policySettings, .etc.castellan.managed-settings\.json, line 2\)/,
    );
  });

  it("applies all or nothing, and changes nothing in place", () => {
    const context = contextOf();
    expect(refusal(context, add("Bash"), add("Bash", "x", { destination: "somewhere" as never }))).toMatch(
      /somewhere is no destination of an update/,
    );
    expect(context.rules).toEqual([]);
  });

  it.each([
    [add("Bash", "", {}), /brackets are empty/],
    [add("", "x"), /no tool name/],
    [add("Bash", "x", { behavior: "grant" }), /no behaviour/],
    [
      { type: "setMode", mode: "bypassPermissions", destination: "session" },
      /allowDangerouslySkipPermissions/,
    ],
    [{ type: "setMode", mode: "yolo", destination: "session" }, /allowDangerouslySkipPermissions/],
    [{ type: "setMode", mode: "constructor", destination: "session" }, /no permission mode/],
    [{ type: "addDirectories", directories: ["x"], destination: "session" }, /not absolute/],
    [{ type: "grantAll", destination: "session" }, /no update/],
  ])("refuses %j", (update, why) => {
    expect(refusal(contextOf(), update)).toMatch(why);
  });

  it("adds and removes directories of its own source", () => {
    const start = contextOf({}, { additionalDirectories: new Map([["/a", "userSettings"]]) });
    const more = applied(start, {
      type: "addDirectories",
      directories: ["/a", "/b"],
      destination: "session",
    });
    expect([...more.additionalDirectories]).toEqual([
      ["/a", "userSettings"],
      ["/b", "session"],
    ]);
    const less = applied(more, {
      type: "removeDirectories",
      directories: ["/a", "/b"],
      destination: "session",
    });
    expect([...less.additionalDirectories.keys()]).toEqual(["/a"]);
  });

  it("remembers the mode before plan mode, and forgets it on leaving", () => {
    const start = contextOf({}, { mode: "acceptEdits", isBypassAvailable: true });
    const plan = applied(start, { type: "setMode", mode: "plan", destination: "session" });
    expect([plan.mode, plan.prePlanMode]).toEqual(["plan", "acceptEdits"]);
    expect(enterMode(plan, "plan")).toBe(plan);
    const bypass = applied(plan, { type: "setMode", mode: "yolo", destination: "session" });
    expect([bypass.mode, "prePlanMode" in bypass]).toEqual(["bypassPermissions", false]);
  });
});

describe("normaliseMode", () => {
  it("knows every mode and the other name of one", () => {
    expect(normaliseMode("yolo")).toBe("bypassPermissions");
    expect(normaliseMode("plan")).toBe("plan");
    expect(normaliseMode("bubble")).toBeUndefined();
    expect(normaliseMode("toString")).toBeUndefined();
  });
});
