import { describe, expect, it } from "vitest";
import type { PermissionMode, RuleSource, SourcedRule } from "../../protocol/index.ts";
import { emptyState, type SessionState } from "../../sessions/index.ts";
import { layerOf, mergePermissions, type Settings } from "../../settings/index.ts";
import type { Options } from "../options/types.ts";
import { startingRules } from "./session-rules.ts";

const absolute = (path: string) => (path.startsWith("/") ? path : `/w/${path}`);
const PLACES = { trusted: true, home: "/h", projectRoot: "/w", cwd: "/w" };

/** As a session would: the option `settings` is a layer like the machine's policy and files. */
function start(
  options: Options,
  state: SessionState = emptyState(),
  files: Partial<Record<RuleSource, Settings>> = {},
  isFork = false,
) {
  const value = typeof options.settings === "object" ? options.settings : {};
  const layers = [
    layerOf({ source: "flagSettings", file: "settings", value }).layer,
    ...Object.entries(files).map(
      ([source, each]) =>
        layerOf({ source: source as RuleSource, file: `/${source}.json`, value: each }).layer,
    ),
  ];
  const merged = mergePermissions(layers, PLACES);
  return startingRules({ options, state, merged, flag: value, isFork, absolute });
}
const texts = (rules: readonly SourcedRule[]) =>
  rules.map((rule) => `${rule.source} ${rule.behavior} ${rule.text}`).sort();

/** A session as its log left it. */
function recorded(
  mode: PermissionMode,
  rules: readonly SourcedRule[] = [],
  more: Partial<SessionState> = {},
): SessionState {
  return {
    ...emptyState(),
    mode,
    additionalDirectories: [["/old", "cliArg"]],
    configured: { model: "m", mode, tools: [], rules, additionalDirectories: [["/old", "cliArg"]] },
    ...more,
  };
}

const RULES: readonly SourcedRule[] = [
  { text: "Read", behavior: "allow", source: "cliArg" },
  { text: "Bash", behavior: "deny", source: "cliArg" },
  { text: "Edit", behavior: "allow", source: "flagSettings" },
  { text: "Write", behavior: "deny", source: "flagSettings" },
  { text: "Grep", behavior: "ask", source: "flagSettings" },
];
const ALL = [
  "cliArg allow Read",
  "cliArg deny Bash",
  "flagSettings allow Edit",
  "flagSettings ask Grep",
  "flagSettings deny Write",
];

describe("rules of a new session", () => {
  it("come from both options and the flag settings, each with its place", () => {
    const { rules, mode } = start({
      allowedTools: ["Read", "Edit(a/**), Bash(ls, x)"],
      disallowedTools: ["Bash(rm:*)"],
      settings: { permissions: { allow: ["Grep"], deny: ["Write"], ask: ["Glob"], defaultMode: "plan" } },
    });
    expect(mode).toBe("plan");
    expect(texts(rules)).toEqual([
      "cliArg allow Bash(ls, x)",
      "cliArg allow Edit(a/**)",
      "cliArg allow Read",
      "cliArg deny Bash(rm:*)",
      "flagSettings allow Grep",
      "flagSettings ask Glob",
      "flagSettings deny Write",
    ]);
    expect(rules.find((rule) => rule.text === "Write")).toMatchObject({
      file: "settings.permissions.deny",
      position: 1,
    });
    expect(rules.find((rule) => rule.text === "Edit(a/**)")).toMatchObject({
      file: "allowedTools",
      position: 2,
    });
  });

  it("directories become absolute; yolo is bypassPermissions; without a word it is default", () => {
    const options: Options = {
      additionalDirectories: ["lib", "/abs"],
      settings: { permissions: { additionalDirectories: ["docs", "lib"] } },
    };
    expect(start(options)).toMatchObject({
      mode: "default",
      directories: [
        ["/w/docs", "flagSettings"],
        ["/w/lib", "cliArg"],
        ["/abs", "cliArg"],
      ],
    });
    expect(start({ permissionMode: "yolo", settings: { permissions: { defaultMode: "plan" } } }).mode).toBe(
      "bypassPermissions",
    );
  });
});

