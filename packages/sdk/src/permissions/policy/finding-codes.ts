type Severity = "error" | "warning" | "info";

/** What a code stands for, and how grave it is in an allow list and in a deny or ask list. */
export interface CodeEntry {
  readonly allow: Severity;
  readonly binds: Severity;
  readonly about: string;
}

/**
 * Every code that a finding about a rule or a hook can have. `error`: the rule does not do what it says;
 * `warning`: it does less or more than it looks; `info`: it can be said better, or should be known.
 */
export const FINDING_CODES: Readonly<Record<FindingCode, CodeEntry>> = {
  malformed: code(
    "error",
    "error",
    "The rule cannot be read. In allow it is ignored; in deny and ask it binds its whole tool.",
  ),
  "text-after-paren": code(
    "error",
    "error",
    "Text stands behind the last `)`: `Bash(git checkout .)*`. The rule cannot be read.",
  ),
  "name-case": code(
    "warning",
    "warning",
    "The name is a tool's but for case or blanks. Allow rules go by the exact name.",
  ),
  "unknown-name": code(
    "warning",
    "error",
    "No tool has this name. Tools of your own are known only where they are given.",
  ),
  "misnamed-server": code(
    "warning",
    "error",
    "A server is meant by the name that it gives itself; rules go by the key in the configuration.",
  ),
  "allows-nothing": code("warning", "warning", "An allow rule that names no tool in full: `*`, `mcp__*`."),
  negation: code("warning", "error", "A pattern that starts with `!` matches nothing."),
  "look-alike": code(
    "warning",
    "error",
    "A no-break space, another blank, a curly quote or a wide bracket that only looks like the plain one.",
  ),
  "stray-blank": code(
    "warning",
    "error",
    "Blanks at the edges of the brackets, doubled blanks or tabs: commands are compared without them.",
  ),
  "space-around-star": code(
    "warning",
    "error",
    "Blanks around a closing `:*`, which then is plain text: `Bash(git push :* )`.",
  ),
  "space-in-glob": code("warning", "error", "Blanks around the parts of a path pattern: `Read( ** /*key*)`."),
  "single-slash": code(
    "warning",
    "error",
    "A path with one `/` in front starts at the root of the rule's file, not of the disk: write `//`.",
  ),
  operator: code(
    "warning",
    "error",
    "An operator or redirect outside quotes: the rule is compared with whole lines, and `*` is plain text in it.",
  ),
  "shell-fragment": code(
    "warning",
    "error",
    "A piece of a loop or branch: `Bash(do)`. What is judged are the commands inside.",
  ),
  "open-quote": code(
    "warning",
    "warning",
    "A quote is opened and never closed, so that only a command with the same broken text before the `*` matches.",
  ),
  "opaque-command": code(
    "warning",
    "warning",
    "An allow rule for a command that no rule can cover, as it cannot be seen through: `Bash(PATH=x ls)`.",
  ),
  "regex-like": code(
    "warning",
    "error",
    "A rule that is written as a regular expression. Only `*` is a wildcard.",
  ),
  "port-star": code(
    "warning",
    "error",
    "`:*` behind a host is taken for the end of a word, not for any port.",
  ),
  "secret-in-rule": code(
    "error",
    "error",
    "The rule holds a key, token or password, and so does everything that prints it.",
  ),
  "secret-behind-interpreter": code(
    "warning",
    "warning",
    "Without a sandbox, a program that is allowed here can read what a Read deny keeps secret.",
  ),
  "deny-misses-shell": code(
    "info",
    "warning",
    "A deny of the bare file tool leaves the shell: `cat .env` reads all the same.",
  ),
  "one-reader": code(
    "info",
    "warning",
    "A deny of one program on a secret file: `Bash(cat .env)`. A Read deny binds every reader.",
  ),
  "edit-without-read": code(
    "info",
    "info",
    "An Edit deny of a secret file does not keep it from being read.",
  ),
  "allows-everything": code("warning", "info", "An allow rule on the whole shell."),
  interpreter: code("warning", "info", "An allow rule lets an interpreter or shell run any script."),
  launcher: code(
    "warning",
    "info",
    "An allow rule for a program that runs any other program: `find`, `xargs`, `docker`.",
  ),
  "wrapper-allowed": code(
    "warning",
    "info",
    "An allow rule for a wrapper covers whatever it wraps: `Bash(time *)`.",
  ),
  destructive: code(
    "info",
    "info",
    "An allow rule for a command that removes or overwrites, with any operands.",
  ),
  "flag-dependent": code(
    "info",
    "warning",
    "A deny that hangs on one spelling of a flag: `rm -rf` is not `rm -fr`.",
  ),
  shadowed: code(
    "warning",
    "info",
    "A deny or ask rule binds all that the allow rule names, so that it allows nothing.",
  ),
  "in-two-lists": code(
    "warning",
    "info",
    "The same rule stands in two lists; deny goes before ask, and ask before allow.",
  ),
  duplicate: code("info", "info", "The same rule stands twice."),
  redundant: code("info", "info", "Another rule of the same kind covers it."),
  "one-off": code(
    "info",
    "info",
    "An allow rule that fits one call: a process id, a folder for one run, a very long line.",
  ),
  "other-name": code(
    "info",
    "info",
    "`Write(path)`, `NotebookEdit(path)`, `MultiEdit(path)` mean `Edit(path)`; `Glob`, `Grep`, `LS` mean `Read`.",
  ),
  expired: code("info", "info", "The rule has expired and counts no more."),
  "hook-event": code(
    "error",
    "error",
    "No such event, or one that this release does not fire: the hook never runs.",
  ),
  "hook-matcher": code(
    "error",
    "error",
    "The matcher can match no tool: it is a rule, no pattern, or names a tool that does not exist.",
  ),
  "hook-shape": code("error", "error", "The entry is no `{ matcher, hooks: [ … ] }`."),
  "hook-timeout": code("warning", "warning", "A timeout in seconds that looks like milliseconds."),
};

/** The code of a finding about a rule or a hook. */
export type FindingCode =
  | "malformed"
  | "text-after-paren"
  | "name-case"
  | "unknown-name"
  | "misnamed-server"
  | "allows-nothing"
  | "negation"
  | "look-alike"
  | "stray-blank"
  | "space-around-star"
  | "space-in-glob"
  | "single-slash"
  | "operator"
  | "shell-fragment"
  | "open-quote"
  | "opaque-command"
  | "regex-like"
  | "port-star"
  | "secret-in-rule"
  | "secret-behind-interpreter"
  | "deny-misses-shell"
  | "one-reader"
  | "edit-without-read"
  | "allows-everything"
  | "interpreter"
  | "launcher"
  | "wrapper-allowed"
  | "destructive"
  | "flag-dependent"
  | "shadowed"
  | "in-two-lists"
  | "duplicate"
  | "redundant"
  | "one-off"
  | "other-name"
  | "expired"
  | "hook-event"
  | "hook-matcher"
  | "hook-shape"
  | "hook-timeout";

function code(allow: Severity, binds: Severity, about: string): CodeEntry {
  return { allow, binds, about };
}
