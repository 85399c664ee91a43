import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/setup/runs.ts";
import { answer, bashCall, type Rules } from "./test-kit.ts";

// A line that is allowed, and something that is not: however they are joined, the whole is not allowed.

const RULES: Rules = {
  allow: [
    "Bash(npm test:*)",
    "Bash(echo:*)",
    "Bash(./tool *)",
    "Bash(git add:*)",
    "Edit(./out)",
    "Read(//srv/**)",
  ],
};

const allowed = fc.constantFrom(
  ...[
    "npm test",
    "npm test -- -w",
    "echo 'a b'",
    "./tool x",
    "git add .",
    "ls -la src",
    "cat a | sort",
    "echo x > out",
  ],
  ...[
    "timeout 5 npm test",
    "for i in 1 2; do echo $i; done",
    "cat /srv/x",
    "cd src && ls",
    "CI=1 npm test",
    "true",
  ],
);

/** As plain words: most ways of joining leave them as they are. */
const unallowed = fc.constantFrom(
  ...[
    "evil",
    "evil -x 1",
    "node x.js",
    "rm -rf a",
    "npm install x",
    "git push",
    "cat /etc/passwd",
    "./other",
  ],
  ...[
    "touch a",
    "curl https://a.example/",
    "FOO=1 npm test",
    "/usr/bin/npm test",
    "xargs rm",
    "echo x > other",
  ],
);

type Join = (good: string, bad: string) => string;

const OPERATORS: readonly Join[] = [
  " && ",
  " || ",
  "; ",
  " | ",
  " |& ",
  " & ",
  "\n",
  " &&\n",
  "\n\n",
].flatMap((operator): Join[] => [(good, bad) => good + operator + bad, (good, bad) => bad + operator + good]);

const GROUPS: readonly Join[] = [
  (good, bad) => `{ ${good}; ${bad}; }`,
  (good, bad) => `(${good}; ${bad})`,
  (good, bad) => `if ${good}; then ${bad}; fi`,
  (good, bad) => `if ${bad}; then ${good}; fi`,
  (good, bad) => `while ${good}; do ${bad}; done`,
  (good, bad) => `for i in 1 2; do ${good}; ${bad}; done`,
  (good, bad) => `case x in x) ${bad};; esac; ${good}`,
  (good, bad) => `f() { ${bad}; }; f; ${good}`,
  (good, bad) => `ls() { ${bad}; }; ls; ${good}`,
  (good, bad) => `! ${bad} && ${good}`,
  (good, bad) => `${good} # fine\n${bad}`,
  (good, bad) => `trap '${bad.replaceAll("'", `'\\''`)}' EXIT; ${good}`,
];

const SUBSTITUTIONS: readonly Join[] = [
  (good, bad) => `${good} && echo "$(${bad})"`,
  (good, bad) => `${good}; echo \`${bad.replace(/[\\`$]/g, "\\$&")}\``,
  (good, bad) => `${good}; cat <(${bad})`,
  (good, bad) => `echo "\${X:-$(${bad})}"; ${good}`,
  (good, bad) => `X=$(${bad}); ${good}`,
  (good, bad) => `echo $((1 + $(${bad}))); ${good}`,
  (good, bad) => `cat <<E; ${good}\n$(${bad})\nE`,
  (good, bad) => `cat <<< "$(${bad})" && ${good}`,
  (good, bad) => `[[ -n $(${bad}) ]] && ${good}`,
  (good, bad) => `${good} && echo x > "$(${bad})"`,
];

const WRAPPERS: readonly Join[] = [
  ..."timeout 5,time,nice,nohup,stdbuf -oL,env,command,exec,sudo,xargs,setsid,watch,strace,busybox,flock /tmp/l"
    .split(",")
    .map(
      (wrapper): Join =>
        (good, bad) =>
          `${good} && ${wrapper} ${bad}`,
    ),
  (good, bad) => `${good}; bash -c ${JSON.stringify(bad)}`,
  (good, bad) => `${good}; eval ${JSON.stringify(bad)}`,
  (good, bad) => `${good}; bash <<'E'\n${bad}\nE`,
  (good, bad) => `${good}; bash <<< ${JSON.stringify(bad)}`,
  (good, bad) => `echo ${JSON.stringify(bad)} | sh; ${good}`,
  (good, bad) => `find . -name x -exec ${bad} \\; && ${good}`,
];

const REDIRECTS: readonly Join[] = [
  ...[
    "> other",
    ">> ../x",
    "2> /etc/x",
    "&> ~/x",
    ">| .git/hooks/x",
    "<> other",
    "> $F",
    "> *",
    "> /dev/tcp/h/1",
  ].map(
    (redirect): Join =>
      (good) =>
        `{ ${good}\n} ${redirect}`,
  ),
  (_, bad) => `echo x > >(${bad})`,
];

const QUOTES: readonly Join[] = [
  (good) => `${good}; e"v"il`,
  (good) => `${good}; \\e\\v\\i\\l`,
  (good) => `${good}; $'\\x65vil'`,
  (good) => `${good}; ev""il`,
  (good) => `${good}; "npm test"`,
  (good) => `${good}; n\u00a0pm test`,
  (good) => `${good}; npm\u00a0test`,
  (good) => `${good}; e\\\nvil`,
  (good) => `${good}; {evil,x}`,
];

const ALL = [OPERATORS, GROUPS, SUBSTITUTIONS, WRAPPERS, REDIRECTS, QUOTES].flat();
const join = fc.nat(ALL.length - 1).map((at): Join => ALL[at] ?? ((good) => good));

const judged = (line: string) => answer(bashCall(line), RULES);

describe("a line that is allowed", () => {
  it("is one, and what is joined to it is not", () => {
    fc.assert(
      fc.property(allowed, unallowed, (good, bad) => {
        expect([good, judged(good)]).toEqual([good, "allow"]);
        expect([bad, judged(bad)]).toEqual([bad, "ask"]);
      }),
      { numRuns: runs },
    );
  });

  it("is still one, joined to another", () => {
    const plain = fc.nat(OPERATORS.length - 1).map((at) => OPERATORS[at] as Join);
    fc.assert(
      fc.property(allowed, allowed, plain, (one, other, how) => {
        // After a `cd` that may fail, in a job or in a pipe, the places of what is relative are other ones.
        fc.pre(!one.includes("cd ") && !other.includes("cd "));
        expect([how(one, other), judged(how(one, other))]).toEqual([how(one, other), "allow"]);
      }),
      { numRuns: runs },
    );
  });

  it.each(ALL.map((how) => [how("npm test", "evil"), how] as const))("is none as %j", (_, how) => {
    fc.assert(
      fc.property(allowed, unallowed, (good, bad) => {
        expect([how(good, bad), judged(how(good, bad))]).not.toEqual([how(good, bad), "allow"]);
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });

  it("is none under two ways of joining at once", () => {
    fc.assert(
      fc.property(allowed, allowed, unallowed, join, join, (one, other, bad, inner, outer) => {
        const line = outer(one, inner(other, bad));
        expect([line, judged(line)]).not.toEqual([line, "allow"]);
      }),
      { numRuns: runs * 5 },
    );
  });
});
