import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../test/setup/runs.ts";
import type { PathResolution, PermissionContext, SettingPlace } from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import { bashCall, contextOf, decided, fileCall, HOME, type Rules, resolution, toolOf } from "../test-kit.ts";

const PLACE: SettingPlace = { source: "projectSettings", file: ".castellan/settings.json", position: 4 };
const READS: Partial<PermissionContext> = { blockReadsOutside: PLACE };
const WRITES: Partial<PermissionContext> = { blockWritesOutside: PLACE };
const BOTH = { ...READS, ...WRITES };
const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };
const OPEN: Rules = { allow: ["Bash", "Read", "Edit", "Write", "Grep", "Edit(//**)", "PowerShell"] };

/** Under everything that allows: rules on the whole tools, a hook's allow, bypass. */
function answer(call: DecideCall, over: Partial<PermissionContext>, rules: Rules = OPEN) {
  const decision = decided(
    { ...call, hooks: { behavior: "allow" } },
    contextOf(rules, { ...BYPASS, ...over }),
  );
  return `${decision.behavior} ${decision.reason.type}`;
}

describe("paths outside the working directories", () => {
  it.each<[string, DecideCall, string, string]>([
    ["a read", fileCall("Read", "/etc/hosts"), "deny settings", "allow mode"],
    ["a walk", fileCall("Grep", "/etc"), "deny settings", "allow mode"],
    ["a list", fileCall("LS", HOME), "deny settings", "allow mode"],
    ["a write", fileCall("Write", "/tmp/x"), "allow mode", "deny settings"],
    ["a reader", bashCall("cat src/a /etc/hosts"), "deny settings", "allow mode"],
    ["an input", bashCall("sort < ../other"), "deny settings", "allow mode"],
    ["a redirect", bashCall("echo x > /tmp/x"), "allow mode", "deny settings"],
    ["a writer", bashCall("touch /tmp/x"), "allow mode", "deny settings"],
    ["a removal", bashCall("rm ../x"), "allow mode", "deny settings"],
    ["a copy to the outside", bashCall("cp a /tmp/x"), "allow mode", "deny settings"],
    ["a copy from the outside", bashCall("cp /tmp/x a"), "deny settings", "allow mode"],
    ["an unknown operand of a reader", bashCall("cat $X"), "deny settings", "ask settings"],
    ["an unknown operand of a writer", bashCall("touch $X"), "ask settings", "deny settings"],
    ["a place that cd leaves open", bashCall("cd src; cd $X; cat a"), "deny settings", "ask settings"],
    ["a pattern", bashCall("cat /etc/h*"), "deny settings", "allow mode"],
  ])("%s", (_, call, underReads, underWrites) => {
    expect(answer(call, READS)).toBe(underReads);
    expect(answer(call, WRITES)).toBe(underWrites);
    expect(answer(call, {})).toBe("allow mode");
  });

  it("leads outside through a link, is not resolved, or may become a link: denied", () => {
    const inside = resolution("/w/proj/link");
    const read = (each: PathResolution) => fileCall("Read", "link", { resolutions: [each] });
    expect(answer(read(inside), BOTH)).toBe("allow mode");
    expect(answer(read(resolution("/w/proj/link", { real: "/etc/hosts" })), BOTH)).toBe("deny settings");
    const { real: _, ...unresolved } = inside;
    expect(answer(read(unresolved), BOTH)).toBe("deny settings");
    const linked = decided(fileCall("Read", "link", { linked: true }), contextOf(OPEN, BOTH));
    expect(linked.message).toContain("may have made a link");
  });

  it("what lies inside is judged as if there were no switch", () => {
    for (const call of [
      fileCall("Read", "src/a"),
      fileCall("Write", "src/a"),
      bashCall("cat src/a | sort > out; rm -r build && echo done > /dev/null 2>&1"),
      bashCall("cd src && ls"),
      bashCall("git status"),
      bashCall("timeout 5 grep -r x src"),
      bashCall("X=1; export CI=1"),
      bashCall("echo x | tee -a out && chmod -R u+w build"),
      bashCall("ln -sf a b"),
      bashCall("f() { echo x; }; f"),
      bashCall("# nothing"),
    ]) {
      expect([call.input, answer(call, BOTH)]).toEqual([call.input, answer(call, {})]);
    }
  });
});

