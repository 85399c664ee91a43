import { describe, expect, it } from "vitest";
import type { PathResolution, PermissionContext, ResolvedPathTarget } from "../../protocol/index.ts";
import type { DecideCall } from "../call.ts";
import { answer, bashCall, fileCall, resolution, START, toolOf } from "../test-kit.ts";

const BYPASS: Partial<PermissionContext> = { mode: "bypassPermissions", isBypassAvailable: true };

/** The call, each of its paths a directory. */
function ofDirectories(call: DecideCall, over: Partial<PathResolution> = {}): DecideCall {
  const targets = call.targets.map((target) =>
    target.kind === "path"
      ? {
          ...target,
          resolutions: target.resolutions.map((each) => ({ ...each, directory: true, ...over })),
        }
      : target,
  );
  return { ...call, targets };
}

function withPath(over: Partial<ResolvedPathTarget>, ...resolutions: PathResolution[]): DecideCall {
  return fileCall(over.access === "write" ? "Write" : "Read", "x", { resolutions, ...over });
}

describe("what lies below a path", () => {
  const deny = ["Read(./sub/keep)", "Edit(./sub/keep)"];

  it.each([
    ["mv sub other", "ask"],
    ["rmdir sub", "ask"],
    ["ln -s sub other", "ask"],
    ["touch sub", "allow"],
    ["mv sob other", "allow"],
  ])("is touched with the directory by %s: %s", (line, want) => {
    expect(answer(ofDirectories(bashCall(line)), { deny }, BYPASS)).toBe(want);
    expect(answer(bashCall(line), { deny }, BYPASS)).toBe("allow");
    expect(answer(ofDirectories(bashCall(line), { directory: false }), { deny }, BYPASS)).toBe("allow");
  });

  it.each<[string, Partial<ResolvedPathTarget>, string]>([
    ["walked", { access: "walk" }, "ask"],
    ["walked, what is denied left out", { access: "walk", filtered: true }, "allow"],
    ["read with what is in it", { access: "read", recursive: true }, "ask"],
    ["read by a tool", { access: "read" }, "allow"],
    ["listed", { access: "list" }, "allow"],
    ["removed", { access: "remove" }, "ask"],
    ["written", { access: "write" }, "allow"],
  ])("%s", (_, over, want) => {
    const directory = resolution(`${START}/sub`, { directory: true });
    expect(answer(withPath(over, directory), { deny }, BYPASS)).toBe(want);
  });
});

describe("what a pattern may stand for", () => {
  it.each<[string, string, string]>([
    ["cat sub/*", "Read(./sub/keep)", "ask"],
    ["cat sub/k*", "Read(./sub/keep)", "ask"],
    ["cat sub/x*", "Read(./sub/keep)", "allow"],
    ["cat sub/?eep", "Read(./sub/keep)", "ask"],
    ["cat sub/[jk]eep", "Read(./sub/keep)", "ask"],
    ["cat sub/*/../keep", "Read(./sub/keep)", "ask"],
    ["cat s*/./keep", "Read(./sub/keep)", "ask"],
    ["cat s*//keep", "Read(./sub/keep)", "ask"],
    ["cat s*/keep/", "Read(./sub/keep)", "ask"],
    ["cat s*/x", "Read(./sub/keep)", "allow"],
    ["cat s*/keep", "Read(//w/other/**)", "allow"],
    ["cat s*/../../other/a", "Read(//w/other/**)", "ask"],
    ["cat 's*'/k*", "Read(./s\\*/keep)", "ask"],
    ["cat 's*'/k*", "Read(./sub/keep)", "allow"],
    ["cat 's?'/'k[x]'/*", "Read(./s\\?/k\\[x\\]/a)", "ask"],
    ["cat *", "Read(./keep)", "ask"],
    ["cat SUB/K*", "Read(./sub/keep)", "ask"],
    ["rm -r s*", "Edit(./sub/keep)", "ask"],
    ["rm s*", "Edit(./sub/keep)", "allow"],
  ])("%s under a deny of %s: %s", (line, text, want) => {
    expect(answer(bashCall(line), { deny: [text] }, BYPASS)).toBe(want);
  });

  it("counts from the place where links lead, and from each link on the way", () => {
    const { targets } = bashCall("grep -r x sub");
    const tree = (over: Partial<PathResolution>): DecideCall => ({
      tool: toolOf("Bash"),
      input: {},
      targets: targets.map((target) =>
        target.kind === "path" ? { ...target, resolutions: [resolution(`${START}/sub`, over)] } : target,
      ),
    });
    const over = { real: "/z/end", hops: ["/y/middle"] };
    for (const text of ["Read(./sub/a)", "Read(//z/end/a)", "Read(//y/middle/a)"])
      expect(answer(tree(over), { deny: [text] }, BYPASS)).toBe("ask");
    expect(answer(tree(over), { deny: ["Read(//x/a)"] }, BYPASS)).toBe("allow");
    expect(answer(tree({}), { deny: ["Read(//z/end/a)"] }, BYPASS)).toBe("allow");
  });
});

describe("streams", () => {
  const write = (over: Partial<ResolvedPathTarget>, ...paths: string[]): DecideCall =>
    withPath({ access: "write", ...over }, ...paths.map((path) => resolution(path)));
  const over = { ...BYPASS, blockWritesOutside: { source: "policySettings" } } as const;

  it("lie outside no directory, where each place is one", () => {
    expect(answer(write({}, "/dev/null"), {}, over)).toBe("allow");
    expect(answer(write({}, "/dev/null", "/dev/stdout"), {}, over)).toBe("allow");
    expect(answer(write({}, "/dev/null", "/dev/sda"), {}, over)).toBe("deny");
    expect(answer(write({}, "/dev/sda", "/dev/null"), {}, over)).toBe("deny");
  });

  it("are none where the place is not known, or is a pattern", () => {
    expect(answer(write({ unknown: true }, "/dev/null"), {}, over)).toBe("deny");
    expect(answer(write({ glob: true, path: "/dev/null*" }, "/dev/null"), {}, over)).toBe("deny");
    expect(answer(write({}), {}, over)).toBe("deny");
  });
});
