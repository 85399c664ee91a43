import { describe, expect, it } from "vitest";
import type { ShellPath } from "../protocol/index.ts";
import { analyseFresh } from "./analyse.ts";

/** The first path that is called so. */
function path(line: string, raw: string): ShellPath | undefined {
  return analyseFresh(line).paths.find((each) => each.path === raw);
}

describe("a path that a link of the line may lead elsewhere", () => {
  it.each([
    "ln -s src d; cat d/f",
    "for i in 1 2; do cat d/f; ln -sfn src d; done",
    "while true; do cat d/f; ln -sfn src d; done",
    "{ sleep 1; cat d/f; } & ln -s src d",
    "(cat d/f) & ln -s src d",
    "cat d/f & ln -s src d",
    "coproc cat d/f; ln -s src d",
    "cat d/f | ln -s src d",
    "ln -s src d | cat d/f",
    "echo <(cat d/f); ln -s src d",
    "f() { cat d/f; }; ln -s src d; f",
    "trap 'cat d/f' EXIT; ln -s src d",
    "find . -exec sh -c 'cat d/f; ln -sfn src d' \\;",
    "echo x | xargs -I{} sh -c 'cat d/f; ln -sfn src d'",
    "ln -s .. x/d; cat x/d/f",
    "cd x && ln -s .. d && cd d && cat d/f",
  ])("is unknown: %s", (line) => {
    expect(analyseFresh(line).paths.filter((each) => each.path.endsWith("d/f"))).toEqual([
      expect.objectContaining({ unknown: true }),
    ]);
  });

  it("is unknown also where only the directory of the link makes it one", () => {
    expect(path("ln -s src d && cd d && cat f", "f")?.unknown).toBe(true);
    expect(path("cd x && ln -s src d; cat x/d/f", "x/d/f")?.unknown).toBe(true);
  });

  it.each(["cat d/f; ln -s src d", "ln -s src d; cat e/f; true", "cat d/f && ln -s src e"])(
    "is known where no link can be on the way yet: %s",
    (line) => {
      const found = analyseFresh(line).paths.find((each) => /[de]\/f/.test(each.path));
      expect(found).toBeDefined();
      expect(found?.unknown).toBeUndefined();
    },
  );

  it("knows where a link stands that is put into a directory", () => {
    const links = (line: string) => path(`${line}; cat y`, "y")?.links?.map((link) => link.path);
    expect(links("ln -s a/b .")).toEqual(["./b"]);
    expect(links("ln -s a/b d/")).toEqual(["d/b"]);
    expect(links("ln -s a b d")).toEqual(["d/a", "d/b"]);
    expect(links("ln -s a/b")).toEqual(["b"]);
    expect(links("ln -st d a/b")).toEqual(["d/b"]);
    expect(links("ln -s a/b d")).toEqual(["d"]);
    expect(path("mv a b; cat y", "y")?.links).toEqual([{ command: 0, path: "b", from: [""], copied: true }]);
  });
});

describe("a path whose directory is not known", () => {
  it.each([
    ["trap 'cat f' EXIT; cd src", ["f", "src/f"]],
    ["g() { cat f; }; cd src; g", ["f", "src/f"]],
    ["while true; do cd src; cat f; done", ["f", "src/f"]],
    ["pushd src; cat f", ["f", "src/f"]],
    ["env -C src cat f", ["f", "src/f"]],
    ["bash -O lastpipe -c 'true | cd src; cat f'", ["f", "src/f"]],
  ])("may lie in those that the line goes to: %s", (line, expected) => {
    const found = analyseFresh(line).paths.find((each) => each.path === "f");
    expect(found?.from).toBeUndefined();
    expect([...(found?.maybe ?? [])].sort()).toEqual(expected);
  });
});
