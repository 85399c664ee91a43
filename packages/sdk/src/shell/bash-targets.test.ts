import { describe, expect, it } from "vitest";
import type { ShellAnalysis, Target } from "../protocol/index.ts";
import { analyseFresh } from "./analyse.ts";
import { targetsOfLine } from "./bash-targets.ts";

function targets(line: string): Target[] {
  return [...targetsOfLine(analyseFresh(line))];
}

/** Those that are no commands. */
function rest(line: string): Target[] {
  return targets(line).filter(({ kind }) => kind !== "command");
}

describe("the targets of a line", () => {
  it("hold each command, all with the one analysis, before all else", () => {
    const analysis = analyseFresh("cat a && ls b");
    const all = targetsOfLine(analysis);
    expect(all.slice(0, 2)).toEqual([
      { kind: "command", analysis, command: 0 },
      { kind: "command", analysis, command: 1 },
    ]);
    expect(all.slice(2).map(({ kind }) => kind)).toEqual(["path", "path"]);
  });

  it("hold one command where nothing was found, so that the line is judged", () => {
    for (const line of ["", "# x", "echo 'open"]) {
      const analysis: ShellAnalysis = { ...analyseFresh(line), commands: [] };
      expect(targetsOfLine(analysis)[0]).toEqual({ kind: "command", analysis, command: 0 });
      expect(targetsOfLine(analysis)).toHaveLength(1 + analysis.paths.length);
    }
  });

  it.each<[string, Target[]]>([
    [
      "cat a",
      [{ kind: "path", access: "read", path: "a", from: [""], shell: { command: 0, by: "operand" } }],
    ],
    [
      "ls > a",
      [
        { kind: "path", access: "write", path: "a", from: [""], shell: { command: 0, by: "redirect" } },
        { kind: "path", access: "list", path: ".", from: [""], shell: { command: 0, by: "operand" } },
      ],
    ],
    [
      "rm -r a*",
      [
        {
          kind: "path",
          access: "remove",
          path: "a*",
          from: [""],
          glob: true,
          recursive: true,
          shell: { command: 0, by: "operand" },
        },
      ],
    ],
    [
      "cat $X",
      [
        {
          kind: "path",
          access: "read",
          path: "$X",
          from: [""],
          unknown: true,
          shell: { command: 0, by: "operand" },
        },
      ],
    ],
    [
      "git show HEAD:a",
      [
        {
          kind: "path",
          access: "read",
          path: "a",
          from: [""],
          base: "repository",
          shell: { command: 0, by: "operand" },
        },
      ],
    ],
    ["curl http://a.b", [{ kind: "host", via: "shell", host: "a.b" }]],
    ["curl http://$X", [{ kind: "host", via: "shell" }]],
  ])("of %s", (line, want) => {
    expect(rest(line)).toEqual(want);
  });

  it("a path from an unknown directory is unknown, unless it is whole", () => {
    const from = (line: string): unknown =>
      rest(line)
        .map((target) => (target.kind === "path" ? [target.path, target.unknown] : target))
        .at(-1);
    expect(from("eval $X; cat a")).toEqual(["a", true]);
    expect(from("eval $X; cat /a")).toEqual(["/a", undefined]);
    expect(from("eval $X; cat ~/a")).toEqual(["~/a", undefined]);
    expect(from("eval $X; cat ~")).toEqual(["~", undefined]);
  });

  it("tells of links that the line may have made, and of places that may be meant", () => {
    const linked = rest("ln -s /etc x; cat x/a").at(-1);
    expect(linked).toMatchObject({ path: "x/a", links: [expect.objectContaining({ path: "x" })] });
    const moved = rest("cd d; eval $X; cat a").at(-1);
    expect(moved).toMatchObject({ path: "a", unknown: true, maybe: ["a", "d/a"] });
    expect(rest("cat a")[0]).not.toHaveProperty("maybe");
    expect(rest("cat a")[0]).not.toHaveProperty("links");
  });
});
