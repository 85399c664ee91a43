import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

const all = (line: string, kind: "allowForms" | "denyForms"): readonly string[] =>
  analyseFresh(line).commands.flatMap((command) => command[kind]);

describe("forms for deny and ask", () => {
  it.each<[string, string]>([
    ["FOO=1 rm x", "rm x"],
    ["/bin/rm x", "rm x"],
    ["RM x", "rm x"],
    ["\\rm x", "rm x"],
    ["'r'm x", "rm x"],
    ["$'\\x72m' x", "rm x"],
    ["r\\\nm x", "rm x"],
    ["rm 'a b'", "rm a b"],
    ["rm 'a b'", "rm 'a b'"],
    ["env rm x", "rm x"],
    ["env -i A=1 rm x", "rm x"],
    ["env -S 'rm x'", "rm x"],
    ["sudo -u me rm x", "rm x"],
    ["doas rm x", "rm x"],
    ["su -c 'rm x'", "rm x"],
    ["su me -c 'rm x'", "rm x"],
    ["command rm x", "rm x"],
    ["builtin rm x", "rm x"],
    ["exec -a n rm x", "rm x"],
    ["coproc rm x", "rm x"],
    ["xargs rm x", "rm x"],
    ["xargs -n 1 -P4 rm x", "rm x"],
    ["setsid -f rm x", "rm x"],
    ["flock /tmp/l rm x", "rm x"],
    ["flock /tmp/l -c 'rm x'", "rm x"],
    ["parallel rm x ::: 1", "rm x"],
    ["parallel ::: 'rm x'", "rm x"],
    ["watch -n 1 'rm x'", "rm x"],
    ["watch rm x", "rm x"],
    ["script -c 'rm x' out", "rm x"],
    ["busybox rm x", "rm x"],
    ["chroot /r rm x", "rm x"],
    ["ionice -c 3 rm x", "rm x"],
    ["taskset 1 rm x", "rm x"],
    ["strace -f -o out rm x", "rm x"],
    ["unshare -r rm x", "rm x"],
    ["systemd-run --user rm x", "rm x"],
    ["timeout -k 1 5 rm x", "rm x"],
    ["timeout --strange 5 rm x", "rm x"],
    ["time -p rm x", "rm x"],
    ["nice -n 5 rm x", "rm x"],
    ["nice -5 rm x", "rm x"],
    ["nohup rm x", "rm x"],
    ["stdbuf -o0 rm x", "rm x"],
    ["bash -c 'rm x'", "rm x"],
    ["bash -lc 'rm x'", "rm x"],
    ["bash --norc -c 'rm x'", "rm x"],
    ["bash -eo pipefail -c 'rm x'", "rm x"],
    ["bash -c 'rm x'", "bash -c 'rm x'"],
    ['/bin/sh -c "ls; rm x"', "rm x"],
    ["sh -c \"sh -c 'rm x'\"", "rm x"],
    ["eval 'rm x'", "rm x"],
    ["eval rm x", "rm x"],
    ["trap 'rm x' EXIT", "rm x"],
    ["bash <<'E'\nrm x\nE", "rm x"],
    ["sudo bash <<E\nrm x\nE", "rm x"],
    ["bash <<< 'rm x'", "rm x"],
    ["find . -exec rm x {} \\;", "rm x {}"],
    ["find . -execdir rm x \\;", "rm x"],
    ["find . -ok rm x ';'", "rm x"],
    ["find . -exec rm x", "rm x"],
    ["git -C d push", "git push"],
    ["git -c k=v push", "git push"],
    ["git --no-pager push", "git push"],
    ["git --git-dir=x --work-tree y push o", "git push o"],
    ["docker --host h rm x", "docker rm x"],
    ["kubectl -n x delete pod y", "kubectl delete pod y"],
    ["npm --prefix x publish", "npm publish"],
    ["npm --silent publish", "npm publish"],
    ["cargo +nightly publish", "cargo publish"],
    ["aws --profile p s3 rm x", "aws s3 rm x"],
    ["gh -R a/b pr merge", "gh pr merge"],
    ["X=rm; $X x", "rm x"],
    ["X='rm -rf'; $X x", "rm -rf x"],
    ["X=x; rm $X", "rm x"],
    ["for c in ls rm; do $c x; done", "rm x"],
    ["for f in a x; do rm $f; done", "rm x"],
    ["export X=rm; bash -c '$X x'", "rm x"],
    ["X=rm bash -c '$X x'", "rm x"],
    ["X=${Y:-rm}; $X x", "rm x"],
    ["alias zz='rm x'\nzz", "rm x"],
    ["f() { rm x; }; f", "rm x"],
    ["rm {a,b}", "rm a b"],
    ["rm ~/x", "rm $HOME/x"],
    ["rm $HOME/x", "rm ~/x"],
    ["time rm x", "time rm x"],
    ["xargs rm x", "xargs rm x"],
  ])("%s -> %s", (line, form) => {
    expect(all(line, "denyForms")).toContain(form);
  });

  it("does not take the word after a lone flag for the sub-command", () => {
    expect(all("git --no-pager stash push", "denyForms")).not.toContain("git push");
    expect(all("git stash list", "denyForms")).toEqual(["git stash list"]);
  });

  it.each<[string, readonly string[]]>([
    ["git $X", ["git ", ""]],
    ["git $X push", ["git ", "push"]],
    ['git "$X" push', ["git ", " push"]],
    ["cat .e*", ["cat .e", ""]],
    ["xargs rm", ["rm ", ""]],
    ["/usr/bin/git $X", ["git ", ""]],
    ["git -C $D push $X", ["git push ", ""]],
    ["find $X", ["", ""]],
    ["git push -$x-force origin", ["git push -", "-force origin"]],
    ["git ${v}{ push", ["git ", "{ push"]],
    ["cat *.env x", ["cat ", ".env x"]],
    ["git -$x push", ["git -", "push"]],
  ])("%s has the unknown form %j", (line, pieces) => {
    expect(
      analyseFresh(line).commands.flatMap((command) => command.unknownForms.map((form) => form.pieces)),
    ).toContainEqual(pieces);
  });
});

