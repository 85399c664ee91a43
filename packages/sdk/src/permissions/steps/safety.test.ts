import { describe, expect, it } from "vitest";
import type {
  PathAccess,
  PathResolution,
  PermissionContext,
  ResolvedPathTarget,
  ResolvedTarget,
} from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import { bashCall, contextOf, decided, fileCall, type Rules, resolution, START } from "../test-kit.ts";

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };
const GIT = { name: ".git", loaded: false };
const LOADED = { name: ".castellan", loaded: true };

/** What stands against the call in a mode that lets all else pass, and the rules that would lift it. */
function fault(call: DecideCall, rules: Rules = {}): readonly (string | undefined)[] {
  const { reason } = decided(call, contextOf(rules, BYPASS));
  if (reason.type !== "safetyCheck") return [];
  return [reason.detail, ...(reason.liftedBy ?? [])];
}

function touch(access: PathAccess, over: Partial<ResolvedPathTarget>, ...at: PathResolution[]): DecideCall {
  return fileCall("Write", "x", { access, resolutions: at, ...over });
}

function at(path: string, over: Partial<PathResolution> = {}): PathResolution {
  return resolution(`${START}/${path}`, over);
}

describe("what stands against a path", () => {
  it.each<[string, DecideCall, string[]]>([
    ["nothing", touch("write", {}, at("a")), []],
    [
      "a protected name",
      touch("write", {}, at(".git/config", { protected: GIT })),
      ["It changes something below a protected name (.git).", "Edit(//w/proj/.git/config)"],
    ],
    [
      "its removal",
      touch("remove", {}, at(".git/config", { protected: GIT })),
      ["It changes something below a protected name (.git).", "Edit(//w/proj/.git/config)"],
    ],
    ["no look at it", touch("read", {}, at(".git/config", { protected: GIT })), []],
    ["no list of it", touch("list", {}, at(".git", { protected: GIT })), []],
    [
      "a file that is loaded",
      touch("write", {}, at(".castellan/[x]", { protected: LOADED })),
      [
        "It changes a file that holds rules, hooks or servers (.castellan).",
        "Edit(//w/proj/.castellan/\\[x\\])",
      ],
    ],
    [
      "two places, each once",
      touch("write", {}, at(".git/a", { protected: GIT }), at(".git/b", { protected: GIT }), at(".git/a")),
      [
        "It changes something below a protected name (.git).",
        "Edit(//w/proj/.git/a)",
        "Edit(//w/proj/.git/b)",
      ],
    ],
    [
      "a link, which no rule lifts by its name",
      touch("write", {}, at(".git/a", { protected: GIT, real: "/w/proj/.git/b" })),
      ["It changes something below a protected name (.git)."],
    ],
    [
      "one link among two places",
      touch("write", {}, at(".git/a", { protected: GIT }), at("l", { real: "/w/proj/.git/b" })),
      ["It changes something below a protected name (.git)."],
    ],
    [
      "a pattern",
      touch("write", { glob: true, path: ".git/*" }, at(".git", { protected: GIT })),
      ["It changes something below a protected name (.git)."],
    ],
    [
      "a place that is not known",
      touch("write", { unknown: true }, at(".git", { protected: GIT })),
      ["It changes something below a protected name (.git)."],
    ],
    [
      "a root",
      touch("remove", {}, at("", { removesRoot: "it is the start directory" })),
      ["It removes too much: it is the start directory."],
    ],
    ["no removal of a root", touch("write", {}, at("", { removesRoot: "it is the start directory" })), []],
    [
      "a suspicious path, looked at",
      touch("read", {}, at("x", { suspicious: "it is a device" })),
      ["The path is suspicious: it is a device."],
    ],
    [
      "an unknown removal of a tree",
      touch("remove", { unknown: true, recursive: true, path: "$X" }),
      ["It removes something whose place is not known before it runs."],
    ],
    [
      "an unknown removal in a directory",
      touch("remove", { unknown: true, path: "$X/a" }),
      ["It removes something whose place is not known before it runs."],
    ],
    ["no unknown removal of one name", touch("remove", { unknown: true, path: "$X" }), []],
    ["no unknown write", touch("write", { unknown: true, recursive: true, path: "$X/a" }), []],
    [
      "a write that may go through a link",
      touch("write", { unknown: true, linked: true }),
      ["It writes where the same line may have made a link, so what it changes is not known before it runs."],
    ],
    [
      "a removal that may",
      touch("remove", { unknown: true, linked: true, path: "x" }),
      ["It writes where the same line may have made a link, so what it changes is not known before it runs."],
    ],
    ["no read that may", touch("read", { unknown: true, linked: true }), []],
    ["no stream", touch("write", {}, resolution("/dev/null", { suspicious: "it is a device" })), []],
  ])("%s", (_, call, want) => {
    expect(fault(call)).toEqual(want);
  });

  it.each<[string, string[], boolean]>([
    ["the very rule", ["Edit(//w/proj/.git/config)"], true],
    ["a rule below the name", ["Edit(.git/**)"], true],
    ["the name in another case", ["Edit(.GIT/**)"], false],
    ["a rule on another name", ["Edit(src/**)"], false],
    ["a rule on all", ["Edit(**)"], false],
    ["no Edit rule", ["Read(.git/**)"], false],
  ])("is lifted by %s: %j %s", (_, allow, lifted) => {
    expect(fault(touch("write", {}, at(".git/config", { protected: GIT })), { allow })).toHaveLength(
      lifted ? 0 : 2,
    );
  });

  it.each<[string[], boolean]>([
    [["Edit(./.castellan/settings.json)"], true],
    [["Edit(//w/proj/.castellan/settings.json)"], true],
    [["Edit(./.castellan/**)"], false],
    [["Edit(./.castellan/settings.json/**)"], false],
    [["Edit(./.castellan/settings.json/)"], false],
    [["Edit(./.castellan/settings.js*)"], false],
    [["Edit(./.castellan)"], false],
    [["Edit(**)"], false],
    [["Edit"], false],
  ])("a loaded file is lifted by %j: %s", (allow, lifted) => {
    const call = touch("write", {}, at(".castellan/settings.json", { protected: LOADED }));
    expect(fault(call, { allow })).toHaveLength(lifted ? 0 : 2);
  });
});

