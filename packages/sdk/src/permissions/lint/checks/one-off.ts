import { findingOf } from "../../policy/finding.ts";
import { NOTHING, type RuleCheck } from "../check.ts";
import { wordsOf } from "../shell-text.ts";

const LONG = 160;

/** Rules that one call made, and no other will fit. */
export const oneOff: RuleCheck = ({ rule, binds, family, plain, specifier }) => {
  if (binds || specifier === undefined) return NOTHING;
  const why = family === "bash" || family === "read" || family === "edit" ? whyOnce(plain) : undefined;
  if (why === undefined) return NOTHING;
  return [
    findingOf(rule, "one-off", `It fits one call only: ${why}.`, {
      fix: "Take it out, or write what such calls have in common.",
    }),
  ];
};

function whyOnce(plain: string): string | undefined {
  if (plain.includes("\n")) return "it holds several lines";
  if (/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/iu.test(plain.slice(0, 4096)))
    return "it holds an id";
  const words = wordsOf(plain);
  if (/^(?:kill|taskkill|lsof|ps)$/u.test(words[0] ?? "") && words.some((word) => /^\d{3,}$/u.test(word)))
    return "it holds the id of a process";
  if (/(?:^|[\s"'])\/tmp\/\S*\d{4,}/u.test(plain.slice(0, 4096))) return "it names a folder of one run";
  if (!plain.includes("*") && plain.length > LONG) return "it is the whole text of a long command";
  return undefined;
}

/** Rules whose time is over. */
export const expiredRule: RuleCheck = ({ rule }, { now }) => {
  if (now === undefined || rule.expires === undefined || now <= rule.expires) return NOTHING;
  return [findingOf(rule, "expired", "The rule has expired and counts no more.", { fix: "Take it out." })];
};
