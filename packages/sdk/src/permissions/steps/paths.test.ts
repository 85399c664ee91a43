import { describe, expect, it } from "vitest";
import type { PathResolution, PermissionContext } from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import {
  answer,
  bashCall,
  contextOf,
  decided,
  fileCall,
  HOME,
  pathTarget,
  type Rules,
  resolution,
  START,
} from "../test-kit.ts";

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };
const EDITS: Partial<PermissionContext> = { mode: "acceptEdits" };

function at(tool: string, path: string, over: Partial<PathResolution>): DecideCall {
  const full = path.startsWith("/") ? path : `${START}/${path}`;
  return fileCall(tool, path, { resolutions: [resolution(full, over)] });
}

describe("working directories", () => {
  it.each([
    ["Read", "a", {}, "allow"],
    ["Read", "/w/other/a", {}, "ask"],
    ["Grep", ".", {}, "allow"],
    ["Write", "a", {}, "ask"],
    ["Write", "a", EDITS, "allow"],
    ["Write", "/w/other/a", EDITS, "ask"],
    ["Write", "a", { mode: "plan" }, "deny"],
    ["Read", "a", { mode: "plan" }, "allow"],
    ["Read", "/w/other/a", { mode: "dontAsk" }, "deny"],
    ["Read", "/w/other/a", BYPASS, "allow"],
  ] as const)("%s %s in %j: %s", (tool, path, over, want) => {
    expect(answer(fileCall(tool, path), {}, over)).toBe(want);
  });

  it("needs the place where links lead as well", () => {
    expect(answer(at("Read", "link", { real: "/etc/passwd" }))).toBe("ask");
    expect(answer(at("Read", "link", { real: "/etc/passwd" }), { allow: ["Read(./link)"] })).toBe("ask");
    expect(
      answer(at("Read", "link", { real: "/etc/passwd" }), { allow: ["Read(./link)", "Read(//etc/passwd)"] }),
    ).toBe("allow");
  });

  it("asks about what could not be resolved", () => {
    const { real: _, ...unresolved } = resolution(`${START}/a`);
    const call = fileCall("Read", "a", { resolutions: [unresolved] });
    expect(answer(call)).toBe("ask");
    expect(answer(call, { allow: ["Read(./a)"] })).toBe("ask");
    expect(answer(call, { deny: ["Read(.env)"] }, BYPASS)).toBe("ask");
    expect(answer(fileCall("Read", "a", { resolutions: [] }))).toBe("ask");
  });
});

describe("path rules", () => {
  it.each<[string, string, Rules, string]>([
    ["Read", "/w/other/a", { allow: ["Read(//w/other/**)"] }, "allow"],
    ["Read", "/w/other/a", { allow: ["Edit(//w/other/**)"] }, "allow"],
    ["Grep", "/w/other", { allow: ["Grep(//w/other/**)"] }, "allow"],
    ["Write", "/w/other/a", { allow: ["Read(//w/other/**)"] }, "ask"],
    ["Write", "a", { allow: ["Edit(./a)"] }, "allow"],
    ["NotebookEdit", "a", { allow: ["Write(./a)"] }, "allow"],
    ["Edit", "a", { allow: ["Write"] }, "ask"],
    ["Write", "/w/other/a", { allow: ["Write"] }, "allow"],
    ["Read", "/w/other/a", { allow: ["Edit"] }, "ask"],
    ["Read", "/w/other/a", { allow: ["Read(**)"] }, "ask"],
    ["Read", "a", { deny: ["Read(./a)"] }, "deny"],
    ["Read", "A", { deny: ["Read(./a)"] }, "deny"],
    ["Read", "A", { allow: ["Read(./a)"], ask: ["Read(./a)"] }, "ask"],
    ["Write", "a", { deny: ["Read(./a)"], allow: ["Edit"] }, "deny"],
    ["Write", "a", { ask: ["Read(./a)"], allow: ["Write"] }, "allow"],
    ["Read", "a", { deny: ["Edit(./a)"] }, "allow"],
    ["Write", "src/a", { deny: ["Edit(./src/*)"], allow: ["Write"] }, "deny"],
    ["Write", "src/a/b", { deny: ["Edit(./src/*)"], allow: ["Write"] }, "deny"],
    ["Grep", "secrets", { deny: ["Read(./secrets/**)"] }, "deny"],
    ["Grep", ".", { deny: ["Read(./secrets/**)"] }, "allow"],
    ["Read", "a", { deny: ["Write"] }, "allow"],
    ["Write", "a", { deny: ["Read"], allow: ["Write"] }, "allow"],
    ["Read", "a", { deny: ["Read(!a)"] }, "allow"],
  ])("%s %s under %j: %s", (tool, path, rules, want) => {
    expect(answer(fileCall(tool, path), rules)).toBe(want);
  });

  it("deny and ask hit on the path as given, on every hop and where it leads", () => {
    const over = { real: "/z/end", hops: ["/y/middle"] };
    for (const text of ["Read(./link)", "Read(//y/middle)", "Read(//z/end)", "Read(//z/**)"]) {
      expect(answer(at("Read", "link", over), { deny: [text], allow: ["Read"] })).toBe("deny");
      expect(answer(at("Read", "link", over), { ask: [text], allow: ["Read"] })).toBe("ask");
    }
    expect(answer(at("Read", "link", over), { deny: ["Read(//x/**)"], allow: ["Read"] })).toBe("allow");
  });

  it("hits in any of the places where a line may be", () => {
    const resolutions = [resolution(`${START}/a`), resolution("/w/other/a")];
    const call = fileCall("Read", "a", { resolutions });
    expect(answer(call)).toBe("ask");
    expect(answer(call, { allow: ["Read(//w/other/a)"] })).toBe("ask");
    expect(answer(call, { allow: ["Read(//w/**)"] })).toBe("allow");
    expect(answer(call, { deny: ["Read(//w/other/a)"], allow: ["Read"] })).toBe("deny");
  });

  it("compares allow rules without case only where the disk does", () => {
    const call = fileCall("Write", "SRC/a");
    expect(answer(call, { allow: ["Edit(./src/**)"] })).toBe("ask");
    expect(answer(call, { allow: ["Edit(./src/**)"] }, { caseInsensitiveFiles: true })).toBe("allow");
  });

  it("takes a denied file that is only listed for no read, and a denied directory for one", () => {
    const file = { exists: true, directory: false };
    const folder = { exists: true, directory: true };
    const { deny } = { deny: ["Read(./secret)"] };
    expect(answer(at("LS", "secret", file), { deny })).toBe("allow");
    expect(answer(at("LS", "secret", folder), { deny })).toBe("deny");
    expect(answer(at("LS", "secret/x", folder), { deny })).toBe("deny");
    expect(answer(at("LS", "secret/x", file), { deny })).toBe("deny");
    expect(answer(at("LS", "secret", { exists: false }), { deny: ["Read(./secret/**)"] })).toBe("deny");
  });
});

