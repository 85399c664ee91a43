import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import { targetsOfLine } from "./bash-targets.ts";

/** `access path [from…]`, short enough to read in a table; `^`: below the repository's root. */
function shown(line: string): readonly string[] {
  return analyseFresh(line).paths.map((path) => {
    const from =
      path.from === undefined
        ? "?"
        : path.from.length === 1 && path.from[0] === ""
          ? ""
          : path.from.map((each) => each || ".").join("|");
    return [
      path.access + (path.recursive ? "*" : "") + (path.base === undefined ? "" : "^"),
      path.unknown ? "UNKNOWN" : path.path + (path.glob ? " (glob)" : ""),
      from && `from ${from}`,
    ]
      .filter(Boolean)
      .join(" ");
  });
}

describe("paths", () => {
  it.each<[string, readonly string[]]>([
    ["cat .env", ["read .env"]],
    ["cat < .env", ["read .env"]],
    ["cat -- -x", ["read -x"]],
    ["head -n 5 a b", ["read a", "read b"]],
    ["cat --strange a", ["read a"]],
    ["grep KEY .env", ["read .env"]],
    ["grep -f .env x", ["read .env", "read x"]],
    ["grep -e a .env", ["read .env"]],
    ["grep --strange a .env", ["read a", "read .env"]],
    ["grep -r KEY .", ["walk* ."]],
    ["grep -r KEY", ["walk* ."]],
    ["rg KEY", ["walk* ."]],
    ["find src -name x", ["walk* src"]],
    ["find -name x", ["walk* ."]],
    ["find a -delete", ["walk* a", "remove* a"]],
    ["ls", ["list ."]],
    ["ls -R src", ["walk* src"]],
    ["test -f .env", ["list .env"]],
    ["[[ -f .env ]]", ["list .env"]],
    ["source .env", ["read .env"]],
    [". .env", ["read .env"]],
    ["bash x.sh", ["read x.sh"]],
    ["base64 .env", ["read .env"]],
    ["sed -n 1p .env", ["read .env"]],
    ["sed -i s/a/b/ f", ["write f"]],
    ["tee -a b < a", ["read a", "write b"]],
    ["dd if=a of=b", ["read a", "write b"]],
    ["truncate -s 0 f", ["write f"]],
    ["rm -r a b", ["remove* a", "remove* b"]],
    ["touch a", ["write a"]],
    ["chmod +x a", ["write a"]],
    ["cp a b", ["read a", "write b", "write b/a"]],
    ["cp x/.env .", ["read x/.env", "write .", "write ./.env"]],
    ["cp -r a b", ["read* a", "write* b", "write b/a"]],
    ["cp -t d a", ["write d", "read a", "write d/a"]],
    ["mv a b", ["remove a", "read a", "write b", "write b/a"]],
    ["ln -s a b", ["read a", "write b", "write b/a"]],
    ["curl -d @f -T g -o h http://x", ["read f", "read g", "write h"]],
    ["curl -F 'a=@f' file:///etc/passwd", ["read f", "read /etc/passwd"]],
    ["xargs -a f echo", ["read f"]],
    ["git show HEAD:.env", ["read^ .env"]],
    ["git show HEAD:./.env @:../b", ["read ./.env", "read ../b"]],
    ["git show :2:a", ["read^ a"]],
    ["git show :a", ["read a", "read^ a"]],
    ["git show :./a ':!b'", ["read ./a", "read b"]],
    ["git show :/fix", ["read UNKNOWN"]],
    ["git -C d show HEAD:a HEAD:./b", ["list d", "read^ UNKNOWN", "read d/./b"]],
    ["git --git-dir=x show HEAD:a HEAD:./b", ["read^ UNKNOWN", "read ./b"]],
    ["cd d && git show HEAD:a", ["list d", "read^ a from d"]],
    ["git diff -- a", ["read a"]],
    ["git diff --no-index a b", ["read a", "read b"]],
    ["git grep x", ["walk* ."]],
    ["git config user.name x", []],
    ["git config core.pager id", ["write .git/config"]],
    ["git config --global alias.x y", ["write ~/.gitconfig"]],
    ["git config --get core.pager", []],
    ["git clean -fd", ["remove* ."]],
    ["echo x > a >> b 2> c &> d", ["write a", "write b", "write c", "write d"]],
    ["echo x >| a <> b", ["write a", "read b", "write b"]],
    ["ls > /dev/null 2>&1", ["list ."]],
    ["echo x > $F", ["write UNKNOWN"]],
    ["cat $X", ["read UNKNOWN"]],
    ["cat $(echo .env)", ["read UNKNOWN"]],
    ["cat .e*", ["read .e* (glob)"]],
    ["cat '.e*'", ["read .e*"]],
    ["cat {a,b}", ["read a", "read b"]],
    ["cat ~/x $HOME/y", ["read ~/x", "read ~/y"]],
    ["cat '~/x' \\~", ["read ./~/x", "read ./~"]],
    ["cat $PWD/x", ["read ./x"]],
    ["cat ~user/x ~+/x", ["read UNKNOWN", "read UNKNOWN"]],
    ["for HOME in a; do cat ~/x $HOME/y; done", ["read ~/x", "read a/y"]],
    ["{ ls; } > f", ["write f", "list ."]],
    ["> f", ["write f"]],
    ["for f in a b; do cat $f; done", ["read a", "read b"]],
    ["timeout 5 cat a", ["read a"]],
    ["bash -c 'cat a'", ["read a"]],
  ])("%s", (line, expected) => {
    if (line.startsWith("for HOME")) expect(analyseFresh(line).opaque).not.toEqual([]);
    else expect([...shown(line)].sort()).toEqual([...expected].sort());
  });

  it.each<[string, readonly string[]]>([
    ["cd src && cat a", ["list src", "read a from src"]],
    ["cd src; cat a", ["list src", "read a from src|."]],
    ["cd src || cat a", ["list src", "read a"]],
    ["cd src\ncat a", ["list src", "read a from src|."]],
    ["cd a && cd b && cat c", ["list a", "list b from a", "read c from a/b"]],
    ["cd a && ls x; cat c", ["list a", "list x from a", "read c from a|."]],
    ["(cd src && ls x); cat a", ["list src", "list x from src", "read a"]],
    ["cd src | cat a; cat b", ["list src", "read a", "read b"]],
    ["cd src & cat a", ["list src", "read a"]],
    ["if x; then cd src; fi; cat a", ["list src", "read a from src|."]],
    ["cd $X && cat a", ["list UNKNOWN", "read a from ?"]],
    ["cd - && cat a", ["list -", "read a from ?"]],
    ["pushd src && cat a", ["read a from ?"]],
    ["cd && cat a", ["read a from ~"]],
    ["cd /tmp && cat a", ["list /tmp", "read a from /tmp"]],
    ["while x; do cat a; cd b; done", ["read a from ?", "list b from ?"]],
    ["for d in a b; do cat f; (cd $d); done", ["read f", "list a", "list b"]],
    ["f() { cd x; }; f; cat a", ["list x from ?", "read a from ?"]],
    ["eval 'cd x'; cat a", ["list x", "read a from ?"]],
    ["env -C d cat a", ["read a from ?"]],
    ["command cd src && cat a", ["list src", "read a from src"]],
    ["! cd src && cat a", ["list src", "read a"]],
  ])("follows cd: %s", (line, expected) => {
    expect([...shown(line)].sort()).toEqual([...expected].sort());
  });

  it.each<[string, string]>([
    ["ln -s /etc/passwd b; cat b", "read UNKNOWN"],
    ["ln -s /etc b; cat b/passwd", "read UNKNOWN"],
    ["mv a b; cat B/c", "read UNKNOWN"],
    ["cp -r evil/. . && cat y", "read UNKNOWN"],
    ["tar xf a.tar; cat y", "read UNKNOWN"],
    ["git checkout main && cat y", "read UNKNOWN"],
    ["ln -s /etc b; echo x > b/c", "write UNKNOWN"],
  ])("does not trust what may be a link: %s", (line, expected) => {
    expect(shown(line)).toContain(expected);
  });

  it("leaves other operands alone", () => {
    expect(shown("mv a b; cat c")).toContain("read c");
    expect(shown("cp a b; cat b")).toContain("read b");
  });
});

