/** A git sub-command that changes nothing with these flags only. */
export interface GitEntry {
  /** Flags without a value, with dashes; `=value` is taken as part of the flag. */
  readonly flags: string;
  /** Flags that take the next word. */
  readonly valued?: string;
  /** `-3` is a flag. */
  readonly digits?: true;
  /** What operands are. `refused`: with one it may change something, unless one of `lists` is given. */
  readonly operands: "paths" | "text" | "refused";
  readonly lists?: string;
  /** The first operand must be one of these. */
  readonly first?: string;
  readonly walks?: true;
}

const PRETTY =
  "--oneline --pretty --format --abbrev-commit --no-abbrev-commit --abbrev --date --no-color --color --decorate --no-decorate --graph --notes --no-notes --encoding";
const DIFF =
  "-p -u -s --patch --no-patch --stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --minimal --patience --histogram --diff-algorithm --color-words --word-diff --word-diff-regex --color-moved -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol -M -C -D -R -a -W --find-renames --find-copies --no-renames --unified -U --inter-hunk-context --function-context --exit-code --quiet -q --check --full-index --binary -z --no-prefix --no-ext-diff --no-textconv --text --diff-filter --relative --ignore-submodules --submodule --compact-summary --cc -c -m --combined-all-paths --patch-with-stat";
const LIMIT =
  "--all --branches --tags --remotes --first-parent --no-merges --merges --reverse --topo-order --date-order --author-date-order --follow --since --until --after --before --author --committer --grep --max-count --skip --left-right --cherry-pick --cherry-mark --cherry --boundary --ancestry-path --simplify-merges --simplify-by-decoration --full-history --sparse --dense -i --regexp-ignore-case -E -F -P --invert-grep --all-match --no-walk --walk-reflogs -g --merge --stdin-never --show-pulls --source --log-size --relative-date --parents --children --count --objects --full-diff";
const VALUED =
  "-n -S -G -L -U -l --since --until --after --before --author --committer --grep --max-count --skip --format-never --date --diff-filter";

