import { describe, expect, it } from "vitest";
import { analyseFresh } from "./analyse.ts";

/** Covered without a rule, but for what a look at the disk must show. */
function isReadOnly(line: string): boolean {
  const { commands, opaque, paths } = analyseFresh(line);
  return (
    opaque.length === 0 &&
    commands.length > 0 &&
    commands.every((command) => command.readOnly) &&
    paths.every((path) => path.access !== "write" && path.access !== "remove")
  );
}

describe("the read-only table", () => {
  it.each(
    `ls|ls -la|ls -la src|ls *.ts|cat a|cat -- a|cat -n a b|cat src/*.ts|head -5 a|head -n 5 a|tail -n +3 a|wc -l f|grep -n x f|grep -r hello .|grep -rn --include=*.ts x src
grep -e a -e b f|egrep 'a\\|b' f|rg x|rg -n x src|find . -name '*.ts'|find src -type f -not -path './x/*' -print0|find . -exec grep x {} +x|sort f|sort -k2 -n -r f|uniq -c|cut -d, -f1 f|tr a-z A-Z|echo hi|echo $FOO$BAR
printf '%s' hi|printf '%s\\n' "$X"|pwd|cd src|cd src && ls|true|false|:|test -f a|test 1 -eq 1|[ -f a ]|[ "$x" = y ]|[ -n "$x" ]|[[ -f a ]]|[[ $x == y* ]]|dirname a/b|basename a|realpath a|readlink -f a|stat a|file a|du -sh src|df -h
diff a b|diff -u a b|cmp a b|comm a b|nl a|tac a|rev a|paste a b|column -t a|join a b|expand a|fold -w 80 a|seq 3|date|date +%s|date -u|date -d yesterday|whoami|id|uname -a|hostname|which ls|type ls|command -v ls|sleep 1|tree|tree -L 2|md5sum a|sha256sum a|base64 a|jq .a f|jq -r '.a[]' f
sed -n 1,5p f|sed -n '/x/p' f|sed 's/a/b/' f|sed -e 's/a/b/g' -e 3d f|node -v|npm --version|python3 -V|LANG=C ls|export LANG=C|CI=1|time ls|timeout 5 ls|nice ls|(ls)|{ ls; }|if true; then ls; fi|for f in a b; do cat $f; done|while false; do ls; done|ls \\| head -1|ls 2>&1|cat a > /dev/null|ls &
git status|git status --short|git log -3|git log --oneline -n 5|git log -p -- a|git diff|git diff --stat HEAD~1|git diff --cached|git show HEAD|git show HEAD:a|git branch|git branch -a|git branch --list x|git tag|git tag -l 'v*'|git remote -v|git rev-parse HEAD|git ls-files|git blame a|git describe --tags|git grep -n x|git stash list|git worktree list|git shortlog -sn|git --no-pager log|git cat-file -p HEAD|git reflog`
      .split(/\n|(?<!\\)\|/)
      .map((line) => line.replaceAll("\\|", "|"))
      .filter((line) => !line.endsWith("+x")),
  )("covers: %s", (line) => {
    expect(isReadOnly(line)).toBe(true);
  });

  it.each(
    `ls > f
./ls
/bin/ls
ls $X
cat $X
cat $(ls)
cat "$X"
sudo ls
env
env ls
exec ls
printenv HOME
set
export X=1
export LANG=$X
X=1
FOO=1 ls
LANG=$(id) ls
tail -f a
find . -delete
find . -exec rm {} \\;
find . -exec id {} ;
find . -execdir ls \\;
find . -fprint out
find . -ok ls \\;
find . -exec cat {} \\;
find -L . -name x
find $X -name y
find . -name $X
sort -o out in
sort --output=out in
sort --compress-program=id f
sort --files0-from=f
sort --comp=id f
sort *
uniq in out
uniq a*
xxd a b
sed -i s/a/b/ f
sed 's/a/b/w out' f
sed '1e id' f
sed -n 'w x' f
sed 's/a/b/e' f
sed 'r f' g
sed -f script f
sed --expression='1e id' f
awk '{print}' f
rg --pre cat x
rg -z x
rg -L x
grep -R x .
grep -d recurse x .
tree -o f
file -C -m f
date -s 0
date 0101
hostname x
hostname -F f
less f
man x
tee f
xargs ls
ls | xargs cat
jq env f
jq '$ENV' f
jq 'import "a" as a; 1' f
base64 a b
printf -v x y
[ $x = y ]
[ "$a" "$b" ]
test $x
test -f $x
node -e 1
node x.js
npm run test
python3 -c 1
bash -c ls
sh -c 'ls'
eval ls
source x
git branch new
git branch -D x
git tag v1
git tag -d v1
git remote set-url origin u
git remote add a b
git remote show origin
git stash
git stash pop
git commit -m x
git push
git fetch
git config user.name x
git log --output=x
git log --output x
git diff --output=f
git diff --ext-diff
git diff --no-index a b
git grep -O id x
git grep -Oid x
git -C d status
git --git-dir=x status
git -p log
git log --show-signature
git ls-remote
git reflog expire --all
git worktree add x
git rev-parse --parseopt
git diff -O order
cd d && git status
cd d; git status
(cd d) && git status
git status > f
touch f && git status
GIT_DIR=x git status
git diff $X
git log *
/usr/bin/git status
GIT status
ls() { rm x; }; ls
alias ls=rm; ls
timeout --strange 5 ls
./timeout 5 ls
nice -n $N ls
\\time -o f ls
command ls
curl x
wget x
tsc --noEmit
eslint .
make
chmod +x a
ln -s a b
cd
cd -
cd $X
cd ~user
pushd a
read x
mapfile x
unset x
kill 1
less
ls\u00a0nbsp`.split("\n"),
  )("does not cover: %s", (line) => {
    expect(isReadOnly(line)).toBe(false);
  });

  it("says what the disk must show", () => {
    expect(analyseFresh("git status").commands[0]?.needs).toBe("git-trusted");
    expect(analyseFresh("cd src").commands[0]?.needs).toBe("cd-inside");
    expect(analyseFresh("ls").commands[0]?.needs).toBeUndefined();
  });
});

describe("like an edit", () => {
  it.each([
    "mkdir d",
    "mkdir -p a/b",
    "touch a b",
    "rm a",
    "rm -rf a",
    "rmdir a",
    "mv a b",
    "cp a b",
    "cp -r a b",
    "sed -i 's/a/b/' f",
    "sed -i -e 's/a/b/' -e 2d f",
  ])("%s", (line) => {
    const last = analyseFresh(line).commands.at(-1);
    expect(last?.editLike === true || last?.readOnly === true).toBe(true);
  });

  it.each([
    "chmod +x s",
    "ln -s a b",
    "tee z",
    'touch "$X"',
    "rm *",
    "rm --no-preserve-root -rf /",
    "sed -i '1e cmd' f",
    "sed -i 's/a/b/e' f",
    "sed -i 's/a/b/w x' f",
    "sed -i 'w x' f",
    "sed -i.bak 's/a/b/' f",
    "sed -ig 's/a/b/' f",
    "sed -i -f s f",
    "cp -l a b",
    "cp --backup a b",
    "mv -S x a b",
    "FOO=1 rm a",
    "/bin/rm a",
    "sudo rm a",
    "rm() { x; }; rm a",
    "git rm a",
    "touch -r $X a",
  ])("not: %s", (line) => {
    expect(analyseFresh(line).commands.every((command) => command.editLike || command.readOnly)).toBe(false);
  });
});