describe("what cannot be followed", () => {
  it.each([
    "node build.js",
    "npm test",
    "ls && ./x",
    "source ./env.sh",
    "bash ./x.sh",
    "sudo cat a",
    "find . -exec npm test \\;",
    "$X a",
    "eval $X",
    "echo 'unclosed",
    "curl https://a.example/",
    "tee --output-error=x a",
    "install -t d a",
    "FOO=1 cat a",
  ])("%s is asked about in every mode", (line) => {
    for (const over of [READS, WRITES])
      expect(answer(bashCall(line), over)).toMatch(/^ask (settings|opaque|safetyCheck)$/);
    expect(answer(bashCall(line), {})).toMatch(/^allow/);
  });

  it("git shows its whole repository: free only where that is the start directory, and trusted", () => {
    expect(answer(bashCall("git log -p"), { ...READS, trusted: false })).toBe("ask settings");
    expect(answer(bashCall("git log -p"), { ...READS, projectRoot: "/w" })).toBe("ask settings");
  });

  it("PowerShell and a shell line that nobody analysed", () => {
    const unseen = {
      tool: toolOf("PowerShell"),
      input: {},
      targets: [{ kind: "name", value: "PowerShell" }],
    } as const;
    expect(answer(unseen, READS)).toBe("ask settings");
    expect(answer(unseen, {})).toBe("allow mode");
    expect(answer({ tool: toolOf("Bash"), input: {}, targets: [] }, WRITES)).toBe("ask settings");
  });

  it("other tools say what they touch, or are no matter of these switches", () => {
    const custom = {
      tool: toolOf("deploy", { source: "custom" }),
      input: {},
      targets: [{ kind: "name", value: "deploy" }],
    } as const;
    expect(answer(custom, BOTH)).toBe("allow mode");
  });
});

describe("what the reader is told", () => {
  it("names the switch and its place", () => {
    const denied = decided(fileCall("Read", "/etc/hosts"), contextOf(OPEN, BOTH));
    expect(denied.message).toBe(
      "Read is denied: blockReadsOutsideWorkingDirectories (projectSettings, .castellan/settings.json, line 4) forbids to read `/etc/hosts`: it lies outside the working directories.",
    );
    const asked = decided(
      bashCall("node x.js"),
      contextOf(OPEN, { blockWritesOutside: { source: "policySettings" } }),
    );
    expect(asked).toMatchObject({ behavior: "ask", hard: true, suggestions: [] });
    expect(asked.message).toContain(
      "What `node x.js` touches is not known, and blockWritesOutsideWorkingDirectories (policySettings) is set.",
    );
    expect(decided(bashCall("cat $X"), contextOf(OPEN, BOTH)).message).toContain(
      "where it lies is not known",
    );
  });
});

describe("property", () => {
  const RANK = { allow: 0, ask: 1, deny: 2 } as const;
  const path = fc.constantFrom("a", "src/b", "../c", "/etc/d", "~/e", "$X", ".git/config", "/dev/null");
  const line = fc
    .array(
      fc.oneof(
        fc.tuple(
          fc.constantFrom("cat", "touch", "rm", "node", "grep -r x", "cd", "git log --", "echo >"),
          path,
        ),
        fc.tuple(fc.constantFrom("ls", "npm test", "eval"), fc.constantFrom("", "-l")),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.map((words) => words.join(" ")).join(" && "));
  const call = fc.oneof(
    line.map((text) => bashCall(text)),
    fc.tuple(fc.constantFrom("Read", "Write", "Grep", "LS"), path).map(([tool, at]) => fileCall(tool, at)),
  );
  const rules = fc.record({
    allow: fc.subarray(["Bash", "Read", "Edit", "Bash(cat:*)", "Read(//**)"]),
    deny: fc.subarray(["Read(.git/**)", "Bash(rm:*)"]),
    ask: fc.subarray(["Write", "Bash(node:*)"]),
  });
  const mode = fc.constantFrom("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions" as const);

  it("a switch never loosens, and two switches never less than one", () => {
    fc.assert(
      fc.property(call, rules, mode, fc.constantFrom(READS, WRITES), (each, some, under, one) => {
        const rank = (over: Partial<PermissionContext>) =>
          RANK[decided(each, contextOf(some, { mode: under, isBypassAvailable: true, ...over })).behavior];
        expect(rank(one)).toBeGreaterThanOrEqual(rank({}));
        expect(rank(BOTH)).toBeGreaterThanOrEqual(rank(one));
      }),
      { numRuns: runs },
    );
  });
});
