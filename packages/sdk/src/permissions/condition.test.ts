import { describe, expect, it } from "vitest";
import type { DecideCall } from "./call.ts";
import { conditionHolds } from "./condition.ts";
import { answer, bashCall, contextOf, fileCall, toolOf } from "./test-kit.ts";

const context = contextOf({ deny: ["Bash"] }, { mode: "bypassPermissions", isBypassAvailable: true });
const holds = (rule: string, call: DecideCall) => conditionHolds(rule, call, context);
const mcp: DecideCall = {
  tool: toolOf("mcp__srv__get", { source: "mcp", mcp: { server: "srv", tool: "get" } }),
  input: {},
  targets: [{ kind: "mcp", server: "srv", tool: "get" }],
};

describe("a rule as a condition", () => {
  it.each<[string, DecideCall, "no" | "part" | "whole"]>([
    ["Bash(git *)", bashCall("git push"), "whole"],
    ["Bash(git *)", bashCall("git"), "whole"],
    ["Bash(git *)", bashCall("npm test"), "no"],
    ["Bash(git *)", bashCall("npm test && git push"), "part"],
    ["Bash(git *)", bashCall("ls src && git push"), "whole"],
    ["Bash(git *)", bashCall("sudo git push"), "part"],
    ["Bash(git *)", bashCall("/usr/bin/git push"), "part"],
    ["Bash(git *)", bashCall("$X push"), "part"],
    ["Bash(git *)", bashCall('eval "$X"'), "part"],
    ["Bash(git push:*)", bashCall("git $X"), "part"],
    ["Bash(git push:*)", bashCall("git status"), "no"],
    ["Bash(git *)", bashCall("git log > out"), "part"],
    ["Bash", bashCall("anything; at all"), "whole"],
    ["Bash(git *)", fileCall("Edit", "a.ts"), "no"],
    ["Edit(*.ts)", fileCall("Edit", "a.ts"), "whole"],
    ["Edit(*.ts)", fileCall("Edit", "a.js"), "no"],
    ["Edit", fileCall("Edit", "a.js"), "whole"],
    ["Read(.env)", bashCall("cat .env"), "whole"],
    ["mcp__srv", mcp, "whole"],
    ["mcp__srv__get_*", mcp, "no"],
    ["mcp__other", mcp, "no"],
  ])("%s on %o: %s", (rule, call, expected) => {
    expect(holds(rule, call)).toBe(expected);
  });

  it("is at least as wide as the same deny rule, and where it is whole the allow rule allows", () => {
    const rules = ["Bash(git *)", "Bash(npm run *)", "Read(.env)", "Edit(src/**)"];
    const lines = ["git log", "env git log", "cat .env", "npm run x | tee src/a", "(git x)", "echo $(git y)"];
    for (const rule of rules) {
      for (const line of lines) {
        const call = bashCall(line);
        const found = holds(rule, call);
        if (answer(call, { deny: [rule] }) === "deny") expect([rule, line, found]).not.toContain("no");
        if (found === "whole") expect([rule, line, answer(call, { allow: [rule] })]).toContain("allow");
      }
    }
  });
});