describe("forms for allow", () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ["'npm' run test", [["'npm' run test", "npm run test"]]],
    ["npm run 'a b'", [["npm run 'a b'"]]],
    ["LANG=C aws s3 ls", [["LANG=C aws s3 ls", "aws s3 ls"]]],
    ["FOO=1 npm run test", [["FOO=1 npm run test"]]],
    ["LANG=$X ls", [["LANG=$X ls"]]],
    ["/bin/ls x", [["/bin/ls x"]]],
    ['"npm run" test', [['"npm run" test']]],
    ["git -C x push", [["git -C x push"]]],
    ["FOO=bar", [["FOO=bar"]]],
  ])("%s", (line, forms) => {
    expect(analyseFresh(line).commands.map((command) => command.allowForms)).toEqual(forms);
  });

  it.each(["timeout 5", "time -p", "nice -n 3", "nohup", "stdbuf -o0", "xargs"])(
    "sees through %s",
    (wrapper) => {
      const commands = analyseFresh(`\\${wrapper} npm run test`).commands;
      expect(commands[1]?.carrier).toBe(0);
      expect(commands[1]?.transparentCarrier).toBe(true);
      expect(commands[0]?.allowForms.some((form) => form.startsWith("npm run test"))).toBe(true);
    },
  );

  it.each([
    "sudo",
    "env",
    "env A=1",
    "exec",
    "command",
    "setsid",
    "./timeout 5",
    "FOO=1 timeout 5",
    "timeout --strange 5",
    "timeout() { x; }; timeout 5",
    "nice -n $N",
  ])("does not see through %s", (wrapper) => {
    const commands = analyseFresh(`${wrapper} npm run test`).commands;
    const inner = commands.find((command) => command.text === "npm run test");
    expect(inner?.transparentCarrier).toBeUndefined();
    const carrier = commands[inner?.carrier ?? -1];
    expect(carrier?.allowForms).not.toContain("npm run test");
    // A rule that names the wrapper covers the whole.
    expect(inner?.allowForms).toEqual(expect.arrayContaining([...(carrier?.allowForms ?? ["never"])]));
  });

  it.each([
    ["git {,push} x", "git push x"],
    ["git push{,} x", "git push push x"],
    ["git {,,} push", "git push"],
    ["git ''{,a} push", "git  a push"],
  ])("bash drops words of nothing from lists of braces: %s", (line, form) => {
    expect(analyseFresh(line).commands[0]?.denyForms).toContain(form);
  });

  it("judges a shell's script beside the rule for the shell", () => {
    const commands = analyseFresh("bash -c 'npm run test'").commands;
    expect(commands.map((command) => command.allowForms)).toEqual([
      ["bash -c 'npm run test'"],
      ["npm run test"],
    ]);
  });

  it("never lets what xargs adds pass under an exact rule", () => {
    expect(analyseFresh("xargs npm run test").commands[1]?.allowForms).not.toContain("npm run test");
  });
});
