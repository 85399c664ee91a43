import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../protocol/index.ts";
import { makeTool } from "./test-kit.ts";
import { toolFacts } from "./tool-facts.ts";

const facts = (fields: Partial<ToolDefinition> = {}, input = {}) =>
  toolFacts(makeTool("send", fields), input);
const throwing = () => {
  throw new Error("broken");
};
/** Each function of a tool that tells a flag, with the fact, and what it is where nothing is known. */
const FLAGS = [
  ["isReadOnly", "readOnly", false],
  ["isDestructive", "destructive", true],
  ["isOpenWorld", "openWorld", true],
  ["requiresUserInteraction", "requiresUser", true],
] as const;

describe("the facts of a tool", () => {
  it("are what it says, and nothing that it does not say", () => {
    expect(facts()).toStrictEqual({
      name: "send",
      aliases: [],
      source: "custom",
      readOnly: false,
      destructive: false,
      openWorld: false,
      requiresUser: false,
      hasCheck: false,
      riskLevel: "high",
      allowedInPlan: false,
      allowedByItself: false,
    });
    const mcpInfo = { serverName: "server", toolName: "tool" };
    expect(
      facts({
        mcpInfo,
        permissionPolicy: "always_ask",
        allowedInPlan: true,
        allowedByItself: true,
        aliases: ["post"],
      }),
    ).toMatchObject({
      aliases: ["post"],
      mcp: { server: "server", tool: "tool" },
      permissionPolicy: "always_ask",
      allowedInPlan: true,
      allowedByItself: true,
    });
    expect(facts({ checkPermissions: () => ({ behavior: "allow" }) }).hasCheck).toBe(true);
  });

  it.each(FLAGS)("%s is told of this input", (name, fact) => {
    const told = (flag: boolean) =>
      facts({ [name]: (input: { flag: boolean } | undefined) => input?.flag ?? flag }, { flag });
    expect(told(true)[fact]).toBe(true);
    expect(told(false)[fact]).toBe(false);
  });

  it.each(FLAGS)("%s is the dangerous answer where it throws or says nonsense", (name, fact, dangerous) => {
    expect(facts({ [name]: throwing })[fact]).toBe(dangerous);
    for (const nonsense of [undefined, null, 0, 1, "true", {}]) {
      expect(facts({ [name]: () => nonsense })[fact]).toBe(dangerous);
    }
  });

  it("have a risk of three levels, the highest where nothing better is known", () => {
    for (const level of ["low", "medium", "high"] as const) {
      expect(facts({ riskLevel: () => level }).riskLevel).toBe(level);
    }
    for (const nonsense of [undefined, "none", "LOW", 0]) {
      expect(facts({ riskLevel: () => nonsense as never }).riskLevel).toBe("high");
    }
    expect(facts({ riskLevel: throwing }).riskLevel).toBe("high");
  });

  it("are allowed in plan mode by the flag alone", () => {
    expect(facts({ allowedInPlan: 1 as never }).allowedInPlan).toBe(false);
    expect(facts({ allowedByItself: 1 as never }).allowedByItself).toBe(false);
  });

  it("test a specifier with the matcher of this input", () => {
    const made = facts({ preparePermissionMatcher: (input) => (text) => text === input.to }, { to: "anna" });
    expect(made.matchesSpecifier?.("anna")).toBe(true);
    expect(made.matchesSpecifier?.("berta")).toBe(false);
    expect(facts().matchesSpecifier).toBeUndefined();
  });

  it.each([
    ["that throws", throwing],
    ["that is none", () => "yes"],
    ["that is absent", () => undefined],
  ])("have a matcher %s: it throws for each rule", (_, prepare) => {
    const made = facts({ preparePermissionMatcher: prepare as never });
    expect(() => made.matchesSpecifier?.("anna")).toThrow(
      new TypeError("preparePermissionMatcher gave no function"),
    );
  });
});
