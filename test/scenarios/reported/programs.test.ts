import { describe, expect, it } from "vitest";
import { judge } from "../../kit/judge.ts";
import { reported } from "../../kit/reported.ts";

/** What a repository of the project's own needs no rule for. */
const GIT_READS = ["git status -s", "git log -5 --oneline", "git diff HEAD", "git show HEAD"];

// Which programs, by which flags, run without being asked about, and which of them a rule means.
reported([
  {
    what: "C036: a deny goes before everything that needs no rule",
    under: { deny: ["Bash(head:*)", "Bash(tree:*)", "Bash(cd:*)"] },
    deny: [
      "head /var/log/syslog",
      "head -n 2 notes/a.md",
      "head",
      "tree /srv",
      "tree lib",
      "cd /srv",
      "cd lib",
      "cd",
    ],
  },
  {
    what: "C196: a program that reads writes and runs nothing by one of its flags",
    under: {},
    ask: [
      ...[
        "find lib -delete",
        "find lib -exec chmod +x {} ';'",
        "find lib -fls list",
        "find lib -okdir chmod +x {} ';'",
      ],
      ...[
        "sort -o sorted words",
        "uniq words once",
        "tree -o list",
        "file -C -m magic",
        "date --set=tomorrow",
      ],
      ...[
        "sed --in-place s/x/y/ words",
        "sed 's/x/y/w copy' words",
        "sed 's/x/id/e' words",
        "sed -n '2e id' words",
      ],
      ...["awk '{system($1)}' words", "awk '{print >> \"copy\"}' words", "awk '{print | \"sh\"}' words"],
      ...["rg --pre ./filter x", "git log --output=copy", "git diff --ext-diff", "git branch -m old new"],
      ...[
        "git branch topic",
        "git tag v9",
        "git remote add up http://host.test",
        "git grep --open-files-in-pager=id x",
      ],
      ...[
        "git -c core.fsmonitor=id status",
        "git --exec-path=. status",
        "xargs chmod",
        "tee copy",
        "env chmod +x a",
      ],
    ],
  },
  {
    what: "C196: programs that page or edit need a rule",
    under: {},
    ask: ["less words", "man ls", "vi words", "more words | tee copy"],
  },
  {
    what: "C196, C250: what only reads runs without a rule",
    under: {},
    allow: [
      "cat words",
      "ls -l lib",
      "wc -w words",
      "sort -u words",
      "find lib -name '*.ts'",
      "uniq -c words",
    ].concat(GIT_READS, ["sed -n '2,4p' words", "git branch --list", "date +%F", "tree -L 2", "rg -n x lib"]),
    free: true,
  },
  {
    what: "C197: a flag that the table does not know asks",
    under: {},
    ask: [
      "find lib -exec env shred {} \\;",
      "find lib -exec sh -c 'shred \"$1\"' _ {} \\;",
      "curl -O http://host.test/a",
      "curl --remote-name-all http://host.test/a",
      "sort --compress-program=./run words",
      "sort --files0-from=list",
      "wc --files0-from=list",
      "ls --made-up",
      "du --files0-from=list",
    ],
  },
  {
    what: "C197: beside flags that it knows",
    allow: [
      "find lib -type f -exec echo {} \\;",
      "sort -r -k 2 words",
      "ls -la --color=never",
      "wc -l -- words",
    ],
    free: true,
  },
  {
    what: "C250: git outside the project's own repository can run what its settings say",
    under: {},
    ask: [
      "cd vendor && git status",
      "git -C vendor diff",
      "git --git-dir=vendor/.git log",
      "git --work-tree=.. status",
      "git remote show origin",
      "git log --show-signature",
      "git fetch --dry-run",
    ],
  },
  {
    what: "C250: and by a variable it looks at another one",
    under: {},
    ask: ["GIT_DIR=vendor/.git git log", "GIT_EXTERNAL_DIFF=./run git diff", "export GIT_DIR=v; git status"],
  },
  { what: "C250: git in a folder that nobody has trusted", under: { trusted: false }, ask: GIT_READS },
  {
    what: "C250: a folder inside the project that looks like a bare repository",
    under: {
      cwd: "/work/app",
      fs: {
        "/work/app/HEAD": "ref: x",
        "/work/app/config": "",
        "/work/app/objects/a": "",
        "/work/app/refs/a": "",
      },
    },
    ask: GIT_READS,
  },
  {
    what: "C191: two dashes empty no command",
    under: { ask: ["Bash(git stash:*)", "Bash(rg:*)"], allow: ["Bash"] },
    ask: ["git stash --", "git stash -- lib", "git stash -", "rg --", "rg -- x lib", "git stash list --"],
    allow: ["git commit --", "ls --"],
  },
  {
    what: "C191: nor do a lone dash, an empty word or empty quotes",
    under: { allow: ["Bash(ls:*)"] },
    ask: ['""', "-", "-- rm x", "'' rm x", '"" "" rm x', "$(true)", "''; rm x"],
    allow: ["ls --", "ls -", 'ls ""', ""],
    free: true,
  },
  {
    what: "C193: a program at another path is denied as the one of that name",
    under: { allow: ["Bash"], deny: ["Bash(npm publish:*)"] },
    deny: [
      "/usr/local/bin/npm publish",
      "/tmp/npm publish",
      "./npm publish",
      '"npm" publish',
      "n\\pm publish",
      "NPM publish",
    ],
    allow: ["/usr/local/bin/npm test", "./npm test"],
  },
  {
    what: "C193: and allowed as nothing but itself",
    under: { allow: ["Bash(npm test:*)"] },
    ask: ["./npm test", "/tmp/npm test", "../npm test", "NPM test", "bin/npm test"],
    allow: ["npm test", '"npm" test', "npm test -- -w", "'npm' test", "n\\pm test"],
  },
  {
    what: "C210: a line over an added directory needs no more than its rules",
    under: { allow: ["Bash(xz -l *)", "Bash(rg *)"], user: { additionalDirectories: ["/mnt/data"] } },
    allow: ["xz -l /mnt/data/a.xz | rg -i size", "stat /mnt/data/a", "ls /mnt/data | wc -l"],
    ask: ["shred /mnt/data/a", "ls /mnt/data | tee a"],
  },
]);

describe("C028: the end of a Bash rule", () => {
  const rows = [
    ["Bash(op:*)", ["op", "op -v item", "op\t-v"], ["opera x", "op-all", "open"]],
    ["Bash(op *)", ["op", "op -v item", "op\t-v"], ["opera x", "op-all", "open"]],
    ["Bash(op*)", ["op", "op -v item", "opera x", "open"], ["xop"]],
    [
      "Bash(poetry run lint:*)",
      ["poetry run lint", "poetry run lint -- -q"],
      ["poetry run lint:fix", "poetry run"],
    ],
    ["Bash(op)", ["op"], ["op -v", "open"]],
    ["Bash(op get [ab]?)", ["op get [ab]?"], ["op get a1", "op get b"]],
  ] as const;

  it.each(rows)("in allow: %s", async (rule, fits, not) => {
    const got = async (line: string) => (await judge(line, { allow: [rule] })).behavior;
    for (const line of fits) expect(await got(line), line).toBe("allow");
    for (const line of not) expect(await got(line), line).toBe("ask");
  });

  it.each(rows)("in deny: %s", async (rule, fits, not) => {
    const got = async (line: string) => (await judge(line, { allow: ["Bash"], deny: [rule] })).behavior;
    for (const line of fits) expect(await got(line), line).toBe("deny");
    for (const line of not) expect(await got(line), line).toBe("allow");
  });
});
