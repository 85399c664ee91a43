import { describe, expect, it } from "vitest";
import { readUpdates } from "./read-updates.ts";

const RULES = [{ toolName: "Bash", ruleContent: "ls" }, { toolName: "Read" }];
const ADD = { type: "addRules", rules: RULES, behavior: "allow", destination: "session" };

describe("readUpdates", () => {
  it.each([
    [[]],
    [[ADD]],
    [[{ ...ADD, type: "replaceRules", behavior: "deny", destination: "localSettings" }]],
    [[{ ...ADD, type: "removeRules", behavior: "ask", destination: "projectSettings" }]],
    [[{ type: "setMode", mode: "plan", destination: "userSettings" }]],
    [[{ type: "setMode", mode: "yolo", destination: "cliArg" }]],
    [[{ type: "addDirectories", directories: ["/a", "b"], destination: "session" }]],
    [[{ type: "removeDirectories", directories: [], destination: "session" }, ADD]],
  ])("takes %j as it is", (value) => {
    expect(readUpdates(value, "updates")).toEqual({ ok: true, updates: value });
  });

  it("copies, and leaves out what it does not know", () => {
    const rules = [{ toolName: "Bash", ruleContent: "ls", reason: "x" }];
    const directories = ["/a"];
    const read = readUpdates(
      [
        { ...ADD, rules, extra: 1 },
        { type: "addDirectories", directories, destination: "session", mode: "plan" },
      ],
      "updates",
    );
    rules.push({ toolName: "Write", ruleContent: "", reason: "" });
    directories.push("/etc");
    expect(read).toEqual({
      ok: true,
      updates: [
        { ...ADD, rules: [{ toolName: "Bash", ruleContent: "ls" }] },
        { type: "addDirectories", directories: ["/a"], destination: "session" },
      ],
    });
  });

  const destinations = "session, localSettings, projectSettings, userSettings, cliArg";
  const types = "addRules, replaceRules, removeRules, setMode, addDirectories, removeDirectories";
  it.each<[unknown, string]>([
    [undefined, "updates is no list"],
    [{ 0: ADD, length: 1 }, "updates is no list"],
    [[ADD, 5], "updates[1] is no object"],
    [[null], "updates[0] is no object"],
    [["session"], "updates[0] is no object"],
    [[{ ...ADD, destination: "policySettings" }], `updates[0] has no known destination (${destinations})`],
    [[{ type: "addRules" }], `updates[0] has no known destination (${destinations})`],
    [[{ ...ADD, behavior: "permit" }], "updates[0] has a behavior that is none of allow, deny and ask"],
    [[{ ...ADD, rules: {} }], "updates[0] has rules that are no list of { toolName, ruleContent? }"],
    [[{ ...ADD, rules: [null] }], "updates[0] has no toolName in rules[0]"],
    [[{ ...ADD, rules: [RULES[0], { toolName: "" }] }], "updates[0] has no toolName in rules[1]"],
    [[{ ...ADD, rules: [{ toolName: 5 }] }], "updates[0] has no toolName in rules[0]"],
    [
      [{ ...ADD, rules: [RULES[1], { toolName: "Bash", ruleContent: 5 }] }],
      "updates[0] has a ruleContent in rules[1] that is no text",
    ],
    [
      [{ type: "setMode", mode: "fast", destination: "session" }],
      "updates[0] has no known mode (default, acceptEdits, plan, dontAsk, bypassPermissions, yolo)",
    ],
    [
      [{ type: "addDirectories", directories: "/a", destination: "session" }],
      "updates[0] has directories that are no list of paths",
    ],
    [
      [{ type: "removeDirectories", directories: ["/a", ""], destination: "session" }],
      "updates[0] has directories that are no list of paths",
    ],
    [
      [{ type: "addDirectories", directories: ["/a", 5], destination: "session" }],
      "updates[0] has directories that are no list of paths",
    ],
    [[{ ...ADD, type: "allowAll" }], `updates[0] has no known type (${types})`],
  ])("says what is wrong with %j", (value, problem) => {
    expect(readUpdates(value, "updates")).toEqual({ ok: false, problem });
  });
});
