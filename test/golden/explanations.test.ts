import { describe, expect, it } from "vitest";
import { gateKit, makeTool } from "../../packages/sdk/src/gate/test-kit.ts";
import {
  check,
  type Decision,
  type DecisionReason,
  explainDecision,
  formatRule,
} from "../../packages/sdk/src/permissions-entry.ts";
import { memoryFiles, nodePlatform } from "../../packages/sdk/src/platform/index.ts";
import { DISK, EXPLAINED, type Explained } from "./explanations.cases.ts";

async function decisionOf({ call, files = {}, options }: Explained): Promise<Decision> {
  const fs = memoryFiles(["/w/app", "/home/u", "/proc/self"], { ...DISK, ...files });
  const platform = {
    ...nodePlatform(),
    fs,
    env: {},
    os: "linux" as const,
    homedir: () => "/home/u",
    cwd: () => "/w/app",
  };
  return check(call, { platform, settingSources: ["user", "project", "local"], trusted: true, ...options });
}

/** Decisions of hooks and callbacks, which a dry run has none of. */
async function answered(): Promise<Map<string, Decision>> {
  const found = new Map<string, Decision>();
  const told = async (name: string, options: Parameters<typeof gateKit>[0]): Promise<void> => {
    const kit = await gateKit({ tools: [makeTool("deploy")], ...options });
    const verdict = await kit.ask("deploy");
    await kit.remove();
    if (verdict.kind !== "cancelled" && verdict.decision !== undefined) found.set(name, verdict.decision);
  };
  const hook = (permissionDecision: "allow" | "deny" | "ask") => ({
    PreToolUse: [
      {
        hooks: [
          async () => ({
            hookSpecificOutput: {
              hookEventName: "PreToolUse" as const,
              permissionDecision,
              permissionDecisionReason: "The window for deployments is closed.",
            },
          }),
        ],
      },
    ],
  });
  await told("a hook that denies", { hooks: hook("deny") });
  await told("a hook that asks, and nobody there", { hooks: hook("ask") });
  await told("a callback that denies", { canUseTool: () => ({ behavior: "deny", message: "Not today." }) });
  await told("a callback that allows", { canUseTool: () => ({ behavior: "allow" }) });
  return found;
}

function block(name: string, { call, options }: Partial<Explained>, text: string): string {
  const what =
    call === undefined
      ? ""
      : `${call.tool} ${JSON.stringify(call.input)}${options?.mode === undefined ? "" : `, mode ${options.mode}`}\n\n`;
  return `### ${name}\n\n${what}\`\`\`text\n${text}\n\`\`\`\n`;
}

const types = ({ reason, ...rest }: { reason: DecisionReason } & object): string[] => [
  reason.type,
  ...("reason" in reason ? types({ ...rest, reason: reason.reason }) : []),
];

describe("explanations", () => {
  it("are what was read line by line against the design, of every reason that there is", async () => {
    const seen = new Set<string>();
    const parts: string[] = ["# Explanations\n"];
    for (const [part, cases] of Object.entries(EXPLAINED)) {
      parts.push(`## ${part}\n`);
      for (const [name, each] of Object.entries(cases)) {
        const decision = await decisionOf(each);
        for (const type of types(decision)) seen.add(type);
        parts.push(block(name, each, explainDecision(decision)));
      }
    }
    parts.push("## Answered by a hook or a person\n");
    for (const [name, decision] of await answered()) {
      for (const type of types(decision)) seen.add(type);
      parts.push(block(name, {}, explainDecision(decision)));
    }
    expect(parts.filter((text) => text.startsWith("###")).length).toBeGreaterThanOrEqual(50);
    // The others come with what they are about: servers' own policies, the classifier, approvals, the sandbox.
    expect([...seen].sort()).toEqual(
      [
        ...["callback", "hook", "invalid", "mode", "noApprover", "opaque", "planCeiling", "risk", "rule"],
        ...["safetyCheck", "settings", "subcommand", "tool", "toolPolicy", "undecided", "workingDirectory"],
      ].sort(),
    );
    await expect(parts.join("\n")).toMatchFileSnapshot("explanations.md");
  });

  it.each(Object.values(EXPLAINED).flatMap((cases) => Object.entries(cases)))(
    "keeps to 12 lines of 100 columns: %s",
    async (_, each) => {
      const decision = await decisionOf(each);
      const lines = explainDecision(decision).split("\n");
      expect(lines.length).toBeLessThanOrEqual(12);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
      expect(lines[0]).toContain(`${decision.behavior}: `);
      if (decision.rule !== undefined) expect(lines.join(" ")).toContain(decision.rule.text);
    },
  );

  it.each(Object.entries(EXPLAINED["Asked about in every mode"] ?? {}))(
    "names the rule that lifts it, and only where one does: %s",
    async (_, each) => {
      const { reason } = await decisionOf(each);
      const rules = reason.type === "safetyCheck" ? (reason.liftedBy ?? []) : [];
      const lifted = { ...each, options: { ...each.options, allowedTools: rules } };
      expect((await decisionOf(lifted)).behavior).toBe(rules.length > 0 ? "allow" : "ask");
    },
  );

  it.each(Object.values(EXPLAINED).flatMap((cases) => Object.entries(cases)))(
    "offers rules that do settle it: %s",
    async (_, each) => {
      const { suggestions } = await decisionOf(each);
      if (suggestions.length === 0) return;
      const rules = suggestions.flatMap((update) => ("rules" in update ? update.rules.map(formatRule) : []));
      const allowedTools = [...(each.options?.allowedTools ?? []), ...rules];
      expect((await decisionOf({ ...each, options: { ...each.options, allowedTools } })).behavior).toBe(
        "allow",
      );
    },
  );
});
