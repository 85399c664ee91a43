import { describe, expect, it } from "vitest";
import type { PermissionContext, ResolvedTarget } from "../../protocol/index.ts";
import type { DecideCall, ToolFacts } from "../call.ts";
import {
  answer,
  bashCall,
  contextOf,
  decided,
  fileCall,
  pathTarget,
  type Rules,
  resolution,
  toolOf,
} from "../test-kit.ts";

const EDITS: Partial<PermissionContext> = { mode: "acceptEdits" };

function toolCall(name: string, over: Partial<ToolFacts>, ...targets: ResolvedTarget[]): DecideCall {
  return { tool: toolOf(name, over), input: {}, targets };
}

const host = (name?: string, via?: "shell"): ResolvedTarget => ({
  kind: "host",
  ...(name === undefined ? {} : { host: name }),
  ...(via === undefined ? {} : { via }),
});

describe("hosts", () => {
  const shell = (line: string, ...hosts: ResolvedTarget[]): DecideCall => {
    const call = bashCall(line);
    return { ...call, targets: [...call.targets.filter(({ kind }) => kind !== "host"), ...hosts] };
  };

  it.each<[string, DecideCall, Rules, string]>([
    [
      "go with the command of a line",
      shell("curl a.b", host("a.b", "shell")),
      { allow: ["Bash(curl:*)"] },
      "allow",
    ],
    [
      "but not those that the tool declares",
      shell("curl a.b", host("a.b")),
      { allow: ["Bash(curl:*)"] },
      "ask",
    ],
    [
      "which want a rule of their own",
      shell("curl a.b", host("a.b")),
      { allow: ["Bash(curl:*)", "WebFetch(domain:a.b)"] },
      "allow",
    ],
    ["need a rule without a line", toolCall("Fetch", {}, host("a.b", "shell")), {}, "ask"],
    ["of which any may do", toolCall("Fetch", {}, host("a.b")), { allow: ["WebFetch(domain:*.b)"] }, "allow"],
    [
      "whatever their case",
      toolCall("Fetch", {}, host("A.B.")),
      { allow: ["WebFetch(domain:a.b)"] },
      "allow",
    ],
    ["but must be known", toolCall("Fetch", {}, host()), { allow: ["WebFetch(domain:*)"] }, "ask"],
    ["each", toolCall("Fetch", {}, host("a.b"), host("c.d")), { allow: ["WebFetch(domain:a.b)"] }, "ask"],
  ])("%s", (_, call, rules, want) => {
    expect(answer(call, rules)).toBe(want);
  });
});

describe("paths that a tool declares", () => {
  const inside = pathTarget("read", "a");
  const written = pathTarget("write", "b");

  it.each<[string, DecideCall, Partial<PermissionContext>, string]>([
    ["a reader of our own", toolCall("Peek", { readOnly: true }, inside), {}, "allow"],
    ["a tool of our own that claims nothing", toolCall("Peek", {}, inside), {}, "ask"],
    ["one that writes beside", toolCall("Peek", {}, inside, written), EDITS, "allow"],
    ["one that writes beside, without the mode", toolCall("Peek", {}, inside, written), {}, "ask"],
    ["a custom reader", toolCall("Peek", { source: "custom", readOnly: true }, inside), {}, "ask"],
    [
      "a custom reader of low risk",
      toolCall("Peek", { source: "custom", readOnly: true, riskLevel: "low" }, inside),
      {},
      "allow",
    ],
    ["a custom writer", toolCall("Peek", { source: "custom" }, written), EDITS, "ask"],
    [
      "a custom writer of low risk",
      toolCall("Peek", { source: "custom", riskLevel: "low" }, written),
      EDITS,
      "allow",
    ],
    [
      "a server's reader of low risk",
      toolCall("mcp__s__x", { source: "mcp", readOnly: true, riskLevel: "low" }, inside),
      {},
      "ask",
    ],
    ["a pattern that is written", fileCall("Write", "*", { glob: true }), EDITS, "ask"],
    ["a pattern that is read", fileCall("Read", "*", { glob: true }), {}, "allow"],
  ])("%s", (_, call, over, want) => {
    expect(answer(call, {}, over)).toBe(want);
  });

  it("are no matter of a line, unless the line touches them", () => {
    const call = bashCall("ls a");
    const extra = { ...call, targets: [...call.targets, pathTarget("write", "/w/other/b")] };
    expect(answer(extra)).toBe("ask");
    expect(answer(extra, { allow: ["Edit(//w/other/b)"] })).toBe("allow");
    const loose = toolCall("Run", {}, pathTarget("read", "/w/x", { shell: { command: 0, by: "operand" } }));
    expect(answer(loose)).toBe("ask");
    expect(answer(loose, { allow: ["Read(//w/x)"] })).toBe("allow");
  });

  it("are granted by no rule where their place is not known", () => {
    const allow = ["Read(//**)", "Edit(//**)"];
    const place = resolution("/w/other/a");
    expect(answer(fileCall("Read", "a", { resolutions: [place] }), { allow })).toBe("allow");
    expect(answer(fileCall("Read", "a", { resolutions: [place], unknown: true }), { allow })).toBe("ask");
    expect(answer(fileCall("Read", "a*", { resolutions: [place], glob: true }), { allow })).toBe("ask");
    expect(answer(fileCall("Read", "a", { resolutions: [] }), { allow })).toBe("ask");
    expect(answer(fileCall("Write", "a", { resolutions: [place] }), { allow: ["Read(//**)"] })).toBe("ask");
  });
});

