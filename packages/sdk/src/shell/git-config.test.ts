import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

function touched(line: string): readonly string[] {
  return analyseFresh(line).paths.map(({ access, path }) => `${access} ${path}`);
}

describe("git config", () => {
  it.each([
    "core.pager",
    "--get core.pager",
    "--global --get-all core.pager",
    "-l",
    "--list --show-origin",
    "list",
    "get core.pager",
    "get --all core.pager",
    "user.name x",
    "--global user.name x",
    "set user.name x",
    "unset user.name",
    "--unset color.ui",
  ])("touches no file that counts with %s", (words) => {
    expect(touched(`git config ${words}`)).toEqual([]);
  });

  it.each([
    ["core.hooksPath list", ".git/config"],
    ["core.fsmonitor get", ".git/config"],
    ["core.pager --get", ".git/config"],
    ["core.pager -l", ".git/config"],
    ["--show-origin core.pager evil", ".git/config"],
    ["--global core.pager evil", "~/.gitconfig"],
    ["--system core.pager evil", "/etc/gitconfig"],
    ["set core.pager get", ".git/config"],
    ["set --append core.pager x", ".git/config"],
    ["--rename-section user.x core", ".git/config"],
    ["--remove-section user", ".git/config"],
    ["rename-section user.x core", ".git/config"],
    ["remove-section user.x", ".git/config"],
    ["edit", ".git/config"],
    ["-e", ".git/config"],
    ["$KEY", ".git/config"],
    ["user.name --get core.pager", undefined],
    ["-f F user.name x", "F"],
    ["-fF user.name x", "F"],
    ["-zf F user.name x", "F"],
    ["--file F user.name x", "F"],
    ["--file=F user.name x", "F"],
    ["set -f F user.name x", "F"],
    ["set --file=F user.name x", "F"],
    ["--fil=F user.name x", "--fil=F"],
    ["--fi F user.name x", "--fi"],
    ["-q user.name x", "-q"],
  ])("writes with %s", (words, file) => {
    expect(touched(`git config ${words}`)).toEqual(file === undefined ? [] : [`write ${file}`]);
  });

  it("may write any file with an option that is not understood", () => {
    for (const words of ["--fi F user.name x", "--fil=F user.name x", "-q user.name x"]) {
      expect(analyseFresh(`git config ${words}`).paths).toEqual([expect.objectContaining({ unknown: true })]);
    }
  });

  it("reads the file that it is pointed to", () => {
    expect(touched("git config -f F --get user.name")).toEqual(["read F"]);
    expect(touched("git config --file=F -l")).toEqual(["read F"]);
    expect(touched("git -C d config -f F core.pager x")).toContain("write d/F");
  });
});

describe("other files of git", () => {
  it.each([
    ["git clean -fdx -e -n", "remove ."],
    ["git clean -fdxe n", "remove ."],
    ["git clean -f -- -n", "remove -n"],
    ["git archive -oF HEAD", "write F"],
    ["git archive -o F HEAD", "write F"],
    ["git archive --outp F HEAD", "write F"],
    ["git format-patch -oF HEAD~1", "write F"],
    ["git format-patch --output-directory F HEAD~1", "write F"],
    ["git fast-export --export-marks=F HEAD", "write F"],
    ["git bundle create F HEAD", "write F"],
    ["git init F", "write F"],
    ["git commit -FF", "read F"],
  ])("%s: %s", (line, expected) => {
    expect(touched(line)).toContain(expected);
  });

  it.each(["git clean -n", "git clean -fdn", "git clean --dry-run -x", "git clean -e x -n"])(
    "%s removes nothing",
    (line) => {
      expect(touched(line).filter((each) => each.startsWith("remove"))).toEqual([]);
    },
  );
});