describe("what is carried along with a tree", () => {
  const carried = ["It carries something with a protected name (.git) along."];
  const withFirst = (line: string, over: Partial<PathResolution>): DecideCall => {
    const call = bashCall(line);
    const change = (target: ResolvedTarget): ResolvedTarget =>
      target.kind === "path" && /^(?:a|\*)$/.test(target.path)
        ? { ...target, resolutions: target.resolutions.map((each) => ({ ...each, ...over })) }
        : target;
    return { ...call, targets: call.targets.map(change) };
  };

  it.each([
    ["cp -r a b", true],
    ["/bin/cp -r a b", true],
    ["CP -r a b", true],
    ["rsync -r a b", true],
    ["mv a b", true],
    ["cp a b", false],
    ["rm -r a", false],
    ["grep -r x a", false],
    ["echo x > b; cp -r a b", true],
  ])("%s: %s", (line, asks) => {
    expect(fault(withFirst(line, { holds: GIT }))).toEqual(asks ? carried : []);
    expect(fault(withFirst(line, { holds: { name: "*", loaded: false } }))).toEqual([]);
    expect(fault(withFirst(line, {}))).toEqual([]);
  });

  it("counts what a pattern names", () => {
    expect(fault(withFirst("cp -r * b", { protected: GIT }))).toEqual(carried);
    expect(fault(withFirst("cp -r a b", { protected: GIT }))).toEqual([]);
  });

  it("is judged for one line, whose command is known", () => {
    const two = withFirst("cp -r a b", { holds: GIT });
    expect(fault({ ...two, targets: [...two.targets, ...bashCall("ls").targets] })).toEqual([]);
    const own = touch("walk", { recursive: true }, at("a", { holds: GIT }));
    expect(fault(own)).toEqual([]);
  });
});