export const GIT_COMMANDS: ReadonlyMap<string, GitEntry> = new Map(
  Object.entries<GitEntry>({
    status: {
      flags:
        "-s -b -v -u -z --short --branch --porcelain --long --verbose --show-stash --untracked-files --ignored --ignore-submodules --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames",
      operands: "paths",
    },
    log: { flags: `${PRETTY} ${DIFF} ${LIMIT}`, valued: VALUED, digits: true, operands: "paths" },
    show: { flags: `${PRETTY} ${DIFF} ${LIMIT}`, valued: VALUED, digits: true, operands: "paths" },
    diff: {
      flags: `${DIFF} --cached --staged --merge-base --no-color --color --base --ours --theirs`,
      valued: "-S -G -U -l --diff-filter",
      operands: "paths",
    },
    shortlog: {
      flags: "-s -n -e -c --summary --numbered --email --committer --no-merges --all --since --until",
      digits: true,
      operands: "paths",
    },
    blame: {
      flags:
        "-b -l -t -f -n -s -e -w -p -c -M -C --root --show-stats --porcelain --line-porcelain --show-name --show-number --show-email --date --abbrev --color-lines --color-by-age --since",
      valued: "-L --since --date",
      operands: "paths",
    },
    "ls-files": {
      flags:
        "-c -d -m -o -i -s -u -k -z -t -v -f --cached --deleted --modified --others --ignored --stage --unmerged --killed --eol --deduplicate --exclude-standard --error-unmatch --full-name --abbrev --recurse-submodules --directory --no-empty-directory",
      valued: "-x --exclude",
      operands: "paths",
    },
    "ls-tree": {
      flags: "-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev",
      operands: "paths",
    },
    "rev-parse": {
      flags:
        "--verify --quiet -q --short --abbrev-ref --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --all --branches --tags --remotes --revs-only --no-revs --not --is-shallow-repository --show-superproject-working-tree",
      operands: "paths",
    },
    "rev-list": { flags: LIMIT, valued: VALUED, digits: true, operands: "paths" },
    describe: {
      flags: "--all --tags --contains --abbrev --always --dirty --long --first-parent --exact-match --debug",
      valued: "--match --exclude --candidates",
      operands: "text",
    },
    "cat-file": { flags: "-p -t -s -e", operands: "paths" },
    "merge-base": { flags: "-a --all --octopus --independent --is-ancestor --fork-point", operands: "text" },
    "name-rev": { flags: "--tags --name-only --always --refs", operands: "text" },
    "show-ref": {
      flags: "--head --heads --tags --branches -d --dereference -s --hash --verify -q --quiet --abbrev",
      operands: "text",
    },
    "for-each-ref": {
      flags:
        "--format --sort --count --points-at --merged --no-merged --contains --no-contains --ignore-case",
      operands: "text",
    },
    "count-objects": { flags: "-v -H --verbose --human-readable", operands: "refused" },
    "check-ignore": { flags: "-q -v -n --quiet --verbose --non-matching --no-index", operands: "paths" },
    grep: {
      flags:
        "-i -n -l -L -c -w -v -h -H -I -E -F -G -P -o -q -z -W -p -a --cached --untracked --no-exclude-standard --exclude-standard --line-number --column --name-only --files-with-matches --files-without-match --count --ignore-case --word-regexp --invert-match --extended-regexp --fixed-strings --basic-regexp --perl-regexp --only-matching --heading --break --color --no-color --and --or --not --all-match --show-function --function-context --full-name --quiet --null --max-depth --threads",
      valued: "-e -A -B -C --context --after-context --before-context --max-depth -m --max-count",
      digits: true,
      operands: "paths",
      walks: true,
    },
    branch: {
      flags:
        "-a -r -v -vv -i -l --all --remotes --verbose --list --show-current --no-column --column --color --no-color --sort --format --abbrev --no-abbrev --ignore-case --contains --no-contains --merged --no-merged --points-at",
      operands: "refused",
      lists: "--list -l --contains --no-contains --merged --no-merged --points-at",
    },
    tag: {
      flags:
        "-l -n --list --sort --format --contains --no-contains --merged --no-merged --points-at --column --no-column --color -i --ignore-case",
      operands: "refused",
      lists: "-l --list --contains --no-contains --merged --no-merged --points-at",
    },
    remote: { flags: "-v --verbose", operands: "refused" },
    "remote get-url": { flags: "--all --push", operands: "text" },
    "stash list": {
      flags: `${PRETTY} --stat -p --patch --name-only --name-status`,
      digits: true,
      operands: "refused",
    },
    "stash show": { flags: `${DIFF} -u --include-untracked --only-untracked`, operands: "paths" },
    "worktree list": { flags: "-v -z --porcelain --verbose", operands: "refused" },
    "reflog show": {
      flags: `${PRETTY} ${LIMIT} ${DIFF}`,
      valued: "-n --since --until",
      digits: true,
      operands: "paths",
    },
    reflog: { flags: `${PRETTY} --all`, valued: "-n", digits: true, operands: "refused" },
    "submodule status": { flags: "--cached --recursive", operands: "paths" },
    version: { flags: "--build-options", operands: "refused" },
  }),
);

/** Sub-commands whose second word decides what they do. */
export const GIT_PAIRS: ReadonlySet<string> = new Set(["remote", "stash", "worktree", "reflog", "submodule"]);

/** Sub-commands that may put files, links among them, into the working tree. */
export const GIT_TREE_WRITERS: ReadonlySet<string> = new Set(
  "checkout switch restore reset pull merge clone stash apply am rebase worktree cherry-pick revert submodule clean read-tree checkout-index sparse-checkout".split(
    " ",
  ),
);

/** Keys of `-c` that cannot make git run anything. Every other key is opaque. */
export const GIT_HARMLESS_KEYS: RegExp =
  /^(?:color\.[\w.]+|user\.(?:name|email)|advice\.\w+|core\.(?:quotepath|abbrev|autocrlf|eol|ignorecase|precomposeunicode|filemode|longpaths)|log\.\w+|init\.defaultbranch|push\.(?:default|autosetupremote|followtags)|pull\.(?:rebase|ff)|diff\.(?:renames|context|algorithm|noprefix|mnemonicprefix|renamelimit)|merge\.(?:ff|conflictstyle|renames)|commit\.gpgsign|tag\.gpgsign|fetch\.prune|rebase\.(?:autosquash|autostash)|column\.\w+|http\.(?:postbuffer|lowspeedlimit|lowspeedtime)|gc\.auto|safe\.directory|i18n\.\w+|blame\.\w+|grep\.(?:linenumber|column|patterntype)|status\.\w+|branch\.(?:sort|autosetupmerge|autosetuprebase))=/i;

/** Global options that change where git looks or what it runs. */
export const GIT_ELSEWHERE: ReadonlySet<string> = new Set([
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--bare",
  "--attr-source",
]);