describe("safety checks", () => {
  const git = { protected: { name: ".git", loaded: false } };
  const loaded = { protected: { name: ".castellan", loaded: true } };

  it.each([
    [{}, "ask"],
    [EDITS, "ask"],
    [BYPASS, "ask"],
    [{ mode: "dontAsk" }, "deny"],
    [{ mode: "plan", isBypassAvailable: true }, "deny"],
  ] as const)("hold in %j: %s", (over, want) => {
    expect(
      answer(at("Write", ".git/config", git), { allow: ["Edit", "Write", "Bash", "Edit(**)"] }, over),
    ).toBe(want);
  });

  it.each([
    ["Edit(.git/**)", "allow"],
    ["Edit(./.git/config)", "allow"],
    ["Edit(./.GIT/**)", "ask"],
    ["Edit(//w/proj/.git/**)", "allow"],
    ["Edit(**/.git/**)", "allow"],
    ["Edit(./.g*/**)", "ask"],
    ["Edit(./**)", "ask"],
    ["Edit(./.git*/**)", "ask"],
    ["Bash(touch:*)", "ask"],
  ])("are lifted by %s: %s", (text, want) => {
    expect(answer(at("Write", ".git/config", git), { allow: [text] })).toBe(want);
  });

  it("are lifted for files that hold rules only by their full name", () => {
    const call = at("Write", ".castellan/settings.json", loaded);
    expect(answer(call, { allow: ["Edit(.castellan/**)"] })).toBe("ask");
    expect(answer(call, { allow: ["Edit(./.castellan)"] })).toBe("ask");
    expect(answer(call, { allow: ["Edit(./.castellan/*.json)"] })).toBe("ask");
    expect(answer(call, { allow: ["Edit(./.castellan/settings.json)"] })).toBe("allow");
  });

  it("need the rule for every form of the path", () => {
    const call = at("Write", "x", { ...git, real: `${START}/.git/config` });
    expect(answer(call, { allow: ["Edit(./.git/**)"] })).toBe("ask");
    expect(answer(call, { allow: ["Edit(./.git/**)", "Edit(./x)"] })).toBe("ask");
  });

  it("know names of two components", () => {
    const flows = { protected: { name: ".github/workflows", loaded: false } };
    const call = at("Write", ".github/workflows/ci.yml", flows);
    expect(answer(call, { allow: ["Edit(.github/workflows/**)"] })).toBe("allow");
    expect(answer(call, { allow: ["Edit(.github/**)"] })).toBe("ask");
  });

  it("are about writes only, and about odd files whatever is done", () => {
    expect(answer(at("Read", ".git/config", git))).toBe("allow");
    expect(
      answer(
        at("Read", "/proc/self/environ", { suspicious: "it holds the environment" }),
        { allow: ["Read"] },
        BYPASS,
      ),
    ).toBe("ask");
  });

  it("never let a rule lift the removal of a root", () => {
    const remove = {
      ...fileCall("Write", "x"),
      targets: [
        pathTarget("remove", ".", {
          resolutions: [resolution(START, { removesRoot: "it is the start directory" })],
        }),
      ],
    };
    expect(answer(remove, { allow: ["Edit(./**)", "Write"] }, BYPASS)).toBe("ask");
  });

  it("ask about removals whose place is not known", () => {
    expect(answer(bashCall("rm -rf $X/a"), { allow: ["Bash"] }, BYPASS)).toBe("ask");
    expect(answer(bashCall("rm -rf $X"), { allow: ["Bash"] }, BYPASS)).toBe("ask");
    expect(answer(bashCall("rm $X"), { allow: ["Bash"] }, BYPASS)).toBe("allow");
  });
});

describe("what a decision tells", () => {
  it("names the path and the rule that denied it", () => {
    const decision = decided(fileCall("Read", ".env"), contextOf({ deny: ["Read(.env)"] }));
    expect(decision.rule).toEqual({ text: "Read(.env)", behavior: "deny", source: "session" });
    expect(decision.message).toContain("Read(.env)");
  });

  it("names the path that lies outside", () => {
    const decision = decided(fileCall("Read", `${HOME}/x`), contextOf());
    expect(decision.reason).toEqual({ type: "workingDirectory", path: `${HOME}/x` });
    expect(decision.message).toContain("outside the working directories");
  });
});
