import { parse, type Word } from "unbash";
import { describe, expect, it } from "vitest";
import { emptyFacts, gatherFacts, staticValue } from "./facts.ts";

function factsOf(line: string, sameShell = false): string {
  const facts = emptyFacts();
  gatherFacts(parse(line), facts, sameShell);
  const { names, loose, functions, aliases, anyName, moves, repeats } = facts;
  const listed = (name: string, list: Iterable<string>): string => {
    const text = [...list].sort().join(",");
    return text === "" ? "" : `${name} ${text}`;
  };
  return [
    listed("names", names),
    listed("loose", loose),
    listed("functions", functions),
    listed(
      "aliases",
      [...aliases].map(([name, text]) => `${name}=${text ?? "?"}`),
    ),
    anyName ? "any" : "",
    moves ? "moves" : "",
    repeats ? "repeats" : "",
  ]
    .filter((text) => text !== "")
    .join("; ");
}

describe("what a line sets", () => {
  it.each([
    ["ls a=1", "names a"],
    ["ls -a=1 1=2 =3", ""],
    ["ls 'a=1' \"b=2\" $'c\\x3d1'", "names a,b,c"],
    ["ls 'a[1]=2' x", "names a"],
    ["ls [a]", ""],
    ["ls a+=1", "names a"],
    ["v=1", "names v"],
    ["v=1 w=2 ls", "names v,w"],
    ["v+=1", "names v; loose v"],
    ["v[1]=1", "names v; loose v"],
    ["for v in a; do ls; done", "names v; repeats"],
    ["select v in a; do ls; done", "names v; loose v; repeats"],
    ["while ls; do ls; done", "repeats"],
    ["for ((i=1;;)); do ls; done", "loose i; repeats"],
    ["f() { ls; }", "functions f; repeats"],
    ["coproc ls", "loose COPROC"],
    ["coproc c { ls; }", "loose c"],
    ["exec {v}>f", "names v; loose v"],
    ["ls ${v:=1}", "names v; loose v"],
    ["ls ${v:-1}", ""],
    ["((v=1))", "loose v"],
    ["read -r a b", "names a,b,r,read; loose a,b,r,read"],
    ["printf -v a x", "names a,printf,v,x; loose a,printf,v,x"],
    ["export a=1 b", "names a,b,export"],
    ["export a", "names a,export"],
    ["readonly a", "names a,readonly"],
    ["read $x", "names read; loose read; any"],
    ["printf $x", "names printf; loose printf"],
    ["eval ls", "any; moves"],
    ["source f", "any; moves"],
    ["enable x", "any"],
    ["trap ls EXIT", "any; moves; repeats"],
    ["cd d", "moves"],
    ["pushd d", "moves"],
    ["$x", "any; moves"],
    ["command cd d", "moves"],
    ["command -p cd d", "moves"],
    ["env A=1 -i cd d", "names A; moves"],
    ["sudo ls-a cd", ""],
    ["command", ""],
    ["command $x", "any; moves"],
    ["command ls cd", ""],
    ["alias a=b 'c=d e'", "names a,c; aliases a=b,c=d e"],
    ['alias a="$x"', "names a; aliases a=?"],
    ["alias a =b", ""],
    ["command alias a=b", "names a; aliases a=b"],
    ["ls a", ""],
    ["echo $(v=1) <(w=2)", "names v,w"],
    ["! v=1 | ls", "names v"],
    ["if v=1; then w=1; elif x=1; then y=1; else z=1; fi", "names v,w,x,y,z"],
    ["case a in a) v=1;; esac", "names v"],
    ["[[ -n ${v:=1} ]]", "names v; loose v"],
    ["(v=1)", "names v"],
    ["v=1 &", "names v"],
  ])("%s", (line, expected) => {
    expect(factsOf(line)).toBe(expected);
  });

  it.each([
    ["(v=1); w=1", "names w"],
    ["v=1 | ls; w=1", "names w"],
    ["v=1 & w=1", "names w"],
    ["echo $(v=1) <(w=1); x=1", "names x"],
    ["v=1 && w=1", "names v,w"],
    ["! v=1", "names v"],
    ["{ v=1; }", "names v"],
  ])("in this shell: %s", (line, expected) => expect(factsOf(line, true)).toBe(expected));

  it("counts each node, plain words too", () => {
    const leftOf = (line: string, nodes: number): number =>
      gatherFacts(parse(line), emptyFacts(), false, nodes);
    const used = 100 - leftOf("ls", 100);
    expect(100 - leftOf("ls a b c", 100)).toBe(used + 3);
    expect(leftOf("ls a b c", used + 3)).toBe(0);
    expect(leftOf("ls a b c", used + 2)).toBe(-1);
    expect(leftOf("ls; ls", used)).toBe(-1);
  });

  it("stops at too much text in substitutions, and at words that are too deep", () => {
    const nested = (open: string): string =>
      `${`echo ${open}`.repeat(12)}echo ${"x".repeat(20_000)}${" )".repeat(12)}`;
    expect(gatherFacts(parse(nested("$( ")), emptyFacts())).toBe(-1);
    expect(gatherFacts(parse(nested("<( ")), emptyFacts())).toBe(-1);
    expect(gatherFacts(parse(`echo ${"${a:-".repeat(900)}x${"}".repeat(900)}`), emptyFacts())).toBe(-1);
  });
});

describe("the value of a word without expansions", () => {
  const literalOf = (text: string): string | undefined => {
    const command = parse(`ls ${text}`).commands[0]?.command;
    return staticValue(command?.type === "Command" ? (command.suffix[0] as Word) : undefined);
  };
  it.each([
    ["a", "a"],
    ["a\\ b", "a b"],
    ["'a$b'", "a$b"],
    ['"a$b"', undefined],
    ['"a b"', "a b"],
    ["\"a\"'b'c", "abc"],
    ["$'a\\tb'", "a\tb"],
    ["$a", undefined],
    ["`a`", undefined],
    ["a\\$b", "a$b"],
    ["*", undefined],
    ["{a,b}", undefined],
    ["<(a)", undefined],
  ])("%s", (text, expected) => {
    expect(literalOf(text)).toBe(expected);
  });
});
