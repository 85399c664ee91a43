import { describe, expect, it } from "vitest";
import { decisionText } from "./decision-text.ts";
import { rememberText } from "./rule-text.ts";

const rule = { text: "Read(.env)", behavior: "deny", source: "flagSettings" } as const;

describe("decisionText", () => {
  it("names the rule and its source", () => {
    const reason = { type: "rule", rule } as const;
    const denied = { behavior: "deny", message: "Read is denied: …", reason } as const;
    expect(decisionText({ ...denied, rule })).toBe("rule Read(.env) from flagSettings");
    expect(decisionText({ ...denied, rule: { ...rule, file: "a.json" } })).toBe(
      "rule Read(.env) from flagSettings (a.json)",
    );
  });

  it("names who answered a question", () => {
    const reason = { type: "callback", detail: "x" } as const;
    const yes = { behavior: "allow", message: "Allowed by canUseTool.", reason, asked: true } as const;
    expect(decisionText(yes, "person")).toBe("asked, you allowed it");
    expect(decisionText(yes, "script")).toBe("asked, the script allowed it");
    expect(decisionText(yes)).toBe("Allowed by canUseTool");
    expect(decisionText({ ...yes, behavior: "deny", message: "not now" }, "person")).toBe(
      "asked, you denied it: not now",
    );
  });

  it("gives every other reason without the words that the row says already", () => {
    const reason = { type: "noApprover", detail: "x" } as const;
    const denied = { behavior: "deny", message: "Bash is denied: nobody can be asked.", reason } as const;
    expect(decisionText(denied, "person")).toBe("nobody can be asked");
  });
});

describe("rememberText", () => {
  it("spells every kind of update", () => {
    const rules = [{ toolName: "Bash", ruleContent: "npm test" }, { toolName: "Read" }];
    expect(
      rememberText([
        { type: "addRules", rules, behavior: "allow", destination: "session" },
        { type: "addDirectories", directories: ["/a", "/b"], destination: "session" },
        { type: "setMode", mode: "acceptEdits", destination: "session" },
      ]),
    ).toBe("Bash(npm test), Read; directory /a, /b; mode acceptEdits");
    expect(rememberText([])).toBeUndefined();
  });
});
