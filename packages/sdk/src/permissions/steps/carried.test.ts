import { describe, expect, it } from "vitest";
import type { PathResolution } from "../../protocol/index.ts";
import { parseSegment, segmentsMeet } from "../rule/segment.ts";
import { answer, bashCall } from "../test-kit.ts";

const bypass = { mode: "bypassPermissions", isBypassAvailable: true } as const;

/** The line's call, with what its trees hold. */
function holding(line: string, name: string): ReturnType<typeof bashCall> {
  const call = bashCall(line);
  const holds = { name, loaded: false };
  const targets = call.targets.map((target) =>
    target.kind !== "path"
      ? target
      : { ...target, resolutions: target.resolutions.map((each): PathResolution => ({ ...each, holds })) },
  );
  return { ...call, targets };
}

describe("a tree that carries a protected name along", () => {
  it.each(["cp -r evil x", "/bin/cp -r evil x", "rsync -a evil/ x", "mv evil x", "sudo cp -a evil x"])(
    "is asked about in every mode: %s",
    (line) => {
      expect(answer(holding(line, ".git"), {}, bypass)).toBe("ask");
      expect(answer(holding(line, ".git"), { allow: ["Bash", "Edit"] })).toBe("ask");
    },
  );

  it.each(["rm -rf evil", "tar cf x.tar evil", "cp evil x", "grep -r a evil > x"])(
    "is no copy: %s",
    (line) => {
      expect(answer(holding(line, ".git"), {}, bypass)).toBe("allow");
    },
  );

  it("is only a guess where it is too large to look through", () => {
    expect(answer(holding("cp -r evil x", "*"), {}, bypass)).toBe("allow");
    expect(answer(holding("cp -r evil x", "*"), {}, { mode: "acceptEdits" })).toBe("ask");
  });
});

describe("a line with more files than are looked at", () => {
  const line = "> a ".repeat(1100);
  it("is asked about in every mode, whatever is allowed", () => {
    expect(answer(bashCall(line), {}, bypass)).toBe("ask");
    expect(answer(bashCall(line), { allow: ["Bash", "Edit"] })).toBe("ask");
  });
});

describe("a named class in brackets", () => {
  // Some match is denied: a deny or a question are both right, silence is not.
  it.each([
    ["cat .e[[:lower:]]v", /deny|ask/],
    ["cat .[[:alpha:]]nv", /deny|ask/],
    ["cat .en[^[:digit:]]", /deny|ask/],
    ["cat .e[[=n=]]v", /deny|ask/],
    ["cat x[[:lower:]]v", /allow/],
  ])("%s", (line, wanted) => {
    expect(answer(bashCall(line), { deny: ["Read(./.env)"] }, bypass)).toMatch(wanted);
  });

  it("in an allow pattern means no more than it says", () => {
    const segment = parseSegment("a[[:digit:]]", false);
    expect(segmentsMeet(segment, parseSegment("b1", false))).toBe(false);
    expect(segment.kind === "glob" && segment.tokens.length).toBe(2);
  });
});
