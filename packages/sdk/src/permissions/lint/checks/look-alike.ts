import { findingOf, mending } from "../../policy/finding.ts";
import type { RuleCheck } from "../check.ts";
import { NOTHING } from "../check.ts";

/** What people take for the plain character on the right. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[
    ..."\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  ].map((char): [string, string] => [char, " "]),
  ...[
    ..."\u200b\u200c\u200d\u2060\ufeff\u00ad\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  ].map((char): [string, string] => [char, ""]),
  ...[..."\u201c\u201d\u201e\u00ab\u00bb"].map((char): [string, string] => [char, '"']),
  ...[..."\u2018\u2019\u201a"].map((char): [string, string] => [char, "'"]),
  ...[..."\u2010\u2011\u2012\u2013\u2014\u2212"].map((char): [string, string] => [char, "-"]),
  ["\uff08", "("],
  ["\uff09", ")"],
  ["\uff0a", "*"],
  ["\uff1a", ":"],
  ["\uff0f", "/"],
  ["\u2215", "/"],
]);

/** The text with plain characters in place of their look-alikes. */
export function plainCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "plain ASCII".
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return [...text].map((char) => PLAIN.get(char) ?? char).join("");
}

/** No-break spaces, curly quotes, wide brackets. */
export const lookAlike: RuleCheck = ({ rule }, world) => {
  const mended = plainCharacters(rule.text);
  if (mended === rule.text || world.has(mended, rule.behavior)) return NOTHING;
  const strange = [...rule.text].find((char) => PLAIN.has(char)) ?? "";
  const point = `U+${(strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const meant = PLAIN.get(strange);
  const message = `It holds ${point}, which looks like ${meant === "" ? "nothing" : meant === " " ? "a blank" : `\`${meant}\``} and is compared as another character.`;
  return [findingOf(rule, "look-alike", message, mending(rule, mended, "add"))];
};
