import { describe, expect, it } from "vitest";
import type { RuleBehavior } from "../../protocol/index.ts";
import { lintRules } from "./lint.ts";

const LETTERS = "a".repeat(200);
const ID = "0a1B2c3d-4e5f-6789-abcd-ef0123456789";

/** The codes of what is said of one rule. */
function codes(behavior: RuleBehavior, text: string): string[] {
  return lintRules({ rules: [{ text, behavior, source: "projectSettings" }] }).map(({ code }) => code);
}

type Row = readonly [behavior: RuleBehavior, rule: string, ...codes: string[]];

// Each row has a neighbour of which something else is said.
const ROWS: readonly Row[] = [
  // one call only
  ["allow", "Bash(kill 471)", "one-off"],
  ["allow", "Bash(kill 47)"],
  ["allow", "Bash(lsof -p 4711)", "one-off"],
  ["allow", "Bash(kill -9 x4711)"],
  ["allow", "Bash(kill -9 4711x)"],
  ["allow", "Bash(killer 4711)"],
  ["allow", "Bash(xkill 4711)"],
  ["allow", "Bash(make 4711)"],
  ["allow", `Bash(cat a-${ID}.log)`, "one-off"],
  ["allow", `Read(logs/${ID}/**)`, "one-off"],
  ["allow", `Edit(logs/${ID}/**)`, "one-off"],
  ["allow", `Skill(${ID})`],
  ["deny", `Read(logs/${ID}/**)`],
  ["allow", `Bash(cat a-${ID.slice(0, -1)}.log)`],
  ["allow", `Bash(cat ${ID.slice(1)}.log)`],
  ["allow", `Bash(cat ${ID.replace("4e5f", "4e5")}.log)`],
  ["allow", `Bash(cat ${ID.replace("6789", "678")}.log)`],
  ["allow", `Bash(cat ${ID.replace("abcd", "abc")}.log)`],
  ["allow", "Bash(cat /tmp/run-4711/a)", "one-off"],
  ["allow", "Bash(/tmp/4711/a)", "one-off"],
  ["allow", "Bash(cat '/tmp/run 4711')"],
  ["allow", "Bash(cat '/tmp/run4711 a')", "one-off"],
  ["allow", "Bash(cat /tmp/run-471/a)"],
  ["allow", "Bash(cat x/tmp/run-4711/a)"],
  ["allow", "Bash(cat /tmp/abcde)"],
  ["allow", `Bash(echo ${LETTERS})`, "one-off"],
  ["allow", `Bash(echo ${LETTERS.slice(0, 155)})`],
  ["allow", `Bash(echo ${LETTERS.slice(0, 156)})`, "one-off"],
  ["allow", `Bash(echo ${LETTERS}*)`],
  ["deny", `Bash(echo ${LETTERS})`],
  ["allow", "Bash(echo a\necho b)", "operator", "one-off"],
  // what removes
  ["allow", "Bash(rm -f:*)", "destructive"],
  ["allow", "Bash(rm -rf:*)", "destructive"],
  ["allow", "Bash(rm a:*)"],
  ["allow", "Bash(rm a-f:*)"],
  ["allow", "Bash(rm -f/x:*)"],
  ["allow", "Bash(rm)"],
  ["allow", "Bash(rm -f x)"],
  ["allow", "Bash(git push:*)", "destructive"],
  ["allow", "Bash(git push)"],
  ["allow", "Bash(git log:*)"],
  ["allow", "Bash(git:*)"],
  ["allow", "Bash(hub push:*)"],
  ["allow", "Bash(rm * && ls)", "operator"],
  ["allow", "Skill(rm:*)"],
  ["deny", "Bash(git push:*)"],
  // what runs anything
  ["allow", "Bash(node:*)", "interpreter"],
  ["allow", "Bash(node *)", "interpreter"],
  ["allow", "Bash(node*)", "interpreter"],
  ["allow", "Bash(node)"],
  ["allow", "Bash(node x.js *)"],
  ["allow", "Skill(node:*)"],
  ["allow", "Bash(node * | cat)", "operator"],
  ["allow", "REPL", "allows-everything"],
  ["allow", "Monitor", "allows-everything"],
  ["allow", "WebSearch"],
  // pieces of shell
  ["allow", "Bash(fi)", "shell-fragment"],
  ["allow", "Bash(done:*)", "shell-fragment"],
  ["allow", "Bash({ ls)", "shell-fragment"],
  ["allow", "Bash(finger x)"],
  ["allow", "Skill(do)"],
  ["allow", "Skill(echo 'x)"],
  ["deny", "Bash(echo 'x)", "open-quote"],
  ["deny", 'Bash(echo "x)', "open-quote"],
  ["deny", "Bash(echo 'x')"],
  ["deny", `Bash(echo "'")`],
  ["deny", `Bash(echo '"')`],
  ["deny", String.raw`Bash(echo \"x)`],
  ["deny", String.raw`Bash(echo "\"")`],
  ["deny", String.raw`Bash(echo '\')`],
  // texts that look like patterns of another kind
  ["deny", "Bash(^git)", "regex-like"],
  ["deny", "Bash(git ^x)"],
  ["deny", "Skill(^pdf)", "regex-like"],
  ["deny", "Skill(.*)", "regex-like"],
  ["deny", "Skill(x.*)"],
  ["deny", "Skill(/^pdf$/)", "regex-like"],
  ["deny", "Skill(a/^pdf$/)"],
  ["deny", "Skill(/^pdf$/a)"],
  ["deny", "Skill(pdf.*$)", "regex-like"],
  ["deny", "Skill('pdf.*$)"],
  ["deny", "Read(^a)"],
  // ports
  ["deny", "Bash(curl http://a.b:*)", "port-star"],
  ["deny", "Bash(curl http://a.b/c:*)"],
  ["deny", "Bash(curl 127.0.0.1:*)", "port-star"],
  ["deny", "Bash(curl 1.2.3:*)"],
  ["deny", "Bash(curl localhost:*)", "port-star"],
  ["deny", "Bash(curl xlocalhost:*)"],
  ["deny", "Bash(curl [::1]:*)", "port-star"],
  ["deny", "Bash(nc 0:*)", "port-star"],
  ["deny", "Bash(nc 10:*)"],
  ["deny", "Bash(curl localhost *)"],
  ["deny", "Skill(http://localhost:*)"],
  // blanks
  ["deny", "Bash(rm :*)", "space-around-star"],
  ["deny", "Bash(rm: *)", "space-around-star"],
  ["deny", "Bash(rm:* )", "space-around-star"],
  ["deny", "Agent(review :*)", "space-around-star"],
  ["deny", String.raw`Bash(rm :\*)`],
  ["deny", "Bash(rm x)"],
  ["deny", "Bash(rm *)"],
  ["deny", "Bash(rm : x)"],
  ["deny", "Read(a :*)"],
  ["deny", "Skill( pdf)", "stray-blank"],
  ["deny", "Skill(a  b)"],
  ["deny", "Bash(rm\ta)", "stray-blank"],
  ["deny", "Bash(echo 'a  b')"],
  ["deny", 'Bash(echo "a  b")'],
  ["deny", String.raw`Bash(echo a\  b)`],
  ["deny", "Edit(a /b)", "space-in-glob"],
  ["deny", "Read(a b/c)"],
  ["deny", "Bash(ls a /b)"],
  // flags
  ["deny", "Bash(rm -r)", "flag-dependent"],
  ["deny", "Bash(rm --recursive:*)", "flag-dependent"],
  ["deny", "Bash(rm *-r*)", "flag-dependent"],
  ["deny", "Bash(rm -1)"],
  ["deny", "Bash(rm a-r)"],
  ["deny", "Bash(-r x)"],
  ["deny", "Bash(node --version)"],
  ["deny", "Bash(x --version:*)"],
  ["deny", "Bash(x --help)"],
  ["deny", "Bash(x --helper)", "flag-dependent"],
  ["deny", "Bash(find -delete)", "flag-dependent"],
  ["deny", "Bash(rm -r | x)", "operator"],
  ["deny", "Skill(rm -r)"],
  ["allow", "Bash(npm run -s x)"],
];

describe("where a finding begins and ends", () => {
  it.each(ROWS.map(([behavior, rule, ...want]) => ({ behavior, rule, want })))(
    "$behavior $rule: $want",
    (row) => {
      expect(codes(row.behavior, row.rule).sort()).toEqual([...row.want].sort());
    },
  );

  it("names no look-alike in a text of another language", () => {
    expect(codes("allow", "Skill(über)")).toEqual([]);
    expect(codes("allow", "Skill(ab\u2013c)")).toEqual(["look-alike"]);
  });
});
