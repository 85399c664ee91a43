import { openEnded } from "../../../shell/index.ts";
import { findingOf } from "../../policy/finding.ts";
import { hasOperator } from "../../rule/operators.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import { wordsOf } from "../shell-text.ts";

const FLAG = /^\*?-{1,2}[A-Za-z]/u;
/** Programs whose flag says what they are, not how they do it: `--version`, `bash -c`. */
const HARMLESS: ReadonlySet<string> = new Set(["--version", "--help"]);

/** `Bash(rm -rf:*)` in deny or ask: `rm -fr` and `rm -r -f` are other texts. */
export const flagDependent: RuleCheck = ({ rule, binds, family, plain, toolName }) => {
  if (!binds || family !== "bash" || hasOperator(plain)) return NOTHING;
  const words = wordsOf(plain);
  const at = words.findIndex((word) => FLAG.test(word));
  const flag = (words[at] ?? "").replace(/[:*]+$/u, "");
  if (at < 1 || HARMLESS.has(flag)) return NOTHING;
  const before = words.slice(0, at);
  // `bash -c` has no other spelling worth the name, and all shells are meant.
  if (openEnded(before) !== undefined && openEnded(before) !== "launcher") return NOTHING;
  const start = before.join(" ");
  const message = `It hangs on the flag ${flag.replace(/^\*/u, "")} as it is written here: in another order, joined with others or spelled out it does not match.`;
  const literal = !start.includes("*") && !/["'\\()]/u.test(start);
  if (!literal)
    return [findingOf(rule, "flag-dependent", message, { fix: "Leave the flags out of the rule." })];
  const mended = `${toolName}(${start}:*)`;
  return [
    findingOf(rule, "flag-dependent", message, { mended, fix: `To bind every spelling, write ${mended}.` }),
  ];
};