describe("names and agents", () => {
  const name = (value: string, over: Partial<ToolFacts> = {}): DecideCall =>
    toolCall("deploy", { source: "custom", aliases: ["ship"], ...over }, { kind: "name", value });

  it("are matched with rules of the tool's names", () => {
    expect(answer(name("web"), { allow: ["deploy(web)"] })).toBe("allow");
    expect(answer(name("web"), { allow: ["ship(we*)"] })).toBe("allow");
    expect(answer(name("web"), { allow: ["deploy(api)", "ship(web)"] })).toBe("allow");
    expect(answer(name("web"), { allow: ["deploy(api)"] })).toBe("ask");
    expect(answer(name("web"), { allow: ["Deploy(web)"] })).toBe("ask");
  });

  it("may be matched by the tool itself, which a throw makes no yes", () => {
    const own = (specifier: string): boolean => {
      if (specifier === "broken") throw new Error("no");
      return specifier === "frontend";
    };
    const call = name("web", { matchesSpecifier: own });
    expect(answer(call, { allow: ["deploy(frontend)"] })).toBe("allow");
    expect(answer(call, { allow: ["deploy(backend)"] })).toBe("ask");
    expect(answer(call, { allow: ["deploy(broken)"] })).toBe("ask");
  });

  it("of agents go by rules on agents", () => {
    const call = toolCall("Agent", {}, { kind: "agent", type: "review" });
    expect(answer(call, { allow: ["Agent(rev*)"] })).toBe("allow");
    expect(answer(call, { allow: ["Task(review)"] })).toBe("allow");
    expect(answer(call, { allow: ["Agent(plan)"] })).toBe("ask");
  });
});

describe("rules that end", () => {
  it.each<[string, DecideCall, string]>([
    ["a host", toolCall("Fetch", {}, host("a.b")), "WebFetch(domain:a.b)"],
    ["an agent", toolCall("Agent", {}, { kind: "agent", type: "x" }), "Agent(x)"],
    ["a name", toolCall("deploy", { source: "custom" }, { kind: "name", value: "x" }), "deploy(x)"],
    ["a path", fileCall("Read", "/w/a"), "Read(//w/a)"],
    ["a command", bashCall("npm test"), "Bash(npm test)"],
    ["a shell", bashCall("npm test"), "Bash"],
    ["a server", toolCall("R", {}, { kind: "mcp", server: "s", tool: "t" }), "mcp__s__t"],
  ])("no longer allow %s", (_, call, text) => {
    const under = (expires: number): string =>
      decided(call, contextOf({}, { rules: [{ text, behavior: "allow", source: "session", expires }] }), 100)
        .behavior;
    expect(under(100)).toBe("allow");
    expect(under(99)).toBe("ask");
  });
});

describe("what a decision tells of its rule", () => {
  it("is all that is known of it, and nothing of when it ends", () => {
    const own = {
      text: "Bash(npm test)",
      behavior: "allow",
      source: "userSettings",
      file: "a.json",
      position: 3,
      reason: "Why not.",
      approver: "human",
    } as const;
    const { rule } = decided(bashCall("npm test"), contextOf({}, { rules: [{ ...own, expires: 2e12 }] }));
    expect(rule).toEqual(own);
    const plain = { text: "Bash(npm test)", behavior: "allow", source: "session" } as const;
    expect(decided(bashCall("npm test"), contextOf({}, { rules: [plain] })).rule).toEqual(plain);
  });
});
