import { analyse } from "../../../shell/index.ts";
import { findingOf, mending } from "../../policy/finding.ts";
import { hasOperator } from "../../rule/operators.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import { openQuote, shellStart, wordsOf } from "../shell-text.ts";

/** `Bash(curl*| *sh*)`: a line of its own, in which `*` is plain text. */
export const operatorInRule: RuleCheck = ({
  rule,
  binds,
  family,
  toolName,
  specifier = "",
  plain,
  pieces,
}) => {
  if (family !== "bash" || !hasOperator(plain)) return NOTHING;
  const starred = pieces.length > 1;
  const effect = starred
    ? "only a line with exactly this text matches, its `*` being plain text"
    : "only exactly this line matches";
  const message = `An operator or redirect stands outside quotes: ${effect}. Commands of a line are judged one by one.`;
  const bare = withoutFreeRedirects(specifier);
  const single = bare !== specifier && bare !== "" && !hasOperator(bare);
  const remedy = single
    ? { mended: `${toolName}(${bare})`, fix: `Write ${toolName}(${bare}): such redirects need no rule.` }
    : { fix: "Write one rule for each command of the line." };
  // An exact line that is allowed may be meant so.
  const severity = starred ? {} : { severity: binds ? ("warning" as const) : ("info" as const) };
  return [findingOf(rule, "operator", message, { ...remedy, ...severity })];
};

function withoutFreeRedirects(text: string): string {
  let rest = text.trimEnd();
  for (;;) {
    const shorter = rest.replace(/ +(?:2>&1|[12]?>\/dev\/null|&>\/dev\/null|2> \/dev\/null)$/u, "");
    if (shorter === rest) return rest;
    rest = shorter;
  }
}

const FRAGMENTS: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac select function { }".split(" "),
);
/** A command may stand behind these. */
const BEFORE_COMMANDS: ReadonlySet<string> = new Set(["then", "else", "do", "if", "elif", "while", "until"]);

/** `Bash(do)`, `Bash(then echo x)` */
export const shellFragment: RuleCheck = (subject) => {
  const { rule, family, toolName, specifier } = subject;
  if (family !== "bash" || specifier === undefined) return NOTHING;
  const [word = "", ...behind] = wordsOf(shellStart(subject).text);
  const first = word.replace(/:$/u, "");
  if (!FRAGMENTS.has(first)) return NOTHING;
  const message = `\`${first}\` is a piece of a loop or branch and no command: no call is compared with it. The commands inside are judged one by one.`;
  const inner = specifier.trim().slice(first.length).trimStart();
  const mended = `${toolName}(${inner})`;
  const isCommand = BEFORE_COMMANDS.has(first) && behind.length > 0 && !FRAGMENTS.has(behind[0] ?? "");
  const remedy = isCommand && /^[\w./~-]/u.test(inner) ? { mended } : { fix: "Take it out." };
  return [findingOf(rule, "shell-fragment", message, remedy)];
};

/** `Bash(node -e ':*)` */
export const openQuoteInRule: RuleCheck = ({ rule, family, plain }) => {
  const quote = family === "bash" ? openQuote(plain) : "";
  if (quote === "") return NOTHING;
  const message = `The quote ${quote} is never closed. A command always closes it, so that the rule matches less than it looks.`;
  return [findingOf(rule, "open-quote", message, { fix: "Close the quote, or end the rule before it." })];
};

/** Commands that a rule cannot cover, whatever they are given. */
export const opaqueCommand: RuleCheck = ({ rule, binds, family, pieces, plain }) => {
  if (binds || family !== "bash" || !/^\w+\+?=|[$`]/u.test(plain) || openQuote(plain) !== "") return NOTHING;
  const line = pieces.join("x").replace(/[: ]x$/u, " x");
  const reason = analyse(line).opaque[0];
  if (reason === undefined) return NOTHING;
  const message = `No rule but the whole of Bash covers such a command: it cannot be seen through (${reason.code}: ${reason.text}).`;
  return [
    findingOf(rule, "opaque-command", message, {
      fix: "Take it out, or leave that part out of the command.",
    }),
  ];
};

/** `Bash(^git .*$)` */
export const regexLike: RuleCheck = ({ rule, family, plain }) => {
  if (family !== "bash" && family !== "name") return NOTHING;
  const text = plain.trim();
  const isRegex =
    text.startsWith("^") || text === ".*" || /^\/\^.*\/$/u.test(text) || /^[^'"]*\.\*\$$/u.test(text);
  if (!isRegex) return NOTHING;
  const message =
    "It reads like a regular expression. In rules only `*` is a wildcard, and all else is plain text.";
  return [findingOf(rule, "regex-like", message, { fix: "Write the start of the command and `:*`." })];
};

const HOST = /(?:\w:\/\/[^/\s]+|(?:^|\s)(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|0|\[::1?\]))$/u;
const PUBLISHED = /(?:-p|--publish|-L|-R)[ =]?\d{1,5}$/u;

/** `Bash(curl http://localhost:*)` */
export const portStar: RuleCheck = (subject) => {
  const { rule, binds, family, toolName, specifier = "" } = subject;
  if (family !== "bash" || !specifier.endsWith(":*")) return NOTHING;
  const { text } = shellStart(subject);
  const end = text.slice(-300);
  if (!HOST.test(end) && !PUBLISHED.test(end)) return NOTHING;
  const message =
    "`:*` at the end means the end of a word, not any port: a port behind the host does not match.";
  // Wider than the rule: for deny nothing is lost, for allow it is only shown.
  const mended = binds
    ? `${toolName}(${specifier.slice(0, -2)}*)`
    : `${toolName}(${specifier.slice(0, -2)}:**)`;
  return [findingOf(rule, "port-star", message, mending(rule, mended, "replace"))];
};
