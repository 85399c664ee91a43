import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

const touched = (line: string): readonly string[] =>
  analyseFresh(line).paths.map(({ access, path }) => `${access} ${path}`);
const denies = (line: string): readonly string[] =>
  analyseFresh(line).commands.flatMap((command) => command.denyForms);

describe("a wrapper's own files", () => {
  it.each([
    ["/usr/bin/time -o F ls", "write F"],
    ["/usr/bin/time -ao F ls", "write F"],
    ["/usr/bin/time --output=F ls", "write F"],
    ["/usr/bin/time --outp F ls", "write F"],
    ["command time -o F ls", "write F"],
    ["strace -fo F ls", "write F"],
    ["strace --output F ls", "write F"],
    ["ltrace -o F ls", "write F"],
    ["flock F ls", "write F"],
    ["flock -w 1 -- F ls", "write F"],
    ["script F", "write F"],
    ["script -qc ls F", "write F"],
    ["script -O F -c ls", "write F"],
    ["script --log-timing=F -c ls x", "write F"],
    ["valgrind --log-file=F ls", "write F"],
    ["hyperfine --export-json F ls", "write F"],
    ["xvfb-run -e F ls", "write F"],
    ["rlwrap -H F cat", "write F"],
    ["parallel --joblog F echo ::: a", "write F"],
    ["parallel --results=F echo ::: a", "write F"],
    ["xargs -a F echo", "read F"],
    ["dotenv -e F ls", "read F"],
    ["bash --rcfile F -ic ls", "read F"],
  ])("%s: %s", (line, expected) => {
    expect(touched(line)).toContain(expected);
  });

  it("are no reason to look through `time` for allow", () => {
    expect(analyseFresh("command time -o F ls").commands.some((each) => each.transparentCarrier)).toBe(false);
  });

  it.each([
    "script -q /dev/null rm -rf x",
    "script F rm -rf x",
    "arch -x86_64 rm -rf x",
    "arch -arch x86_64 rm -rf x",
    "strace --trace=none -o /dev/null rm -rf x",
    "strace -P /a -P /b -P /c rm -rf x",
  ])("do not hide the command of %s", (line) => {
    expect(denies(line)).toContain("rm -rf x");
  });

  it("are told where the command may start at more places than are tried", () => {
    const line = "strace --who-knows a b c d e f rm -rf src";
    expect(analyseFresh(line).opaque.map(({ code }) => code)).toContain("dynamic-command");
    expect(analyseFresh("xargs --who-knows a b c d e f rm").opaque).not.toEqual([]);
    expect(analyseFresh("parallel a b c d e f rm").opaque).not.toEqual([]);
  });

  it("arch alone only tells the kind of machine", () => {
    expect(analyseFresh("arch").commands[0]?.readOnly).toBe(true);
  });
});

describe("what launchers say of their version", () => {
  it.each(["yarn --version", "pnpm -v", "cargo --version", "rustc -V", "go version", "tsc", "kubectl"])(
    "is not read-only where the project may choose the launcher: %s",
    (line) => {
      expect(analyseFresh(line).commands[0]?.readOnly).toBe(false);
    },
  );

  it("needs no repository where git only tells its own", () => {
    expect(analyseFresh("git --version").commands[0]).toMatchObject({ readOnly: true });
    expect(analyseFresh("git --version").commands[0]?.needs).toBeUndefined();
    expect(analyseFresh("git status").commands[0]?.needs).toBe("git-trusted");
  });
});