describe("rules of a resumed session", () => {
  it("hold as they were recorded, with the grants of the session", () => {
    const grant: SourcedRule = { text: "Bash(ls)", behavior: "allow", source: "session" };
    const state = recorded("acceptEdits", RULES, {
      sessionRules: [grant],
      additionalDirectories: [
        ["/old", "cliArg"],
        ["/added", "session"],
      ],
    });
    const { rules, mode, directories } = start({}, state);
    expect(mode).toBe("acceptEdits");
    expect(texts(rules)).toEqual([...ALL, "session allow Bash(ls)"]);
    expect(directories).toEqual([
      ["/old", "cliArg"],
      ["/added", "session"],
    ]);
  });

  it.each<readonly [string, Options, string, string | undefined]>([
    ["allowedTools", { allowedTools: ["Glob"] }, "cliArg allow Read", "cliArg allow Glob"],
    ["an empty allowedTools", { allowedTools: [] }, "cliArg allow Read", undefined],
    ["disallowedTools", { disallowedTools: ["LS"] }, "cliArg deny Bash", "cliArg deny LS"],
    ["settings.allow", { settings: { permissions: { allow: [] } } }, "flagSettings allow Edit", undefined],
    ["settings.deny", { settings: { permissions: { deny: [] } } }, "flagSettings deny Write", undefined],
  ])("%s replaces its own list and no other: no deny is forgotten on the way", (_, options, gone, come) => {
    const { rules } = start(options, recorded("default", RULES));
    const expected = [...ALL.filter((text) => text !== gone), ...(come === undefined ? [] : [come])];
    expect(texts(rules)).toEqual(expected.sort());
  });

  it("leave out what an update took away: neither rule nor directory comes back", () => {
    const gone = { text: "Read", behavior: "allow", source: "cliArg" } as const;
    const state = recorded("default", RULES, { removedRules: [gone], additionalDirectories: [] });
    const { rules, directories } = start({}, state);
    expect(texts(rules)).toEqual(ALL.filter((text) => text !== "cliArg allow Read"));
    expect(directories).toEqual([]);
    expect(texts(start({ allowedTools: ["Read"] }, state).rules)).toEqual(ALL);
  });

  it("keep a deny that an update added to the options' list, when that list is named anew", () => {
    const grant: SourcedRule = { text: "Bash(rm:*)", behavior: "deny", source: "cliArg" };
    const state = recorded("default", RULES, { sessionRules: [grant] });
    const { rules } = start({ disallowedTools: [] }, state);
    expect(texts(rules)).toContain("cliArg deny Bash(rm:*)");
    expect(texts(rules)).not.toContain("cliArg deny Bash");
  });

  it("in a fork keep what forbids and asks, whatever lists the options name, each rule once", () => {
    const options: Options = {
      ...{ allowedTools: ["LS"], disallowedTools: ["Glob"] },
      settings: { permissions: { allow: [], deny: ["Write"], ask: ["LS"] } },
    };
    const own = RULES.map((rule) => ({
      ...rule,
      file:
        rule.source === "flagSettings"
          ? "settings"
          : rule.behavior === "deny"
            ? "disallowedTools"
            : "allowedTools",
    }));
    const named = ["cliArg allow LS", "cliArg deny Glob", "flagSettings ask LS", "flagSettings deny Write"];
    expect(texts(start(options, recorded("default", own), {}, false).rules)).toEqual(named);
    expect(texts(start(options, recorded("default", own), {}, true).rules)).toEqual(
      [...named, "cliArg deny Bash", "flagSettings ask Grep"].sort(),
    );
    const gone = { text: "Bash", behavior: "deny", source: "cliArg", file: "disallowedTools" } as const;
    const lifted = recorded("default", own, { removedRules: [gone] });
    expect(texts(start(options, lifted, {}, true).rules)).not.toContain("cliArg deny Bash");
  });

  it("bypassPermissions needs the danger flag again, and says so", () => {
    const state = recorded("bypassPermissions");
    const { mode, warning } = start({}, state);
    expect(mode).toBe("default");
    expect(warning).toMatch(/allowDangerouslySkipPermissions/);
    const again = start({ allowDangerouslySkipPermissions: true }, state);
    expect([again.mode, again.warning]).toEqual(["bypassPermissions", undefined]);
    expect(start({ permissionMode: "plan" }, state)).not.toHaveProperty("warning");
  });
});
