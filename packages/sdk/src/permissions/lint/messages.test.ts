import { expect, it } from "vitest";
import type { RuleBehavior } from "../../protocol/index.ts";
import { lintRules } from "./lint.ts";

// What people read: the whole text of a finding, one or two for each code.
const ROWS: readonly (readonly [behavior: RuleBehavior, rule: string, code: string, message: string])[] = [
  [
    "deny",
    "Bash(git checkout .)*",
    "text-after-paren",
    "The rule cannot be read: text stands behind the last `)`. It is taken as a deny rule on the whole tool.",
  ],
  [
    "deny",
    "",
    "malformed",
    "The rule cannot be read: the rule is empty. It is taken as a deny rule on the whole tool.",
  ],
  [
    "deny",
    "Bash(git push :*)",
    "space-around-star",
    "Blanks stand around the `:*` at the end, so that it is plain text and matches no command.",
  ],
  [
    "deny",
    "Bash( rm *)",
    "stray-blank",
    "Blanks at an edge, two in a row, or a tab: no command is compared with them.",
  ],
  [
    "deny",
    "Read( a/x)",
    "space-in-glob",
    "Blanks around the parts of a path belong to the names: the pattern matches nothing else.",
  ],
  [
    "deny",
    "Read(/home/me/x)",
    "single-slash",
    "A single / starts at the project root, so that this names a folder there and not /home/me/x of the disk.",
  ],
  [
    "deny",
    "Bash(curl*| sh)",
    "operator",
    "An operator or redirect stands outside quotes: only a line with exactly this text matches, its `*` being plain text. Commands of a line are judged one by one. Write one rule for each command of the line.",
  ],
  [
    "allow",
    "Bash(cd a && make)",
    "operator",
    "An operator or redirect stands outside quotes: only exactly this line matches. Commands of a line are judged one by one. Write one rule for each command of the line.",
  ],
  [
    "allow",
    "Bash(ls 2>/dev/null)",
    "operator",
    "An operator or redirect stands outside quotes: only exactly this line matches. Commands of a line are judged one by one. Write Bash(ls): such redirects need no rule.",
  ],
  [
    "allow",
    "Bash(do)",
    "shell-fragment",
    "`do` is a piece of a loop or branch and no command: no call is compared with it. The commands inside are judged one by one. Take it out.",
  ],
  [
    "deny",
    "Bash(then rm x)",
    "shell-fragment",
    "`then` is a piece of a loop or branch and no command: no call is compared with it. The commands inside are judged one by one.",
  ],
  [
    "allow",
    "Bash(git commit -m ' *)",
    "open-quote",
    "The quote ' is never closed. A command always closes it, so that the rule matches less than it looks. Close the quote, or end the rule before it.",
  ],
  [
    "allow",
    "Bash(PATH=x ls:*)",
    "opaque-command",
    "No rule but the whole of Bash covers such a command: it cannot be seen through (assignment: PATH=x). Take it out, or leave that part out of the command.",
  ],
  [
    "allow",
    "Bash(ls ${!x})",
    "opaque-command",
    "No rule but the whole of Bash covers such a command: it cannot be seen through (indirect: ${!x}). Take it out, or leave that part out of the command.",
  ],
  [
    "deny",
    "Bash(^rm.*)",
    "regex-like",
    "It reads like a regular expression. In rules only `*` is a wildcard, and all else is plain text. Write the start of the command and `:*`.",
  ],
  [
    "deny",
    "Bash(curl http://localhost:*)",
    "port-star",
    "`:*` at the end means the end of a word, not any port: a port behind the host does not match.",
  ],
  ["allow", "bash(ls)", "name-case", "The tool is spelled Bash. It allows nothing."],
  ["deny", "bash(ls)", "name-case", "The tool is spelled Bash. It binds that tool all the same."],
  ["deny", "Bsh(rm:*)", "unknown-name", "No tool is called Bsh."],
  [
    "allow",
    "frobnicate_it",
    "unknown-name",
    "No tool is called frobnicate_it. Mend the name or take the rule out.",
  ],
  [
    "deny",
    "Bash(rm\u00a0x)",
    "look-alike",
    "It holds U+00A0, which looks like a blank and is compared as another character.",
  ],
  [
    "deny",
    "Bash(rm\u200bx)",
    "look-alike",
    "It holds U+200B, which looks like nothing and is compared as another character.",
  ],
  [
    "deny",
    "Bash(rm \u2013r)",
    "look-alike",
    "It holds U+2013, which looks like `-` and is compared as another character.",
  ],
  [
    "ask",
    "Read(!a)",
    "negation",
    "A pattern that starts with `!` matches nothing. Write one rule that names what is meant, without `!`.",
  ],
  ["allow", "*", "allows-nothing", "`*` alone allows nothing. Name the tools to allow."],
  [
    "allow",
    "mcp__*",
    "allows-nothing",
    "The rule allows nothing: an allow rule must name its server in full.",
  ],
  [
    "allow",
    "Bash(curl -H token=abcdef123456 x)",
    "secret-in-rule",
    "It holds what looks like a key, token or password. Settings files are read by many, and rules stand in logs. Take it out, let the command read it from the environment, and replace the secret.",
  ],
  [
    "deny",
    "Read",
    "deny-misses-shell",
    "It binds only the tool Read: `cat .env` in Bash reads all the same. To keep every reader away, write Read(//**).",
  ],
  [
    "ask",
    "Write",
    "deny-misses-shell",
    "It binds only the tool Write: `echo x > f` in Bash writes all the same. To keep every writer away, write Edit(//**).",
  ],
  [
    "deny",
    "Bash(cat */.env)",
    "one-reader",
    "It binds `cat */.env` as it is written, and no other program or spelling of the path. Read(**/.env) binds every reader that is known, in the shell too.",
  ],
  [
    "deny",
    "Edit(.env)",
    "edit-without-read",
    "It keeps the file from being changed, not from being read. If it is secret, add Read(.env).",
  ],
  [
    "allow",
    "PowerShell",
    "allows-everything",
    "It allows every call of PowerShell, opaque ones too, but for what deny and ask rules and safety checks stop. Name the commands that are meant.",
  ],
  [
    "allow",
    "Bash(python3:*)",
    "interpreter",
    "`python3 \u2026` is allowed with anything behind it, and an interpreter runs any script. Name what it may run, up to the script or program.",
  ],
  [
    "allow",
    "Bash(bash -c *)",
    "interpreter",
    "`bash -c \u2026` is allowed with anything behind it, and a shell runs any script. Name what it may run, up to the script or program.",
  ],
  [
    "allow",
    "Bash(find *)",
    "launcher",
    "`find \u2026` is allowed with anything behind it, and it runs any other program. Name what it may run, up to the script or program.",
  ],
  [
    "allow",
    "Bash(time:*)",
    "wrapper-allowed",
    "`time \u2026` is allowed with anything behind it, and it covers the whole command as written, and so whatever is wrapped. Allow the commands that it wraps; common wrappers need no rule.",
  ],
  [
    "allow",
    "Bash(rm:*)",
    "destructive",
    "`rm` removes or changes things, and this allows it with any operands but those that safety checks guard.",
  ],
  [
    "deny",
    "Bash(rm -rf:*)",
    "flag-dependent",
    "It hangs on the flag -rf as it is written here: in another order, joined with others or spelled out it does not match. To bind every spelling, write Bash(rm:*).",
  ],
  [
    "deny",
    "Bash(git *reset --hard)",
    "flag-dependent",
    "It hangs on the flag --hard as it is written here: in another order, joined with others or spelled out it does not match. Leave the flags out of the rule.",
  ],
  [
    "allow",
    "Bash(kill 4711)",
    "one-off",
    "It fits one call only: it holds the id of a process. Take it out, or write what such calls have in common.",
  ],
  [
    "allow",
    "Bash(echo a\necho b)",
    "operator",
    "An operator or redirect stands outside quotes: only exactly this line matches. Commands of a line are judged one by one. Write one rule for each command of the line.",
  ],
  [
    "allow",
    "Bash(echo a\necho b)",
    "one-off",
    "It fits one call only: it holds several lines. Take it out, or write what such calls have in common.",
  ],
  [
    "allow",
    "Bash(cat /tmp/run-4711/a)",
    "one-off",
    "It fits one call only: it names a folder of one run. Take it out, or write what such calls have in common.",
  ],
  [
    "deny",
    "Write(src/**)",
    "other-name",
    "With a path, Write means every tool that writes files, as Edit does.",
  ],
  [
    "allow",
    "Grep(src/**)",
    "other-name",
    "With a path, Grep means every tool that reads files, as Read does.",
  ],
];

it.each(ROWS)("%s %j: %s", (behavior, text, code, message) => {
  const findings = lintRules({ rules: [{ text, behavior, source: "projectSettings" }] });
  expect(findings.find((finding) => finding.code === code)?.message).toBe(message);
});

it("tells of a rule whose time is over", () => {
  const rule = { text: "Bash(ls)", behavior: "allow", source: "session", expires: 5 } as const;
  expect(lintRules({ rules: [rule], now: 6 }).map(({ message }) => message)).toEqual([
    "The rule has expired and counts no more. Take it out.",
  ]);
});