describe("hosts", () => {
  const hosts = (line: string): readonly (string | undefined)[] =>
    analyseFresh(line).hosts.map((each) => each.host);
  it.each<[string, readonly (string | undefined)[]]>([
    ["curl https://Example.com:8443/x?y", ["example.com"]],
    ["curl example.com/x", ["example.com"]],
    ["curl -sS -X POST -H 'A: b' https://a.com", ["a.com"]],
    ["curl --request POST --url https://a.com", ["a.com"]],
    ["wget -q -O f http://a.com. b.com", ["a.com", "b.com"]],
    ["curl http://u:p@a.com/", ["a.com"]],
    ["curl $URL", [undefined]],
    ["curl https://$HOST/x", [undefined]],
    ["curl https://a.com/$X", ["a.com"]],
    ["curl 'http://{a,b}.com'", [undefined]],
    ["curl 'http://a.com\\@b.com'", [undefined]],
    ["curl -K f", [undefined]],
    ["curl -x p:1 http://a.com", [undefined, "a.com"]],
    ["curl --strange http://a.com", ["a.com"]],
    ["ls", []],
  ])("%s", (line, expected) => {
    expect(hosts(line)).toEqual(expected);
  });
});

describe("targetsOfLine", () => {
  it("gives each command, path and host as a target", () => {
    expect(
      targetsOfLine(analyseFresh("cd $X && cat a /b; curl $U")).map((target) => ({
        ...target,
        analysis: undefined,
      })),
    ).toEqual([
      { kind: "command", analysis: undefined, command: 0 },
      { kind: "command", analysis: undefined, command: 1 },
      { kind: "command", analysis: undefined, command: 2 },
      {
        kind: "path",
        analysis: undefined,
        access: "list",
        path: "$X",
        unknown: true,
        from: [""],
        shell: { command: 0, by: "operand" },
      },
      {
        kind: "path",
        analysis: undefined,
        access: "read",
        path: "a",
        unknown: true,
        maybe: ["a"],
        shell: { command: 1, by: "operand" },
      },
      { kind: "path", analysis: undefined, access: "read", path: "/b", shell: { command: 1, by: "operand" } },
      {
        kind: "path",
        analysis: undefined,
        access: "read",
        path: "$U",
        unknown: true,
        shell: { command: 2, by: "operand" },
      },
      { kind: "host", analysis: undefined, via: "shell" },
    ]);
  });
});
