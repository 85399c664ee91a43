import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

const paths = (line: string): readonly string[] =>
  analyseFresh(line).paths.map(({ access, path, unknown }) => `${access} ${unknown ? "?" : path}`);
const hosts = (line: string): readonly string[] => analyseFresh(line).hosts.map(({ host }) => host ?? "?");
const codes = (line: string): readonly string[] => analyseFresh(line).opaque.map(({ code }) => code);

describe("a tilde behind a colon of an assignment", () => {
  it.each(["X=~/a:~/b", "X=a:~/b", "export X=~/a:~/b", 'X=~/"a":~/b', "declare X=a:b:~"])(
    "makes the value unknown: %s",
    (set) => expect(paths(`${set}; cat "$X"`)).toEqual(["read ?"]),
  );

  it.each([
    ['X=~/a; cat "$X"', "read ~/a"],
    ['X=~/a:b; cat "$X"', "read ~/a:b"],
    ["X='~/a:~/b'; cat \"$X\"", "read ./~/a:~/b"],
    ["cat ~/a:~/b", "read ~/a:~/b"],
  ])("is told from others: %s", (line, expected) => expect(paths(line)).toEqual([expected]));
});

describe("a script of zsh", () => {
  it.each([
    "repeat 2 rm x",
    "=rm x",
    "ls =ls",
    "ls *(e:'rm x':)",
    "ls; - rm x",
    "foreach x (a b) rm",
    "echo ${(e)x}",
    "ls && 'repeat' 2 rm",
    "%1",
    "echo $x",
    "x=1 rm",
    "ls > f",
    "(ls)",
  ])("is opaque where zsh has words of its own: %s", (script) => {
    expect(codes(`zsh -c "${script.replaceAll(/["$]/g, "\\$&")}"`)).toContain("parse");
  });

  it.each(["ls -la && npm test", "cat a | head -5; pwd", "git commit -m 'a b'", "make -j4"])(
    "is read where no shell reads it otherwise: %s",
    (script) => {
      const { opaque, commands } = analyseFresh(`zsh -c "${script}"`);
      expect(opaque).toEqual([]);
      expect(commands.length).toBeGreaterThan(1);
    },
  );
});

describe("files that a program reads by an option", () => {
  it.each([
    ["git grep -f p x", ["read p", "walk x"]],
    ["git grep -fp x", ["read p", "walk x"]],
    ["git grep -nf p x", ["read p", "walk x"]],
    ["git grep -f p", ["read p", "walk ."]],
    ["git grep -ef x", ["walk x"]],
    ["git grep -ne f x", ["walk x"]],
    ["git grep -ne f -e g x", ["walk x"]],
    ["git grep -Af x y", ["walk y"]],
    ["git grep --fixed-strings x y", ["walk y"]],
    ["git -C d grep -f p x", ["list d", "read d/p", "walk d/x"]],
    ["at -f f now", ["read f"]],
    ["at -ff now", ["read f"]],
    ["at -q b -f f now", ["read f"]],
    ["batch -f f", ["read f"]],
    ["at now", []],
    ["deno run a.ts", ["read a.ts"]],
    ["deno run -A --config c.json a.ts", ["read a.ts"]],
    ["deno test a.ts", ["read a.ts"]],
    ["deno a.ts run", ["read a.ts"]],
    ["deno task build", []],
    ["bun run a", ["read a"]],
    ["bun run run", ["read run"]],
    ["bun a.ts test", ["read a.ts"]],
    ["bun test a", []],
    ["node run", ["read run"]],
  ])("%s", (line, expected) => expect(paths(line)).toEqual(expected));
});

describe("hosts of curl", () => {
  it.each([
    ["curl a.b --next c.d", ["a.b", "c.d"]],
    ["curl a.b -: c.d", ["a.b", "c.d"]],
    ["curl --not-there c.d", ["c.d"]],
    ["curl --max-time 3 a.b", ["a.b"]],
    ["curl --retry 3 --cert c a.b", ["a.b"]],
    ["curl --form x=y a.b", ["a.b"]],
    ["wget --tries 3 a.b", ["a.b"]],
  ])("%s", (line, expected) => expect(hosts(line)).toEqual(expected));
});

describe("a word of brace lists", () => {
  it("is unknown past a length", () => {
    const word = `{${"a,".repeat(2_100)}b}`;
    expect(analyseFresh(`cat ${word}`).commands[0]?.unknownForms.length).toBe(1);
  });
});

describe("marks that are counted before a line is parsed", () => {
  const many = (text: string, count: number): string => Array.from({ length: count }, () => text).join(" ");
  it.each([
    ["<<E", 257],
    ["<<<a", 257],
    ["$(a)", 1025],
    ["`a`", 1025],
    ["<(a)", 1025],
    [">(a)", 1025],
    ["$a", 2049],
    ["$((1))", 1025],
  ])("%s, %i times, is too many, also in a script inside the line", (text, count) => {
    expect(codes(`echo ${many(text, count)}`)).toEqual(["too-many", "too-many-paths"]);
    expect(codes(`bash -c '${many(text, count)}'`)).toContain("too-many");
    expect(codes(`echo 'it is ${many("x", 1_000)}'`)).toEqual([]);
  });

  it.each([
    ["$a", 1_000],
    ["> f", 200],
    ["(a", 1],
    ["'<'", 900],
    ["'{'", 1_020],
  ])("%s, %i times, is not", (text, count) =>
    expect(analyseFresh(`echo ${many(text, count)}`).opaque.map(({ code }) => code)).not.toContain(
      "too-many",
    ),
  );
});

describe("an array", () => {
  it("of more words than a command may have is opaque", () => {
    expect(codes(`a=(${"x ".repeat(1_025)})`)).toEqual(["too-many"]);
    expect(codes(`a=(${"x ".repeat(1_024)})`)).toEqual([]);
  });
});
