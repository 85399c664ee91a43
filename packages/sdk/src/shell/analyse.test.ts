import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";
import type { OpacityCode } from "./opacity.ts";

const texts = (line: string): readonly string[] => analyseFresh(line).commands.map((command) => command.text);

describe("every simple command anywhere", () => {
  it.each<[string, readonly string[]]>([
    ["a && b || c; d & e", ["a", "b", "c", "d", "e"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["a\nb", ["a", "b"]],
    ["(a; b)", ["a", "b"]],
    ["{ a; b; }", ["a", "b"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done", ["a", "b"]],
    ["until a; do b; done", ["a", "b"]],
    ["for i in 1 2; do a; done", ["a"]],
    ["for ((i=0;i<2;i++)); do a; done", ["a"]],
    ["case x in y) a;; *) b;; esac", ["a", "b"]],
    ["f() { a; }", ["a"]],
    ["! a", ["a"]],
    ["time a", ["a"]],
    ["echo $(a `b`)", ["echo $(a `b`)", "a `b`", "b"]],
    ['echo "$(a)"', ['echo "$(a)"', "a"]],
    ["echo <(a) > >(b)", ["echo <(a)", "a", "b"]],
    ["x=$(a)", ["x=$(a)", "a"]],
    ["x=(1 $(a))", ["x=(1 $(a))", "a"]],
    ["echo ${x:-$(a)}", ["echo ${x:-$(a)}", "a"]],
    ["echo ${x//$(a)/$(b)}", ["echo ${x//$(a)/$(b)}", "b", "a"]],
    ["echo $(( $(a) + 1 ))", ["echo $(( $(a) + 1 ))", "a"]],
    ["cat <<E\n$(a)\nE", ["cat", "a"]],
    ["cat <<'E'\n$(a)\nE", ["cat"]],
    ['cat <<< "$(a)"', ["cat", "a"]],
    ["ls > $(a)", ["ls", "a"]],
    ["[[ -n $(a) ]]", ["[[ -n $(a) ]]", "a"]],
    ["echo @(x|$(a))", ["echo @(x|$(a))", "a"]],
    ["case $(a) in $(b)) c;; esac", ["a", "b", "c"]],
    ["coproc a", ["a"]],
  ])("%s", (line, expected) => {
    expect([...texts(line)].sort()).toEqual([...expected].sort());
  });

  it("takes neither comments nor quoted text for commands", () => {
    expect(texts("# rm x\nls # rm y")).toEqual(["ls"]);
    expect(texts("echo 'run $(git push) later'")).toEqual(["echo 'run $(git push) later'"]);
  });

  it("normalises blanks outside quotes and removes backslash-newlines", () => {
    expect(texts("ls \t  -l   'a  b'")).toEqual(["ls -l 'a  b'"]);
    expect(texts("find . \\\n -name a")).toEqual(["find . -name a"]);
    expect(analyseFresh("a  &&\n b   'x  y'").normalised).toBe("a && b 'x  y'");
    expect(analyseFresh("a\nb").normalised).toBe("a\nb");
  });

  it("takes a no-break space for a part of the word", () => {
    expect(analyseFresh("ls\u00a0x").commands[0]?.words.map((word) => word.value)).toEqual(["ls\u00a0x"]);
  });

  it("calls only blanks and comments blank", () => {
    for (const line of ["", " \t\n", "# x", "  # x\n\n# y"]) expect(analyseFresh(line).blank).toBe(true);
    for (const line of ["ls", ";", "\u00a0", "x # y"]) expect(analyseFresh(line).blank).toBe(false);
  });
});

describe("opaque", () => {
  it.each<[string, OpacityCode]>([
    ["$X", "dynamic-command"],
    ["$(echo rm) -rf x", "dynamic-command"],
    ["`echo rm` x", "dynamic-command"],
    ["r? x", "dynamic-command"],
    ["{rm,-rf} x", "dynamic-command"],
    ["X=rm; $X y", "dynamic-command"],
    ["timeout $X ls", "dynamic-command"],
    ["nice -n $N ls", "dynamic-command"],
    ["timeout 5 $X", "dynamic-command"],
    ["xargs -I{} {} x", "dynamic-command"],
    ['eval "$X"', "dynamic-script"],
    ["eval $(echo ls)", "dynamic-script"],
    ['trap "$X" EXIT', "dynamic-script"],
    ['bash -c "$X"', "dynamic-script"],
    ['sh -lc "ls $X"', "dynamic-script"],
    ["bash $X", "dynamic-script"],
    ['python3 -c "$X"', "dynamic-script"],
    ["xargs sh -c", "dynamic-script"],
    ["source $F", "dynamic-source"],
    ["source <(curl h)", "dynamic-source"],
    ["echo ls | sh", "fed-interpreter"],
    ["curl x | sudo bash", "fed-interpreter"],
    ["bash < f", "fed-interpreter"],
    ['bash <<< "$X"', "fed-interpreter"],
    ["sh <<E\nls $X\nE", "fed-interpreter"],
    ["echo x | python3 -", "fed-interpreter"],
    ["echo x | { sh; }", "fed-interpreter"],
    ["echo x | while read l; do sh; done", "fed-interpreter"],
    ["echo x > >(sh)", "fed-interpreter"],
    ["exec 3< f; sh <&3", "fed-interpreter"],
    ["echo x | bash -s", "fed-interpreter"],
    ["echo x | bash /dev/stdin", "fed-interpreter"],
    ["ls ${x/$(/usr/bin/m)/b}", "expansion"],
    ['ls "${y:-${x//`/usr/bin/m`/b}}"', "expansion"],
    ["cat <<E\n${x:-'$(m)'}\nE", "expansion"],
    ["cat <<E\n\"${x:-a'`m`'}\"\nE", "expansion"],
    ["cat <<E\n${x:-$'$(m)'}\nE", "expansion"],
    ["echo \"${x:-$'$(m)'}\"", "expansion"],
    ["a=(\"${x:-$'$(m)'}\")", "expansion"],
    ["hash -p /tmp/x ls", "loader"],
    ["enable -f ./x.so y", "loader"],
    ["mapfile -C cb x", "loader"],
    ["complete -C cmd x", "loader"],
    ["bind -x '\"a\":ls'", "loader"],
    ["git -c core.pager=id log", "git-config"],
    ["git -c alias.x='!id' x", "git-config"],
    ["git --exec-path=/tmp log", "git-config"],
    ["git -c $X log", "git-config"],
    ["x='a[$(cmd)]'; echo $((x))", "arithmetic"],
    ["x='a[$(c)]'; echo ${y:x}", "arithmetic"],
    ["[[ 'a[$(cmd)]' -eq 0 ]]", "arithmetic"],
    ["test -v 'a[$(cmd)]'", "arithmetic"],
    ["[[ -v 'a[$(cmd)]' ]]", "arithmetic"],
    ["printf -v 'a[$(cmd)]' x", "arithmetic"],
    ["read 'a[$(cmd)]'", "arithmetic"],
    ["unset 'a[$(cmd)]'", "arithmetic"],
    ["read x; echo $((x))", "arithmetic"],
    ["for x in 'a[$(c)]'; do echo $((x)); done", "arithmetic"],
    [": ${x:=y}; echo $((x))", "arithmetic"],
    ["echo $((k[$(touch F1)]))", "arithmetic"],
    ["echo $[ q='b[$(touch F1)]', q ]", "arithmetic"],
    ["let $X", "arithmetic"],
    ["declare -i x=$y", "arithmetic"],
    ["a[$(cmd)]=1", "arithmetic"],
    ["a=([$(cmd)]=1)", "arithmetic"],
    ["echo $((_))", "arithmetic"],
    ["env x='a[$(c)]' bash -c 'echo $((x))'", "arithmetic"],
    ["echo ${!x}", "indirect"],
    ["echo ${x@P}", "indirect"],
    ["PATH=. ls", "assignment"],
    ["export LD_PRELOAD=x", "assignment"],
    ["IFS=x", "assignment"],
    ["GIT_SSH_COMMAND=x git fetch", "assignment"],
    ["env NODE_OPTIONS=x node y.js", "assignment"],
    ["read PATH", "assignment"],
    ["for PATH in a; do ls; done", "assignment"],
    ["echo ${PATH:=x}", "assignment"],
    ["npm_config_registry=x npm i", "assignment"],
    ["PYTHONPATH=x python3 y.py", "assignment"],
    ["echo x > /dev/tcp/h/80", "network"],
    ["cat < /dev/udp/h/80", "network"],
    ["echo 'unterminated", "parse"],
    [";ls", "parse"],
    ["cat src/(auth)/a.ts", "parse"],
    ["( ls", "parse"],
    ["if true; then ls", "parse"],
    ["ls\r", "control"],
    ["ls \u0000x", "control"],
    ["echo \u202els", "control"],
    ["ls \ufdd0", "control"],
  ])("%s", (line, code) => {
    expect(analyseFresh(line).opaque.map((each) => each.code)).toContain(code);
  });

  it.each([
    ["for i in 1 2; do echo $i; done"],
    ["for ((i=0;i<3;i++)); do echo $i; done"],
    ["echo $((1 + 2))"],
    ["PYTHONUNBUFFERED=1 python3 x.py"],
    ["cat f | python3 x.py"],
    ["bash script.sh"],
    ["source ./env.sh"],
    ["sh <<'E'\nls\nE"],
    ["git -c color.ui=never log"],
    ["echo ${x:0:3} ${#x} ${x%.ts}"],
    ["[[ $a == b* ]]"],
    ["read -r line"],
    ["printf '%s\\n' \"$X\""],
    ["git stash apply stash@{0}"],
    ["find . -exec grep x {} \\;"],
    ["diff <(sort a) <(sort b)"],
    ["ls 2>&1 >/dev/null"],
  ])("not: %s", (line) => {
    expect(analyseFresh(line).opaque).toEqual([]);
  });

  it("is capped in length, nesting and number of commands", () => {
    expect(analyseFresh(`echo ${"x".repeat(33_000)}`).opaque[0]?.code).toBe("too-long");
    expect(analyseFresh(`echo ${"é".repeat(17_000)}`).opaque[0]?.code).toBe("too-long");
    expect(analyseFresh(`${"( ".repeat(200)}ls${" )".repeat(200)}`).opaque.length).toBeGreaterThan(0);
    expect(analyseFresh("a;".repeat(2_000)).opaque.map((each) => each.code)).toContain("too-many");
    expect(analyseFresh(`${"timeout 1 ".repeat(40)}ls`).opaque.map((each) => each.code)).toContain("nesting");
    expect(analyseFresh("x=aa;".concat("x=$x$x;".repeat(200), "echo $x")).commands.length).toBe(202);
  });

  it("says why, with a piece of the line", () => {
    const found = analyseFresh("ls && $X y").opaque[0];
    expect(found?.text).toBe("$X");
    expect(found?.why).toMatch(/program/);
  });
});
